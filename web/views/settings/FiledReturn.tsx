import { useQuery } from '@tanstack/react-query';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { download } from '../../kit/dialog/download.ts';
import { money } from '../../kit/format.ts';
import { ErrorPanel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { Sentence } from '../../kit/Sentence.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

type Asked = Parameters<typeof api.GetFiledReturn>[0];
type Shown = Awaited<ReturnType<typeof api.GetFiledReturn>>;
type Amounts = Shown['totals']['filed'];

const columns = ['Taxable value', 'IGST', 'CGST', 'SGST', 'Cess'];
const amountColumns = columns.map((label) => ({ label, numeric: true as const }));
const words = { added: 'Added later', gone: 'Taken back', changed: 'Changed' } as const;

const Cells = ({ amounts: { taxable, igst, cgst, sgst, cess } }: { readonly amounts: Amounts }) =>
  [taxable, igst, cgst, sgst, cess].map((text, place) => (
    <td key={columns[place]} className="num">
      {money(text)}
    </td>
  ));

interface FiledReturnProps {
  readonly asked: Asked;
  readonly title: string;
  onClose(): void;
}

/** A return as it was filed, beside what the books say now, with the documents that make the difference. */
export function FiledReturn({ asked, title, onClose }: FiledReturnProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...useScreenKey('filedReturn'), asked.registration, asked.form, asked.period],
    queryFn: () => api.GetFiledReturn(asked),
  });
  const file = data?.file;
  const save = () =>
    download(
      `${asked.form.replace('-', '')}-${asked.period}-filed.json`,
      new Blob([JSON.stringify(file)], { type: 'application/json' }),
    );
  return (
    <Dialog
      open
      width={880}
      title={title}
      onClose={onClose}
      actions={file && <Button onClick={save}>{t('File as filed')}</Button>}
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={4} />
      ) : (
        <div className="stack">
          <Marks filed={data.filed} />
          <Totals totals={data.totals} />
          <Listed
            title={t('Differences')}
            none={t('The books agree with the return as filed.')}
            rows={data.differences.map((row) => ({
              ...row,
              what: row.table === undefined ? words[row.what] : `${words[row.what]}, ${row.table}`,
            }))}
          />
          {data.tableChanges.length > 0 && <TableChanges changes={data.tableChanges} />}
          {data.byHand.length > 0 && (
            <Listed
              title={t('Journals on ledgers of its tax: in the books, and in no return')}
              none=""
              rows={data.byHand.map((row) => ({ ...row, what: t('By hand') }))}
            />
          )}
          <Reversed reversed={data.reversed} period={asked.period} />
        </div>
      )}
    </Dialog>
  );
}

/** Who marked it as filed, and who took the mark back. */
function Marks({ filed }: Pick<Shown, 'filed'>) {
  const { show } = useDateFormat();
  return filed.map(({ markedAt, by, filedOn, digest, unmarked }) => (
    <p key={markedAt}>
      <Sentence
        text="Filed on {{filedOn}}, marked by {{by}}. Digest {{digest}}"
        values={{ filedOn: show(filedOn), by, digest: <span className="code">{digest.slice(0, 16)}</span> }}
      />
      {unmarked &&
        `. ${t('The mark was taken back by {{by}}: {{reason}}', { by: unmarked.by, reason: unmarked.reason })}`}
    </p>
  ));
}

function Totals({ totals: { filed, now } }: Pick<Shown, 'totals'>) {
  return (
    <ScrollX label={t('Totals')}>
      <table className="plain-table">
        <TableHead columns={[{ label: t('Figures'), hidden: true }, ...amountColumns]} />
        <tbody>
          <tr>
            <th scope="row">{t('As filed')}</th>
            <Cells amounts={filed} />
          </tr>
          <tr>
            <th scope="row">{t('In the books now')}</th>
            <Cells amounts={now} />
          </tr>
        </tbody>
      </table>
    </ScrollX>
  );
}

/** Rows of the tables without amounts of tax that are other ones now. */
function TableChanges({ changes }: { readonly changes: Shown['tableChanges'] }) {
  return (
    <section>
      <h3>{t('Tables 12 to 14')}</h3>
      <ScrollX label={t('Tables 12 to 14')}>
        <table className="plain-table">
          <TableHead columns={[t('Table'), t('Row'), t('As filed'), t('In the books now')]} />
          <tbody>
            {changes.map(({ table, row, filed, now }) => (
              <tr key={`${table} ${row}`}>
                <td>{table}</td>
                <td>{row}</td>
                <td>{filed ?? t('Not there')}</td>
                <td>{now ?? t('Not there')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

/** Documents that were reversed in the period of this return, and those that a later return takes back. */
function Reversed({ reversed, period }: Pick<Shown, 'reversed'> & { readonly period: string }) {
  const { show } = useDateFormat();
  const isLater = ({ reversedOn }: Shown['reversed'][number]) => reversedOn.slice(0, 7) > period;
  const lists = [
    { title: t('Earlier documents that this return takes back'), rows: reversed.filter((row) => !isLater(row)) },
    { title: t('Reversed later: the return of that day takes them back'), rows: reversed.filter(isLater) },
  ];
  return lists.map(
    ({ title, rows }) =>
      rows.length > 0 && (
        <Listed
          key={title}
          title={title}
          none=""
          rows={rows.map((row) => ({
            ...row,
            what: t('Reversed on {{reversedOn}}', { reversedOn: show(row.reversedOn) }),
          }))}
        />
      ),
  );
}

interface Row extends Amounts {
  readonly document: string;
  readonly number: string;
  readonly date: string;
  readonly what: string;
}

function Listed({
  title,
  none,
  rows,
}: {
  readonly title: string;
  readonly none: string;
  readonly rows: readonly Row[];
}) {
  const { show } = useDateFormat();
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ScrollX label={title}>
          <table className="plain-table">
            <TableHead columns={[t('Number'), t('Date'), { label: t('What'), hidden: true }, ...amountColumns]} />
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.document} ${row.what}`}>
                  <td className="code">{row.number}</td>
                  <td className="one-line">{show(row.date)}</td>
                  <td className="one-line">{row.what}</td>
                  <Cells amounts={row} />
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </section>
  );
}
