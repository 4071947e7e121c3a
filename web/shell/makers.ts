import { allows } from '../../contract/levels.ts';
import { masterOf } from '../../contract/masters.ts';
import { placeOf, type Screen, type ScreenName, screenNames, screens } from '../../contract/screens.ts';
import type { Session } from '../../contract/session.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { mayOpen } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

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
    const label = t('New {{thing}}', { thing: t(thing)?.toLowerCase() });
    if (thing && !makers.has(label))
      makers.set(label, { name, label, group, query: show.view === 'masterForm' ? { id: 'new' } : {} });
  }
  // a kind without an editor of its own is written on the screen of its list
  for (const kind of kindNames) {
    const { label: thing, life, source } = kindOf(kind);
    const place = life.system || source.reverses ? undefined : placeOf(kind, 'documentEditor');
    if (!place || !('show' in place.query)) continue;
    const screen: Screen = screens[place.screen];
    const label = t('New {{thing}}', { thing: t(thing).toLowerCase() });
    if (mayOpen(grants, screen) && allows(grants[screen.parent], 'write') && !makers.has(label))
      makers.set(label, { name: place.screen, label, group: screen.group, query: place.query });
  }
  return [...makers.values()];
};

/** Screens that are in no menu and are opened by name: a document by its number, a quick entry, a ledger of a report. */
export const findersOf = (grants: Session['grants']): readonly Maker[] => {
  // a list is no less to be found because something is made on it
  const made = new Set(makersOf(grants).flatMap(({ name, query }) => ('show' in query ? [] : [name])));
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
    const shown = t(screen.label);
    const words = shown.charAt(0).toLowerCase() + shown.slice(1);
    const label = show.view === 'documentView' && !show.among ? t('Find {{words}}', { words }) : shown;
    if (!finders.has(label)) finders.set(label, { name, label, group, query: {} });
  }
  return [...finders.values()];
};
