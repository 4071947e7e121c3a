import { reportOf } from '../../../contract/reports.ts';
import { type ScreenName, screens, type View } from '../../../contract/screens.ts';

/** The route a report is shown under: its own screen. */
export const screenOfReport = (name: string): ScreenName | undefined => reportOf(name)?.screen;

/** What the address of a report says besides its filters: its name, where its screen shows another one by itself. */
export const addressOf = (name: string): Readonly<Record<string, string>> => {
  const screen = screenOfReport(name);
  const show: View | undefined = screen && screens[screen].show;
  return show?.view === 'report' && show.report !== name ? { report: name } : {};
};
