import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type OwnFormat,
  type Column as ReportColumn,
  type Report as ReportRow,
  reportOf,
} from '../../contract/reports.ts';
import { Button } from '../kit/Button.tsx';
import { blobOf, download } from '../kit/dialog/download.ts';
import { toastError } from '../kit/dialog/toast.tsx';
import { inSentence, money, plainNumber } from '../kit/format.ts';
import { ScreenLink, useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, Page, PageHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, usePlaceFilter, useScreenKey, useSession } from '../kit/server/session.ts';
import { wordsWidth } from '../kit/table/columnWidths.ts';
import { type Card, type Column, DataTable } from '../kit/table/DataTable.tsx';
import { plural, t } from '../kit/text.ts';
import { useGoTo, usePlaces } from './places.ts';
import { Filters } from './report/Filters.tsx';
import {
  askedFilters,
  drillFilters,
  drillOf,
  filterProblems,
  filterValues,
  type Row,
  type Values,
} from './report/filters.ts';
import { PrintReport } from './report/PrintReport.tsx';
import { addressOf, mayRead, screenOfReport } from './report/place.ts';
import { ReturnMark } from './report/ReturnMark.tsx';
import './views.css';

type Keyed = Row & { readonly _row: number };
/** Columns whose words are never cut, as figures are not. */
const codes = new Set(['code', 'sku']);
const numeric = new Set<ReportColumn['format']>(['money', 'quantity', 'percent', 'whole']);

export const cellOf = (column: ReportColumn, row: Row, show: (day: string) => string): string => {
  const value = row[column.key];
  if (value == null || value === '') return '';
  const text = String(value);
  if (column.format === 'money') {
    // A balance carries its side behind it.
    const [, figure, side] = /^(-?[\d.]+) (Dr|Cr)$/.exec(text) ?? [];
    return figure ? `${money(figure)} ${side}` : money(text);
  }
  if (column.format === 'day') return show(text);
  return column.format ? plainNumber(text) : text;
};

/** Pixels that words begin from at most: they are cut before figures are, which have to be scrolled to then. */
const MOST_WORDS = 140;

const columnsOf = (
  report: ReportRow,
  rows: readonly Row[],
  show: (day: string) => string,
  seesCost: boolean,
): readonly Column<Keyed>[] =>
  report.columns
    .filter(({ cost }) => !cost || seesCost)
    .filter(({ key, seldom }) => !seldom || rows.some((row) => row[key]))
    .map((column, at) => ({
      key: column.key,
      label: t(column.label),
      ...(numeric.has(column.format)
        ? { numeric: true, width: 88 }
        : column.format === 'day'
          ? { width: 104, code: true }
          : codes.has(column.key)
            ? { width: 90, code: true }
            : at === 0 && report.statement
              ? {}
              : {
                  width: wordsWidth(
                    [column.label, ...rows.slice(0, 300).map((row) => cellOf(column, row, show))],
                    MOST_WORDS,
                  ),
                }),
      cell: (row) => {
        const text = cellOf(column, row, show);
        if (at > 0 || !report.statement) return text;
        return (
          <span
            className="statement"
            data-heading={row['heading'] === true || undefined}
            style={{ paddingLeft: Number(row['depth'] ?? 0) * 20 }}
          >
            {text}
          </span>
        );
      },
    }));

/** What is still to be chosen is asked for where the rows will stand; only what was given wrongly is marked. */
const missing = (report: ReportRow, values: Values): string => {
  const labels = Object.entries(report.filters).flatMap(([key, { required, label }]) =>
    required && !values[key] ? [inSentence(label)] : [],
  );
  const [only = ''] = labels;
  if (labels.length === 1) return `Choose ${/^[aeiou]/.test(only) ? 'an' : 'a'} ${only}`;
  return labels.length ? `Choose: ${labels.join(', ')}` : t('Correct the marked fields above');
};
const visibleProblems = (problems: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(problems).filter(([key]) => values[key]));

/** A report: filters in the address, rows with totals, drill-down and files. */
export function Report({ report: own, among = [] }: { readonly report: string; readonly among?: readonly string[] }) {
  const address = useAddress();
  const asked = address['report'] ?? own;
  const name = among.includes(asked) ? asked : own;
  return <Shown key={name} name={name} others={[own, ...among].filter((other) => other !== name)} />;
}

/** Links to the other reports of the same screen that this person may read. */
function Others({ names }: { readonly names: readonly string[] }) {
  const { grants } = useSession();
  return names.flatMap((name) => {
    const report = reportOf(name);
    return report && mayRead(grants, report)
      ? [
          <ScreenLink key={name} screen={report.screen} query={addressOf(name)}>
            {t(report.title)}
          </ScreenLink>,
        ]
      : [];
  });
}

/** The places of the top bar, for a report that has no filter of its own for them. */
export function useReportPlaces(report: ReportRow | undefined): ReturnType<typeof usePlaceFilter> {
  const { SubOrgCode, TaxLocation } = usePlaceFilter();
  const asks = Object.keys(report?.filters ?? {});
  return {
    ...(SubOrgCode && !asks.includes('location') && { SubOrgCode }),
    ...(TaxLocation && !asks.includes('registration') && !asks.includes('location') && { TaxLocation }),
  };
}

/** What the address asks a report for, and the pages of its answer. */
function useReport(name: string, report: ReportRow) {
  const session = useSession();
  const address = useAddress();
  const values = filterValues(report, address, session);
  const problems = filterProblems(report, values, session);
  const isReady = Object.keys(problems).length === 0;
  const asked = askedFilters(values);
  const chosen = useReportPlaces(report);
  const query = useInfiniteQuery({
    queryKey: useScreenKey('report', name, asked, chosen),
    queryFn: ({ pageParam }) =>
      api.RunReport({ report: name, filters: asked, ...chosen, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
    placeholderData: keepPreviousData,
    enabled: isReady,
  });
  const { data } = query;
  const rows = useMemo(
    () => data?.pages.flatMap((page) => page.rows).map((row, at): Keyed => ({ ...row, _row: at })) ?? [],
    [data],
  );
  return { ...query, values, problems, isReady, asked, rows };
}

/** Where a row leads: to its document, or to the report behind it; nowhere for who may not open that. */
function useDrill(report: ReportRow, values: Values) {
  const go = useGo();
  const goTo = useGoTo();
  const mayOpen = useMayOpen();
  const places = usePlaces();
  const toDocument = (row: Row): (() => void) | undefined => {
    const view = typeof row['kind'] === 'string' ? places(row['kind'], 'documentView') : undefined;
    return view && row['document'] ? () => goTo(view, { id: String(row['document']) }) : undefined;
  };
  return (row: Row): (() => void) | undefined => {
    if (report.drill === 'document') return toDocument(row);
    const drill = drillOf(report, row);
    const screen = drill && screenOfReport(drill.report);
    return screen && mayOpen(screen)
      ? () => go(screen, { ...addressOf(drill.report), ...drillFilters(drill.filters, row, values) })
      : undefined;
  };
}

/** The row of totals, with its name in the first column. */
const totalsOf = (report: ReportRow, totals: Readonly<Record<string, string>>) =>
  Object.keys(totals).length === 0
    ? undefined
    : {
        [report.columns[0]?.key ?? '']: t('Total'),
        ...Object.fromEntries(Object.entries(totals).map(([key, text]) => [key, money(text)])),
      };

/** A row on a phone: its first column, one figure, and the words of the others. */
const cardOf = (report: ReportRow, row: Row, show: (day: string) => string): Card => {
  const [title, ...rest] = report.columns;
  // A statement's first figure is this year's; elsewhere the last one is the total or the balance.
  const figures = report.statement ? rest : [...rest].reverse();
  const written = figures.filter((column) => numeric.has(column.format) && cellOf(column, row, show));
  // money where there is money, else how many of what
  const ofMoney = written.filter(({ format }) => format === 'money');
  const candidates = ofMoney.length > 0 ? ofMoney : written;
  const isSome = ({ key }: { readonly key: string }): boolean => !/^(0(\.0+)?)?$/.test(String(row[key] ?? ''));
  const balance = report.balance && rest.filter(({ key }) => report.balance?.includes(key));
  const usual = () => (balance ? (balance.find(isSome) ?? balance[0]) : (candidates.find(isSome) ?? candidates[0]));
  const last = report.statement ? written.find(({ key }) => key === rest[0]?.key) : usual();
  // the year before stands under the name, and never in the place of this year's figure
  const before = report.statement ? written.filter((column) => column !== last) : [];
  // what is balanced has a balance of nothing
  const amount = last && (cellOf(last, row, show) || money('0'));
  return {
    title: (title && cellOf(title, row, show)) || '–',
    meta: rest
      .filter((column) => !numeric.has(column.format))
      .map((column) => cellOf(column, row, show))
      .concat(before.map((column) => `${column.label.replace(' (₹)', '')} ${cellOf(column, row, show)}`))
      .filter(Boolean)
      .join(' · '),
    ...(last && { amount: last.format === 'money' ? amount : `${last.label} ${amount}` }),
    ...(report.statement && { depth: Number(row['depth'] ?? 0), heading: row['heading'] === true }),
    // one figure of several says which: the debit of a ledger is not its credit
    ...(last && !report.statement && ofMoney.length > 1 && { badge: <small className="muted">{t(last.label)}</small> }),
  };
};

function Shown({ name, others }: { readonly name: string; readonly others: readonly string[] }) {
  const report = reportOf(name);
  if (!report) throw new Error(`no report ${name}`);
  const go = useGo();
  const { show } = useDateFormat();
  const { limits } = useSession();
  const found = useReport(name, report);
  const { data, rows, values, isReady, hasNextPage, isFetchingNextPage } = found;
  const target = useDrill(report, values);
  const seesCost = limits.cost === 'all';
  const columns = useMemo(() => columnsOf(report, rows, show, seesCost), [report, rows, show, seesCost]);
  const here = screenOfReport(name);
  const change = (patch: Readonly<Record<string, string>>) =>
    here && go(here, { ...addressOf(name), ...values, ...patch }, true);
  return (
    <Page fit>
      <PageHead
        title={t(report.title)}
        count={
          rows.length
            ? plural(rows.length, '{{count}}{{hasNextPage}} row', '{{count}}{{hasNextPage}} rows', {
                hasNextPage: hasNextPage ? '+' : '',
              })
            : undefined
        }
        beside={<Others names={others} />}
        actions={
          <>
            <Files name={name} filters={found.asked} disabled={!isReady} />
            {report.marked && isReady && <ReturnMark values={values} />}
          </>
        }
      />
      <Filters report={report} values={values} problems={visibleProblems(found.problems, values)} onChange={change} />
      {data?.pages[0]?.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <DataTable
        label={t(report.title)}
        columns={columns}
        rows={rows}
        rowKey={(row) => String(row._row)}
        loading={found.isFetching && !data}
        stale={found.isPlaceholderData}
        error={found.error}
        onRetry={() => void found.refetch()}
        {...(report.drill
          ? { onOpen: (row: Keyed) => target(row)?.(), opens: (row: Keyed) => target(row) !== undefined }
          : {})}
        hasMore={hasNextPage && !isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
        totals={totalsOf(report, data?.pages[0]?.totals ?? {})}
        empty={<Empty sentence={isReady ? (t(report.empty) ?? t('No Data')) : missing(report, values)} />}
        card={(row) => cardOf(report, row, show)}
      />
    </Page>
  );
}

type Format = 'xlsx' | 'csv' | 'pdf' | OwnFormat;
const formats: readonly { readonly format: Format; readonly label: string }[] = [
  { format: 'xlsx', label: 'Excel' },
  { format: 'csv', label: 'CSV' },
  { format: 'pdf', label: 'PDF' },
];

function Files({
  name,
  filters,
  disabled,
}: {
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly disabled: boolean;
}) {
  const [busy, setBusy] = useState('');
  const [printing, setPrinting] = useState(false);
  const own = reportOf(name)?.file;
  const chosen = useReportPlaces(reportOf(name));
  const save = async (format: Format) => {
    setBusy(format);
    try {
      const file = await api.ExportReport({ report: name, filters: { ...filters }, format, ...chosen });
      download(file.name, blobOf(file.content, file.type));
    } catch (error) {
      toastError(error);
    } finally {
      setBusy('');
    }
  };
  return (
    <>
      {[...formats, ...(own ? [own] : [])].map(({ format, label }) => (
        <Button key={format} disabled={disabled} busy={busy === format} onClick={() => void save(format)}>
          {t(label)}
        </Button>
      ))}
      <Button disabled={disabled} onClick={() => setPrinting(true)}>
        {t('Print')}
      </Button>
      {printing && (
        <PrintReport
          name={name}
          title={t(reportOf(name)?.title) ?? name}
          filters={filters}
          chosen={chosen}
          onClose={() => setPrinting(false)}
        />
      )}
    </>
  );
}
