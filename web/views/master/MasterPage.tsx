import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Master, MasterPage as PageRow, PageSection } from '../../../contract/masters.ts';
import { type Report, reportOf } from '../../../contract/reports.ts';
import { screenOf } from '../../../contract/screens.ts';
import { AccountLinks } from '../../accounts/AccountLinks.tsx';
import { Button } from '../../kit/Button.tsx';
import { money } from '../../kit/format.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import { ScreenLink, useGo } from '../../kit/navigation.tsx';
import {
  Badge,
  Empty,
  ErrorPanel,
  figures,
  Page,
  PageHead,
  Panel,
  ScrollX,
  Skeleton,
  TableHead,
} from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { usePlaces } from '../places.ts';
import { cellOf, useReportPlaces } from '../Report.tsx';
import { askedFilters, filterValues, type Row } from '../report/filters.ts';
import { addressOf, mayRead } from '../report/place.ts';
import { History } from './History.tsx';
import type { OpenedRecord } from './record.ts';
import { shown } from './shown.ts';
import { textOf } from './values.ts';
import '../views.css';

/** Rows of a section; the report that it leads to has all. */
const MOST = 10;

interface Props {
  readonly name: string;
  readonly master: Master;
  readonly page: PageRow;
  readonly record: OpenedRecord;
}

/** A record at a look: its facts, and what reports say about it. `E` opens its form. */
export function MasterPage({ name, master, page, record }: Props) {
  const go = useGo();
  const { grants } = useSession();
  const form = screenOf({ master: name }, 'masterForm') ?? screenOf({ master: name }, 'masterList');
  const edit = () => form && go(form, { id: record.id, back: 'page' });
  useKeys({ e: edit });
  const title = textOf(record.values[master.name]);
  return (
    <Page narrow>
      <PageHead
        title={title}
        beside={<Badge word={record.active ? 'Active' : 'Inactive'} />}
        actions={
          <>
            {master.account && <AccountLinks party={record.id} name={title} statement={master.account.statement} />}
            <Button icon={<IconPencil size={16} aria-hidden />} onClick={edit} title="E">
              {t('Edit')}
            </Button>
          </>
        }
      />
      <Panel title={t(master.label)}>
        <Facts master={master} page={page} record={record} />
      </Panel>
      {page.sections.map((section) => {
        const report = reportOf(section.report);
        return (
          report &&
          mayRead(grants, report) && <Section key={section.report} section={section} report={report} id={record.id} />
        );
      })}
      <History name={name} id={record.id} />
    </Page>
  );
}

function Facts({ master, page, record }: Omit<Props, 'name'>) {
  const { show } = useDateFormat();
  return (
    <dl className="facts">
      {page.facts
        .filter((key) => key in master.fields && textOf(record.values[key]) !== '')
        .map((key) => {
          const text = shown(key, master.fields[key], record, show);
          const scheme = page.links[key];
          return (
            <div key={key}>
              <dt>{t(master.fields[key]?.label)}</dt>
              <dd className="wrap">{scheme ? <a href={`${scheme}:${text.replaceAll(' ', '')}`}>{text}</a> : text}</dd>
            </div>
          );
        })}
    </dl>
  );
}

interface SectionProps {
  readonly section: PageSection;
  readonly report: Report;
  readonly id: string;
}

function Section({ section, report, id }: SectionProps) {
  const session = useSession();
  const filters = askedFilters(filterValues(report, { [section.by]: id }, session));
  const chosen = useReportPlaces(report);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('section', section.report, filters, chosen),
    queryFn: () => api.RunReport({ report: section.report, filters, ...chosen }),
  });
  const title = t(report.title);
  const rows = data?.rows ?? [];
  const draw: Readonly<Record<PageSection['as'], () => ReactNode>> = {
    totals: () => <Totals report={report} totals={data?.totals ?? {}} />,
    rows: () => <Rows report={report} by={section.by} rows={rows.slice(0, MOST)} />,
    last: () => (
      <Rows
        report={report}
        by={section.by}
        rows={rows
          .filter((row) => row['document'])
          .reverse()
          .slice(0, MOST)}
      />
    ),
  };
  return (
    <Panel
      title={title}
      actions={
        <ScreenLink screen={report.screen} query={{ ...addressOf(section.report), ...filters }}>
          {t('Open report')}
        </ScreenLink>
      }
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data ? (
        draw[section.as]()
      ) : (
        <Skeleton rows={3} />
      )}
    </Panel>
  );
}

/** The totals of a report; those of zero are left out, the last one is not. */
function Totals({ report, totals }: { readonly report: Report; readonly totals: Readonly<Record<string, string>> }) {
  const summed = report.columns.filter(({ key }) => key in totals);
  const isZero = (key: string) => /^0(\.0+)?$/.test(totals[key] ?? '');
  return (
    <dl className="facts">
      {summed
        .filter(({ key }) => key === 'total' || !isZero(key))
        .map(({ key, label }) => (
          <div key={key}>
            <dt>{t(label)}</dt>
            <dd>{money(totals[key])}</dd>
          </div>
        ))}
    </dl>
  );
}

const ofFigures = new Set<Report['columns'][number]['format']>(['money', 'quantity', 'percent', 'whole']);

/** Rows of a report without the column of the record itself; each leads to its document. */
function Rows({ report, by, rows }: { readonly report: Report; readonly by: string; readonly rows: readonly Row[] }) {
  const { show } = useDateFormat();
  const places = usePlaces();
  if (rows.length === 0) return <Empty sentence={t(report.empty) ?? t('No Data')} />;
  const columns = report.columns.filter(({ key, seldom }) => key !== by && (!seldom || rows.some((row) => row[key])));
  return (
    <ScrollX label={t(report.title)}>
      <table className="plain-table">
        <TableHead
          columns={columns.map(({ label, format }) => (ofFigures.has(format) ? figures(t(label)) : t(label)))}
        />
        <tbody>
          {rows.map((row, at) => {
            const place = typeof row['kind'] === 'string' ? places(row['kind'], 'documentView') : undefined;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a document may have several rows
              <tr key={at}>
                {columns.map((column) => {
                  const text = cellOf(column, row, show);
                  return (
                    <td key={column.key} className={ofFigures.has(column.format) ? 'num one-line' : 'one-line'}>
                      {column.key === 'number' && place && row['document'] ? (
                        <ScreenLink screen={place.screen} query={{ ...place.query, id: String(row['document']) }}>
                          {text}
                        </ScreenLink>
                      ) : (
                        text
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollX>
  );
}
