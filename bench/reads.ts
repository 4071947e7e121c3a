import { at, median, type Row } from './table.ts';
import { detailsOf, type Line } from './wire.ts';
import type { Books, Served } from './world.ts';

const ROUNDS = Number(process.env.BENCH_READS ?? 120);

type Ask = () => Promise<unknown>;

const below = (n: number): number => Math.floor(Math.random() * n);
const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;

/** Asks each in turn, many times over, so that what else the machine does meets all alike. Milliseconds. */
async function byTurns<N extends string>(asks: Readonly<Record<N, Ask>>): Promise<Record<N, number[]>> {
  const names = Object.keys(asks) as N[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = -10; round < ROUNDS; round++)
    for (const name of names) {
      const start = performance.now();
      await asks[name]();
      if (round >= 0) times[name].push(performance.now() - start); // the first ones warm
    }
  return times;
}

/** Any day of the last years, in the middle of months too. */
const anyDay = (): string => new Date(Date.now() - 86_400_000 * (1 + below(1000))).toISOString().slice(0, 10);

const oneRow =
  (line: Line, { items }: Books): Ask =>
  () =>
    line.ask('GetMaster', { master: 'item', id: pick(items) });

const statements = (line: Line) => ({
  trialBalance: () => {
    const [from, to] = [anyDay(), anyDay()].sort();
    return line.ask('RunReport', { report: 'trialBalance', filters: { from, to } } as never);
  },
  profitAndLoss: () => {
    const [from, to] = [anyDay(), anyDay()].sort();
    return line.ask('RunReport', { report: 'profitAndLoss', filters: { from, to } } as never);
  },
  balanceSheet: () => line.ask('RunReport', { report: 'balanceSheet', filters: { asOf: anyDay() } } as never),
});

/** Goals 6 and 7: the statements over many entries, beside a single row; and beside the same over few. */
export async function measureStatementsOf(server: Served, few: Books, many: Books, entries: string): Promise<Row[]> {
  const [little, much] = [await server.open(few), await server.open(many)];
  const small = statements(little);
  const times = await byTurns({
    row: oneRow(much, many),
    ...statements(much),
    smallTrialBalance: small.trialBalance,
    smallProfitAndLoss: small.profitAndLoss,
    smallBalanceSheet: small.balanceSheet,
  });
  for (const line of [little, much]) line.end();
  const p50 = (name: keyof typeof times) => median(times[name]);
  const limits = { accept: 6, stretch: 3 };
  const growth = Math.max(
    p50('trialBalance') / p50('smallTrialBalance'),
    p50('profitAndLoss') / p50('smallProfitAndLoss'),
    p50('balanceSheet') / p50('smallBalanceSheet'),
  );
  return [
    { what: 'One row over HTTP (an item)', value: p50('row'), unit: ' ms' },
    {
      goal: 6,
      what: `Trial balance at ${entries} entries, any date ÷ one row`,
      value: p50('trialBalance') / p50('row'),
      ...limits,
    },
    { goal: 6, what: 'Profit and loss ÷ one row', value: p50('profitAndLoss') / p50('row'), ...limits },
    { goal: 6, what: 'Balance sheet ÷ one row', value: p50('balanceSheet') / p50('row'), ...limits },
    {
      goal: 7,
      what: `What grows most of them, at ${entries} ÷ at 1,00,000 entries`,
      value: growth,
      accept: 1.3,
      stretch: 1.1,
      note: `${entries} in place of 10M`,
    },
  ];
}

interface Page {
  readonly after: string | null;
}

/** Goals 8 and 9: a page of a long list, deep in it too, and a party by part of its name. */
export async function measureLists(server: Served, books: Books, documents: number): Promise<Row[]> {
  const line = await server.open(books);
  const page = (after?: string) =>
    line.ask('GetTransationsList', { Type: 'saleInvoice', pagesize: 50, ...(after && { after }) } as never);
  const first = await page();
  const { after } = detailsOf<Page>(first);
  if (after === null) throw new Error('the list has one page');
  // a cursor is a day and an id: one in the middle of all years
  const middle = `${new Date(Date.now() - 86_400_000 * 550).toISOString().slice(0, 10)}|ffffffff-ffff-7fff-bfff-ffffffffffff`;
  const words = ['sha tra', 'handra', 'eepak mi', 'xtiles 1', 'tors 19', 'iran foo', 'gencies 77'];
  const times = await byTurns({
    row: oneRow(line, books),
    first: () => page(),
    deep: () => page(middle),
    party: () => line.ask('GetPartyListForTransactions', { search: pick(words), side: 'customer', LEnd: 50 } as never),
  });
  line.end();
  const size = documents.toLocaleString('en-IN');
  return [
    {
      goal: 8,
      what: `List of 50 of ${size}: p95 ÷ p50 of one row`,
      value: at(times.first, 0.95) / median(times.row),
      accept: 2.5,
      stretch: 1.5,
    },
    { what: 'the same, p95 ÷ p95 of one row', value: at(times.first, 0.95) / at(times.row, 0.95) },
    {
      goal: 8,
      what: 'Page in the middle ÷ first page',
      value: median(times.deep) / median(times.first),
      accept: 1.3,
      stretch: 1.1,
    },
    { what: 'A page on the wire', value: Buffer.byteLength(first) / 1000, unit: ' kB' },
    {
      goal: 9,
      what: `Search by part of a name among ${books.parties.length.toLocaleString('en-IN')} parties ÷ one row`,
      value: median(times.party) / median(times.row),
      accept: 6,
      stretch: 3,
    },
  ];
}

/** Goal 19: one text over documents, parties and items; with a typing error, a part of a number, an amount. */
export async function measureSearch(server: Served, books: Books, records: number, documents: number): Promise<Row[]> {
  const line = await server.open(books);
  const find = (texts: readonly string[]) => () => line.ask('FindAnything', { search: pick(texts) });
  const times = await byTurns({
    row: oneRow(line, books),
    error: find([
      'bharta krishna',
      'ganehs vedman mills',
      'laksah traders',
      'deepka purraj',
      'kirna textlies',
      'omadve',
    ]),
    name: find(['bharat krishna', 'vedman mil', 'laksha tra', 'raj foods', 'hari', 'stores']),
    number: find(['12345', '7', '000412', '4 321']),
    amount: find(['590.00', '1,18,000', '₹590']),
    nothing: find(['zzyzx quux', 'qwertyuiop']),
  });
  line.end();
  const size = `${documents.toLocaleString('en-IN')} documents, ${records.toLocaleString('en-IN')} parties and items`;
  const ratio = (name: keyof typeof times) => median(times[name]) / median(times.row);
  return [
    {
      goal: 19,
      what: 'Ctrl K: a name with a typing error ÷ one row',
      value: ratio('error'),
      accept: 10,
      stretch: 5,
      note: size,
    },
    { what: 'the same', value: median(times.error), unit: ' ms' },
    { what: 'the same, p95 ÷ p95 of one row', value: at(times.error, 0.95) / at(times.row, 0.95) },
    { goal: 19, what: 'Ctrl K: a name or a part of it ÷ one row', value: ratio('name'), accept: 10, stretch: 5 },
    { goal: 19, what: 'Ctrl K: a part of a number ÷ one row', value: ratio('number'), accept: 10, stretch: 5 },
    { goal: 19, what: 'Ctrl K: an amount ÷ one row', value: ratio('amount'), accept: 10, stretch: 5 },
    { goal: 19, what: 'Ctrl K: what nothing is called ÷ one row', value: ratio('nothing'), accept: 10, stretch: 5 },
  ];
}
