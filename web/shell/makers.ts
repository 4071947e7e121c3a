import { masterOf } from '../../contract/masters.ts';
import { type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import type { Session } from '../../contract/session.ts';
import { kindOf } from '../../domain/document/kinds/index.ts';
import { mayOpen } from '../kit/server/session.ts';

// Beside the menu and not in it: the masters' schemas are a tenth of what a first visit would fetch, and only the palette asks.

export interface Maker {
  readonly name: ScreenName;
  readonly label: string;
  readonly group: string;
  readonly query: Readonly<Record<string, string>>;
}

/** What this person may make, each on its own screen: documents and records, "New quotation". */
export const makersOf = (grants: Session['grants']): readonly Maker[] => {
  const makers = new Map<string, Maker>();
  for (const name of screenNames) {
    const screen: Screen = screens[name];
    const { show, group } = screen;
    if (!mayOpen(grants, screen)) continue;
    const thing =
      show.view === 'documentEditor' && !show.quick
        ? kindOf(show.kind).label
        : show.view === 'masterForm' && masterOf(show.master)?.retire !== 'never'
          ? masterOf(show.master)?.label
          : undefined;
    const label = `New ${thing?.toLowerCase()}`;
    if (thing && !makers.has(label))
      makers.set(label, { name, label, group, query: show.view === 'masterForm' ? { id: 'new' } : {} });
  }
  return [...makers.values()];
};

/** Screens that are in no menu and are opened by name: a document by its number, a quick entry, a ledger of a report. */
export const findersOf = (grants: Session['grants']): readonly Maker[] => {
  const made = new Set(makersOf(grants).map(({ name }) => name));
  const finders = new Map<string, Maker>();
  // what shows the very same as a screen of the menu is only another way in
  const inMenus = new Set(
    screenNames.flatMap((name) => ((screens[name] as Screen).inMenu ? [JSON.stringify(screens[name].show)] : [])),
  );
  for (const name of screenNames) {
    const screen: Screen = screens[name];
    const { show, group, inMenu } = screen;
    if (inMenu || made.has(name) || show.view === 'later' || show.view === 'masterForm' || !mayOpen(grants, screen))
      continue;
    if (inMenus.has(JSON.stringify(show))) continue;
    const words = screen.label.charAt(0).toLowerCase() + screen.label.slice(1);
    const label = show.view === 'documentView' && !show.among ? `Find ${words}` : screen.label;
    if (!finders.has(label)) finders.set(label, { name, label, group, query: {} });
  }
  return [...finders.values()];
};
