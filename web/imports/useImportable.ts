import { allows } from '../../contract/levels.ts';
import { type MasterName, masterNames, masterOf, masters } from '../../contract/masters.ts';
import { type Screen, screenOf, screens } from '../../contract/screens.ts';
import { mayOpen, useMayWrite, useSession } from '../kit/server/session.ts';

/** Whether somebody may write the records of a master. */
const useMayKeep = (): ((name: MasterName) => boolean) => {
  const { grants } = useSession();
  return (name) => {
    const screen = screenOf({ master: name }, 'masterForm') ?? screenOf({ master: name }, 'masterList');
    return (
      screen !== undefined &&
      mayOpen(grants, screens[screen] as Screen) &&
      allows(grants[screens[screen].parent], 'settings')
    );
  };
};

/** The masters that somebody may import, in the order of their names; none where they may not import at all. */
export const useImportable = (): readonly MasterName[] => {
  const mayImport = useMayWrite('FileImportNew');
  const mayKeep = useMayKeep();
  if (!mayImport) return [];
  return masterNames
    .filter((name) => !masterOf(name)?.notImported && mayKeep(name))
    .sort((a, b) => masters[a].plural.localeCompare(masters[b].plural));
};

/** Masters that are not imported, with why. */
export const notImported: readonly (readonly [label: string, why: string])[] = masterNames.flatMap((name) => {
  const { plural, notImported: why } = masterOf(name) ?? { plural: '' };
  return why ? [[plural, why] as const] : [];
});
