import { masterOf } from '../../../contract/masters.ts';
import { type Place, type ScreenName, screenOf } from '../../../contract/screens.ts';

/** The page of a record, on the screen of its list; undefined: its master has no pages. */
export const pagePlace = (master: string, id: string): Place | undefined => {
  const list = masterOf(master)?.page && screenOf({ master }, 'masterList');
  return list && { screen: list, query: { id, show: 'page' } };
};

/** The screen of the form of a master: its own, or that of its list. */
export const formOf = (master: string): ScreenName | undefined =>
  screenOf({ master }, 'masterForm') ?? screenOf({ master }, 'masterList');

/** Where a record opens: as its page, or in its form; undefined for people who may open neither. */
export const recordPlace = (
  master: string,
  id: string,
  mayOpen: (screen: ScreenName) => boolean,
): Place | undefined => {
  const page = pagePlace(master, id);
  if (page && mayOpen(page.screen)) return page;
  const form = formOf(master);
  return form && mayOpen(form) ? { screen: form, query: { id } } : undefined;
};
