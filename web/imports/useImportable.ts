import { type Importable, importableNames, importableOf } from '../../contract/importable.ts';
import { allows } from '../../contract/levels.ts';
import { placeOf, type Screen, type ScreenName, screenOf, screens } from '../../contract/screens.ts';
import { mayOpen, useMayWrite, useSession } from '../kit/server/session.ts';

/** The screen on which such records or documents are written one by one, and their list. */
const formOf = (name: string, { kind, rowsOf }: Importable): ScreenName | undefined =>
  kind
    ? placeOf(kind, 'documentEditor')?.screen
    : (screenOf({ master: rowsOf?.master ?? name }, 'masterForm') ??
      screenOf({ master: rowsOf?.master ?? name }, 'masterList'));
export const listOf = (name: string): ScreenName | undefined => {
  const { kind, rowsOf } = importableOf(name) ?? {};
  return kind ? screenOf({ kind }, 'documentList') : screenOf({ master: rowsOf?.master ?? name }, 'masterList');
};

/** Whether somebody may write what a file is of. */
const useMayKeep = (): ((name: string) => boolean) => {
  const { grants, settings } = useSession();
  return (name) => {
    const subject = importableOf(name);
    const screen = subject && formOf(name, subject);
    return (
      screen !== undefined &&
      (!subject?.needs || settings[subject.needs] === true) &&
      mayOpen(grants, screens[screen] as Screen) &&
      allows(grants[screens[screen].parent], subject?.kind ? 'write' : 'settings')
    );
  };
};

/** What somebody may import, in the order of the names; nothing where they may not import at all. */
export const useImportable = (): readonly string[] => {
  const mayImport = useMayWrite('FileImportNew');
  const mayKeep = useMayKeep();
  if (!mayImport) return [];
  const plural = (name: string): string => importableOf(name)?.plural ?? name;
  return importableNames
    .filter((name) => !importableOf(name)?.notImported && mayKeep(name))
    .sort((a, b) => plural(a).localeCompare(plural(b)));
};

/** What is not imported, with why. */
export const notImported: readonly (readonly [label: string, why: string])[] = importableNames.flatMap((name) => {
  const { plural, notImported: why } = importableOf(name) ?? { plural: '' };
  return why ? [[plural, why] as const] : [];
});
