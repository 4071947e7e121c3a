import { type Report, reportNames, reportOf } from '../../contract/reports.ts';
import { type Screen, screens } from '../../contract/screens.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Empty, Page, PageHead, Panel } from '../kit/parts.tsx';
import { mayOpen, useSession } from '../kit/session.ts';
import { addressOf } from '../views/report/place.ts';
import '../views/views.css';

/** Every report the person may open, by section. */
export function ReportIndex({ screen: shown }: { readonly screen: Screen }) {
  const { grants } = useSession();
  // comfort only: the server asks the same of the screen, and of what a report asks for besides
  const mayRead = ({ screen, action }: Report) =>
    mayOpen(grants, screens[screen]) && (!action || [5001, 5003].includes(grants[screens[screen].parent] ?? 0));
  const open = reportNames.flatMap((name) => {
    const report = reportOf(name);
    return report && mayRead(report) ? [{ name, ...report }] : [];
  });
  const sections = [...new Set(open.map((report) => report.section))];
  return (
    <Page narrow>
      <PageHead title={shown.label} />
      {sections.length === 0 && <Empty sentence="You have access to no report" />}
      <div className="index">
        {sections.map((section) => (
          <Panel key={section} title={section}>
            <ul className="plain-list">
              {open
                .filter((report) => report.section === section)
                .map((report) => (
                  <li key={report.name}>
                    <ScreenLink screen={report.screen} query={addressOf(report.name)}>
                      {report.title}
                    </ScreenLink>
                  </li>
                ))}
            </ul>
          </Panel>
        ))}
      </div>
    </Page>
  );
}
