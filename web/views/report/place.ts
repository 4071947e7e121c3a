import { allows } from '../../../contract/levels.ts';
import { type Report, reportOf } from '../../../contract/reports.ts';
import { mayOpen, type ScreenName, screens, type View } from '../../../contract/screens.ts';
import type { Session } from '../../../contract/session.ts';

/** The route a report is shown under: its own screen. */
export const screenOfReport = (name: string): ScreenName | undefined => reportOf(name)?.screen;

/** What the address of a report says besides its filters: its name, where its screen shows another one by itself. */
export const addressOf = (name: string): Readonly<Record<string, string>> => {
  const screen = screenOfReport(name);
  const show: View | undefined = screen && screens[screen].show;
  return show?.view === 'report' && show.report !== name ? { report: name } : {};
};

/** Comfort only: the server asks the same of the screen, and of what a report asks for besides. */
export const mayRead = (grants: Session['grants'], { screen, action }: Report): boolean =>
  mayOpen(grants, screens[screen]) && (!action || allows(grants[screens[screen].parent], action));
