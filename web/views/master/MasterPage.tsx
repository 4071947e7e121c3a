import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { z } from 'zod';
import { allows } from '../../../contract/levels.ts';
import type { pageCalls } from '../../../contract/master-calls.ts';
import type { Master, MasterPage as PageRow } from '../../../contract/masters.ts';
import { type PageColumn, type PagePart, type PagePartName, pagePartOf } from '../../../contract/pages.ts';
import { reportOf } from '../../../contract/reports.ts';
import { screens } from '../../../contract/screens.ts';
import { kindOf } from '../../../domain/document/kinds/index.ts';
import { AccountLinks } from '../../accounts/AccountLinks.tsx';
import { Button } from '../../kit/Button.tsx';
import { useCrumb } from '../../kit/crumb.ts';
import { useOwnMaster } from '../../kit/fields/own-master.ts';
import { inSentence, money, plainNumber } from '../../kit/format.ts';
import { useKeys } from '../../kit/hotkeys.ts';
import { ScreenLink, useGo } from '../../kit/navigation.tsx';
import { Badge, ErrorPanel, figures, Page, PageHead, Panel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useMayOpen, useMayWrite, useScreenKey, useSession, usesGst } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { useGoTo, usePlaces } from '../places.ts';
import { askedFilters, filterValues } from '../report/filters.ts';
import { addressOf } from '../report/place.ts';
import { History } from './History.tsx';
import { formOf } from './page.ts';
import { RecordFiles } from './RecordFiles.tsx';
import { RecordLink } from './RecordLink.tsx';
import type { OpenedRecord } from './record.ts';
import { shown } from './shown.ts';
import { textOf } from './values.ts';
import '../views.css';

const Pictures = lazy(async () => ({ default: (await import('../../items/Pictures.tsx')).Pictures }));

type Shown = z.output<(typeof pageCalls)['GetRecordPage']['details']>;
type Row = Shown['parts'][number]['rows'][number];

interface Props {
  readonly name: string;
  readonly page: PageRow;
  readonly id: string;
}

/** The page of a record: its facts, figures, what is open or in stock, its last documents. `E` opens its form. */
export function MasterPage({ name, page, id }: Props) {
  const { master, known } = useOwnMaster(name);
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('page', name, id),
    queryFn: () => api.GetRecordPage({ master: name, id }),
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data || !known) return <Skeleton />;
  return <Opened name={name} master={master} page={page} data={data} />;
}

interface OpenedProps extends Pick<Props, 'name' | 'page'> {
  readonly master: Master;
  readonly data: Shown;
}

function Opened({ name, master, page, data: { record, parts } }: OpenedProps) {
  const title = textOf(record.values[master.name]);
  const form = formOf(name) ?? 'General Configuration';
  const mayWrite = useMayWrite(form);
  const mayView = allows(useSession().grants[screens[form].parent], 'view');
  useCrumb(title);
  return (
    <Page narrow>
      <PageHead
        title={title}
        beside={<Badge word={record.active ? 'Active' : 'Inactive'} />}
        actions={
          <>
            {record.active && (
              <Begin page={page} id={record.id} has={(part) => parts.some((one) => one.name === part)} />
            )}
            {master.account && <AccountLinks party={record.id} name={title} statement={master.account.statement} />}
            <ToForm name={name} id={record.id} />
          </>
        }
      />
      <Panel title={t(master.label)}>
        <Facts master={master} page={page} record={record} />
      </Panel>
      {page.pictures && (
        <Suspense>
          <Pictures item={record.id} name={title} />
        </Suspense>
      )}
      {parts.map((part) => (
        <Part key={part.name} {...part} part={pagePartOf(part.name as PagePartName)} id={record.id} />
      ))}
      {page.files && mayView && <RecordFiles master={name} id={record.id} mayWrite={mayWrite} />}
      <History name={name} id={record.id} />
    </Page>
  );
}

/** Documents that are begun with the record filled in, of kinds that the person may write. */
function Begin({
  page,
  id,
  has,
}: Pick<Props, 'page' | 'id'> & { readonly has: (part: PagePartName | undefined) => boolean }) {
  const places = usePlaces();
  const goTo = useGoTo();
  return page.actions.map(({ kind, fills, with: part }) => {
    const place = part === undefined || has(part) ? places(kind, 'documentEditor') : undefined;
    return (
      place && (
        <Button key={kind} icon={<IconPlus size={16} aria-hidden />} onClick={() => goTo(place, { [fills]: id })}>
          {t('New {{label}}', { label: inSentence(t(kindOf(kind).label)) })}
        </Button>
      )
    );
  });
}

/** To the form: to edit the record, or to read all its fields. */
function ToForm({ name, id }: Pick<Props, 'name' | 'id'>) {
  const go = useGo();
  const mayOpen = useMayOpen();
  const form = formOf(name);
  const mayWrite = useMayWrite(form ?? 'General Configuration');
  const open = () => form && go(form, { id, back: 'page' });
  useKeys(mayWrite ? { e: open } : {});
  if (!form || !mayOpen(form)) return null;
  return mayWrite ? (
    <Button icon={<IconPencil size={16} aria-hidden />} onClick={open} title="E">
      {t('Edit')}
    </Button>
  ) : (
    <Button onClick={open}>{t('All fields')}</Button>
  );
}

interface FactsProps {
  readonly master: Master;
  readonly page: PageRow;
  readonly record: OpenedRecord;
}

function Facts({ master, page, record }: FactsProps) {
  const { show } = useDateFormat();
  const gst = usesGst(useSession());
  const isShown = (key: string) =>
    key in master.fields && textOf(record.values[key]) !== '' && (gst || !master.fields[key]?.ofGst);
  return (
    <dl className="facts facts-wide">
      {page.facts.filter(isShown).map((key) => {
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

interface PartProps {
  readonly part: PagePart;
  readonly rows: readonly Row[];
  readonly more: boolean;
  readonly id: string;
}

function Part({ part, rows, more, id }: PartProps) {
  const [first] = rows;
  const draw: Readonly<Record<PagePart['as'], () => ReactNode>> = {
    figures: () => first && <Figures part={part} row={first} />,
    rows: () => (rows.length === 0 ? <p className="muted">{t(part.empty)}</p> : <Rows part={part} rows={rows} />),
  };
  return (
    <Panel title={t(part.title)} actions={part.report && <ToReport part={part} id={id} />}>
      {draw[part.as]()}
      {more && <p className="muted">{t('There are more; these are {{count}} of them.', { count: rows.length })}</p>}
    </Panel>
  );
}

function ToReport({ part, id }: Pick<PartProps, 'part' | 'id'>) {
  const session = useSession();
  const report = part.report === undefined ? undefined : reportOf(part.report);
  if (!report || part.report === undefined || part.by === undefined) return null;
  const filters = askedFilters(filterValues(report, { [part.by]: id }, session));
  return (
    <ScreenLink screen={report.screen} query={{ ...addressOf(part.report), ...filters }}>
      {t('Open report')}
    </ScreenLink>
  );
}

const isFigure = ({ format }: PageColumn): boolean => ['money', 'quantity', 'percent', 'whole'].includes(format);

const layoutOf = (column: PageColumn): string =>
  isFigure(column) ? 'num one-line' : column.format === 'text' ? 'wrap' : 'one-line';

function Figures({ part, row }: { readonly part: PagePart; readonly row: Row }) {
  const cell = useCell();
  return (
    <dl className="facts facts-wide">
      {Object.entries(part.columns)
        .filter(([key]) => row[key] != null && row[key] !== '')
        .map(([key, column]) => (
          <div key={key}>
            <dt>{t(column.label)}</dt>
            <dd className={column.warns ? 'warns' : undefined}>{cell(key, column, row)}</dd>
          </div>
        ))}
    </dl>
  );
}

function Rows({ part, rows }: { readonly part: PagePart; readonly rows: readonly Row[] }) {
  const cell = useCell();
  const columns = Object.entries(part.columns).filter(
    ([key, { seldom }]) => rows.some((row) => key in row) && (!seldom || rows.some((row) => row[key] != null)),
  );
  return (
    <ScrollX label={t(part.title)}>
      <table className="plain-table">
        <TableHead
          columns={columns.map(([, column]) => (isFigure(column) ? figures(t(column.label)) : t(column.label)))}
        />
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a document may have several rows
            <tr key={at}>
              {columns.map(([key, column]) => (
                <td key={key} className={`${layoutOf(column)}${column.warns && row[key] != null ? ' warns' : ''}`}>
                  {cell(key, column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

/** Draws a value of a row by the format of its column, with the link that the column asks for. */
function useCell() {
  const { show } = useDateFormat();
  const places = usePlaces();
  const texts: Readonly<Record<PageColumn['format'], (text: string) => string>> = {
    text: (text) => t(text),
    document: (text) => text,
    day: show,
    money: (text) => money(text),
    quantity: (text) => plainNumber(text),
    percent: (text) => plainNumber(text),
    whole: (text) => plainNumber(text),
  };
  return (key: string, column: PageColumn, row: Row): ReactNode => {
    const value = row[key];
    if (value == null || value === '') return '–';
    const text = texts[column.format](String(value));
    if (column.opens)
      return (
        <RecordLink master={column.opens} id={textOf(row[`${key}Id`])}>
          {text}
        </RecordLink>
      );
    const place = column.format === 'document' ? places(textOf(row['kind']), 'documentView') : undefined;
    return place && row['document'] ? (
      <ScreenLink screen={place.screen} query={{ ...place.query, id: textOf(row['document']) }}>
        {text}
      </ScreenLink>
    ) : (
      text
    );
  };
}
