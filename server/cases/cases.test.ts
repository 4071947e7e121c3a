import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CaseFile, type CaseVoucher, documentsOfCase, type WorkedCase } from '../../domain/facts/cases.ts';
import { returnsOfCase } from '../../tools/testing/case-returns.ts';
import { caseBooks, type PostedStep, type PricedAnswer } from '../../tools/testing/cases.ts';
import { type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

const folder = new URL('../../domain/facts/cases/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as CaseFile);

let server: TestServer;
let periodic: Visitor;
/** The one case with perpetual books has an organisation of its own. */
let perpetual: Visitor;
beforeAll(async () => {
  server = await testServer({ stockAccounting: 'periodic' });
  periodic = await server.signIn('owner@sharma.demo');
  perpetual = await server.signIn('owner@nova.demo');
});
afterAll(() => server.stop());

const heads = ['taxable', 'cgst', 'sgst', 'igst', 'cess'] as const;
const plus = (...amounts: readonly string[]): string => {
  const sum = amounts.reduce((t, a) => t + BigInt(a.replace('.', '')), 0n);
  const text = String(sum < 0n ? -sum : sum).padStart(3, '0');
  return `${sum < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
};
const minus = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

/** Every figure that a case may state about its document, under the case's name of it. */
const stated = (priced: PricedAnswer['priced']): Readonly<Record<string, string>> => {
  return {
    ...Object.fromEntries(heads.map((head) => [head, priced[head]])),
    gross: plus(priced.total, minus(priced.roundOff), minus(priced.tcs)),
    round_off: priced.roundOff,
    total: priced.total,
    tcs: priced.tcs,
    tds: priced.tds,
    payable_to_supplier: priced.payable,
    receivable_from_buyer: priced.payable,
    sale_value: plus(...priced.lines.map((l) => l.value)),
  };
};
/** Totals of a case that belong to its payment, or to a threshold, not to the priced document. */
const elsewhere = ['fx_gain', 'fx_loss', 'bank_credit', 'tds_base'];

interface Leg {
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
}
const inOrder = (legs: readonly Leg[]): string[] => legs.map((l) => `${l.account} Dr ${l.debit} Cr ${l.credit}`).sort();
const wanted = (vouchers: readonly CaseVoucher[]): string[] =>
  inOrder(vouchers.flatMap((v) => v.lines.map((l) => ({ account: l.account, debit: l.dr, credit: l.cr }))));
const posted = ({ view }: PostedStep): string[] =>
  inOrder(view.entries.map((e) => ({ account: e.code, debit: e.debit, credit: e.credit })));

async function walk(file: CaseFile, world: WorkedCase) {
  const owner = world.valuation ? perpetual : periodic;
  const books = await caseBooks(server, owner, file, world);
  const steps: PostedStep[] = [];
  for (const step of world.steps) steps.push(await books.post(step));
  const of = (key: string) => (steps.find((s) => s.step.key === key) as PostedStep).view;
  /** What a document has left to settle after all that followed it. */
  const open = async (key: string) =>
    ((await owner.ask('GetTransactionDetailForInvoice', { TransactionId: of(key).id })) as { open: string | null })
      .open;
  return { owner, books, steps, of, open };
}
type Walked = Awaited<ReturnType<typeof walk>>;

type Texts = Readonly<Record<string, string>>;
/** What some cases state beside lines, totals, vouchers and returns. */
const more: Readonly<
  Record<string, (walked: Walked, expected: Readonly<Record<string, Texts>>) => Promise<void> | void>
> = {
  '11-import-goods-boe': ({ of }, { boe }) =>
    expect(of('entry').priced?.total).toBe(boe?.payable_to_customs ?? 'missing'),
  '16-tds-on-advance-contractor': async ({ of, open }, { bill, tds }) => {
    expect(of('bill').priced).toMatchObject({ taxable: bill?.taxable, cgst: bill?.cgst, tds: tds?.on_bill_balance });
    expect([await open('bill'), await open('advance')]).toEqual([bill?.balance_payable, '0.00']);
  },
  '20-gst-tds-s51-receipt': async ({ open }) => expect(await open('invoice')).toBe('0.00'),
  '21-advance-service-and-adjustment': async ({ of, open }, { invoice }) => {
    expect(of('invoice').priced).toMatchObject({
      taxable: invoice?.taxable,
      cgst: invoice?.cgst,
      total: invoice?.total,
    });
    expect([await open('invoice'), await open('advance')]).toEqual([invoice?.balance_due, '0.00']);
  },
  '23-composition-bill-of-supply': ({ of }, expected) => {
    const { priced } = of('bill');
    expect(priced).toMatchObject({ total: expected.bill_total, cgst: '0.00', sgst: '0.00', igst: '0.00' });
  },
  '24-doc-discount-apportioned': ({ of }, expected) =>
    expect(of('document').priced?.discount).toBe(expected.document_discount),
  '27-fifo-vs-average-cogs': async ({ owner, books }, { fifo }) => {
    const filters = { asOf: '2026-11-08', location: books.location };
    const { rows } = (await owner.ask('RunReport', { report: 'stockOnHand', filters })) as { rows: Texts[] };
    expect(rows).toMatchObject([{ quantity: fifo?.closing_qty, value: fifo?.closing_value }]);
  },
};

test('all thirty cases are here', () => {
  expect(files).toHaveLength(30);
});

describe.each(files.map((file) => [file.id, file] as const))('%s over the calls', (id, file) => {
  const world = documentsOfCase[id]?.(file);
  if (!world) throw new Error(`no documents for ${id}`);
  let walked: Walked;
  beforeAll(async () => {
    walked = await walk(file, world);
  });

  test('posts the vouchers of the case, to the paisa', () => {
    expect(walked.steps.flatMap(({ step }) => step.vouchers).sort()).toEqual(file.expected.entries.map((_, i) => i));
    for (const done of walked.steps) {
      if (done.step.vouchers.length === 0) continue;
      expect(posted(done)).toEqual(wanted(done.step.vouchers.map((i) => file.expected.entries[i] as CaseVoucher)));
    }
  });

  if (world.steps.some((s) => s.figures))
    test('has the figures of the case before posting and after', () => {
      const { calculated, view } = walked.steps.find((s) => s.step.figures) as PostedStep;
      expect(calculated?.problems).toEqual([]);
      const { priced } = calculated as PricedAnswer;
      expect(priced.supply).toBe(file.expected.supply);
      expect(view.priced?.supply).toBe(file.expected.supply);
      const lines = (file.expected.lines ?? []).map((line) => heads.map((head) => line[head]));
      expect(priced.lines.map((line) => heads.map((head) => line[head]))).toEqual(lines);
      expect(view.lines.map((line) => heads.map((head) => line[head]))).toEqual(lines);
      const totals = Object.fromEntries(
        Object.entries(file.expected.totals ?? {}).filter(([key]) => !elsewhere.includes(key)),
      );
      expect(Object.keys(totals).length).toBeGreaterThanOrEqual(8);
      expect(stated(priced)).toMatchObject(totals);
      expect(stated({ ...(view.priced ?? priced), lines: priced.lines })).toMatchObject(totals);
    });

  const { pos } = file.input;
  if (pos !== undefined && world.steps.some((s) => s.figures))
    test('keeps the place of supply of the case', async () => {
      const { id: document } = walked.steps.find((s) => s.step.figures) as PostedStep;
      const { rows } = await server.database.owner.query('select place_of_supply from documents where id = $1', [
        document,
      ]);
      expect(rows).toEqual([{ place_of_supply: pos }]);
    });

  const after = more[id];
  if (after)
    test('and what else the case says', () =>
      after(walked, file.expected as unknown as Readonly<Record<string, Texts>>));

  const returned = returnsOfCase[id] ?? [];
  test.each(returned.map((r) => [r.table, r] as const))(
    'is in table %s of GSTR-1',
    async (table, { period, file: wantedFile }) => {
      const filters = { registration: walked.books.registration, period };
      const { rows } = (await walked.owner.ask('RunReport', { report: 'gstr1', filters })) as {
        rows: { name: string; count: number }[];
      };
      expect(rows.find((r) => r.name.startsWith(`${table} `))?.count).toBe(1);
      const made = (await walked.owner.ask('ExportReport', { report: 'gstr1', filters, format: 'json' })) as {
        content: string;
      };
      expect(JSON.parse(Buffer.from(made.content, 'base64').toString())).toMatchObject(wantedFile);
    },
  );
});

test('every case that names a table of GSTR-1 is looked up there', () => {
  const naming = files.filter((file) => file.expected.gstr1 !== undefined).map((file) => file.id);
  expect(Object.keys(returnsOfCase)).toEqual(naming);
});

test('the books of all cases hold every invariant', async () => {
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
});
