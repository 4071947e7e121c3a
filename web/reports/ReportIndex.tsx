import { reportNames, reportOf } from '../../contract/reports.ts';
import type { Screen } from '../../contract/screens.ts';
import { ScreenLink } from '../kit/navigation.tsx';
import { Empty, Page, PageHead, Panel } from '../kit/parts.tsx';
import { concerns, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { addressOf, mayRead } from '../views/report/place.ts';
import '../views/views.css';

/** Every report the person may open, by section. */
export function ReportIndex({ screen: shown }: { readonly screen: Screen }) {
  const session = useSession();
  const open = reportNames.flatMap((name) => {
    const report = reportOf(name);
    return report && mayRead(session.grants, report) && concerns(report.section, session) ? [{ name, ...report }] : [];
  });
  const sections = [...new Set(open.map((report) => report.section))];
  return (
    <Page narrow>
      <PageHead title={t(shown.label)} />
      {sections.length === 0 && <Empty sentence={t('You have access to no report')} />}
      <div className="index">
        {sections.map((section) => (
          <Panel key={section} title={t(section)}>
            <ul className="plain-list">
              {open
                .filter((report) => report.section === section)
                .map((report) => (
                  <li key={report.name}>
                    <ScreenLink screen={report.screen} query={addressOf(report.name)}>
                      {t(report.title)}
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
