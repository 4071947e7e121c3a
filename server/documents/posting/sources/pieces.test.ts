import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { millionths, percentage } from '../../../../domain/base/decimal.ts';
import { paise } from '../../../../domain/base/money.ts';
import type { Draft, DraftLine, Id, SourceLeft } from '../../../../domain/document/document.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { amountsLeft, chargesOfGoods, type SourceLine } from '../../../../domain/document/sources.ts';
import { itemLine, manyBooks, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { sourcesFor } from './source-lines.ts';

// Returns, price cuts and their cancellations, in any order: each amount and head of tax of a line is taken back exactly once.
const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
/** Books that round totals to the rupee, and such that do not. */
let [rounding, plain]: TestBooks[] = [];
let abroad: Id;
beforeAll(async () => {
  db = await all.open();
  abroad = newId();
  rounding = await all.more({ isAllowNegative: true, autoRoundOffTotals: true });
  plain = await all.more({ isAllowNegative: true });
  for (const { organisation } of [rounding, plain])
    await db.owner.query(
      `insert into parties (organisation, id, code, name, side, category, state, country, currency, search)
       values ($1, $2, 'US', 'Hudson', 'both', 'overseas', '96', 'US', 'USD', 'hudson')`,
      [organisation, abroad],
    );
  b = plain;
});
afterAll(() => all.close());

const sides = {
  sale: {
    original: 'saleInvoice',
    back: 'saleReturn',
    cut: 'saleCreditNote',
    raise: 'saleDebitNote',
    party: () => b.customer,
  },
  export: {
    original: 'overseasSale',
    back: 'saleReturn',
    cut: 'saleCreditNote',
    raise: 'saleDebitNote',
    party: () => abroad,
  },
  purchase: {
    original: 'purchaseBill',
    back: 'purchaseReturn',
    cut: 'purchaseCreditNote',
    raise: 'purchaseDebitNote',
    party: () => b.supplier,
  },
} as const;
type Side = (typeof sides)[keyof typeof sides];

/** What nobody has taken back yet of each line of a document, as a posting reads it. */
const left = async ({ back }: Side, document: Id): Promise<readonly SourceLine[]> => {
  const { rows } = await db.owner.query('select source_lines($1, array[$2::uuid]) as sources', [
    b.organisation,
    document,
  ]);
  return [...sourcesFor(kindOf(back), { sources: rows[0].sources }).values()].sort((x, y) => x.line - y.line);
};
const amounts = (lines: readonly SourceLine[]): SourceLeft[] => lines.map((line) => line.left);
const nothing = amountsLeft(() => paise(0));
/** What a party owes, with all that was made of its documents. */
const owed = async (party: Id): Promise<number> => {
  const { rows } = await db.owner.query<{ owed: number }>(
    'select coalesce(sum(debit - credit), 0)::int as owed from entries where organisation = $1 and party = $2',
    [b.organisation, party],
  );
  return rows[0]?.owed ?? 0;
};

/** The balances of the ledgers of tax and of rounding. */
const standing = async (): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await db.owner.query<{ effect: string; net: number }>(
    `select m.effect, coalesce(sum(e.debit - e.credit), 0)::int as net
       from posting_map m
       left join entries e on e.organisation = m.organisation and e.ledger = m.ledger
      where m.organisation = $1 and m.effect ~ '^((output|input)(Cgst|Sgst|Igst|Cess)|roundOff|gstRefund|tcsPayable|tcsReceivable)$'
      group by m.effect`,
    [b.organisation],
  );
  return Object.fromEntries(rows.map(({ effect, net }) => [effect, net]));
};

const lineOf = fc.record({
  quantity: fc.integer({ min: 1, max: 6 }),
  paise: fc.integer({ min: 1001, max: 99_999 }),
  rate: fc.constantFrom<'5' | '18' | '28' | '40'>('5', '18', '28'),
  cess: fc.constantFrom('0', '0', '12', '3.5'),
  each: fc.constantFrom(0, 0, 37, 113),
  retail: fc.constantFrom(0, 0, 3),
  off: fc.option(
    fc.oneof(
      fc.integer({ min: 1, max: 60 }).map((n) => ({ percent: percentage(String(n)) })),
      fc.integer({ min: 1, max: 100 }).map((n) => ({ amount: paise(n) })),
    ),
    { nil: undefined },
  ),
});
const anySale = fc.record({
  side: fc.constantFrom('sale', 'purchase', 'export'),
  rounds: fc.boolean(),
  lines: fc.array(lineOf, { minLength: 1, maxLength: 3 }),
  inclusive: fc.boolean(),
  inside: fc.boolean(),
  collects: fc.boolean(),
  off: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  charge: fc.option(fc.integer({ min: 1, max: 999 }), { nil: undefined }),
  steps: fc.array(
    fc.record({
      what: fc.constantFrom('back', 'back', 'cut', 'cancel'),
      line: fc.nat(2),
      part: fc.integer({ min: 1, max: 99 }),
    }),
    { minLength: 1, maxLength: 7 },
  ),
});
/** Goods taxed on their retail price (rule 31D) are tobacco, from February 2026 on: no cess is levied then, and 28 % is gone. */
const isOnRetail = ({
  lines,
  inclusive,
}: {
  readonly lines: readonly { readonly retail: number }[];
  readonly inclusive: boolean;
}): boolean => !inclusive && lines.some(({ retail }) => retail > 0);
type Drawn = typeof anySale extends fc.Arbitrary<infer T> ? T : never;
/** No cess with goods that are taxed on their retail price. */
const asLevied = (sale: Drawn): Drawn =>
  isOnRetail(sale)
    ? {
        ...sale,
        lines: sale.lines.map(
          (line) => ({ ...line, cess: '0', each: 0, rate: line.retail > 0 ? '40' : '18' }) as const,
        ),
      }
    : sale;
const saleOf = anySale.map(asLevied);

/** Two price cuts of goods taxed on their retail price: each took the whole tax, for the retail price does not change. */
const cutsOnRetailPrice: Drawn = {
  ...{
    side: 'sale',
    rounds: false,
    inclusive: false,
    inside: false,
    off: undefined,
    charge: undefined,
    collects: false,
  },
  lines: [{ quantity: 1, paise: 1001, rate: '40', cess: '0', each: 0, retail: 3, off: undefined }],
  steps: [
    { what: 'cut', line: 0, part: 1 },
    { what: 'cut', line: 0, part: 1 },
  ],
};

/** A day on which compensation cess was levied on everything that bears it. */
const CESS_DAY = '2025-08-10';
const RETAIL_DAY = '2026-03-10';

/** Posts a document of random lines of items of its own. */
const begin = async ({
  side,
  lines,
  inclusive,
  inside,
  collects,
  off,
  charge,
}: Drawn): Promise<{ readonly id: Id; readonly items: readonly Id[] }> => {
  const { original, party } = sides[side];
  const items = lines.map(() => newId());
  for (const [at, { cess, each, retail, rate, paise: price }] of lines.entries())
    await db.owner.query(
      `
        insert into items (
          organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, cess_rate,
          cess_per_unit, retail_price, search
        )
        values ($1, $2, $3, 'Goods', false, true, $8, 'NOS', 'taxable', $4, $5, $6, $7, 'goods')
      `,
      [
        b.organisation,
        items[at],
        items[at]?.slice(-10),
        percentage(rate),
        percentage(cess),
        each,
        retail === 0 || inclusive ? null : retail * price,
        retail === 0 || inclusive ? '84713010' : '24022090',
      ],
    );
  const sold = isOnRetail({ lines, inclusive }) ? RETAIL_DAY : CESS_DAY;
  const drafted: DraftLine[] = lines.map(({ quantity, paise: price, off: less }, at) => ({
    item: items[at] ?? '',
    quantity: millionths(quantity * 1_000_000),
    rate: millionths(price * 10_000),
    ...(less && { discount: less }),
  }));
  const posted = await b.post(
    b.draft(original, {
      ...{ party: party(), date: sold, lines: drafted, ...(side === 'export' && { withPayment: true }) },
      ...(side === 'export'
        ? { currency: 'USD', exchangeRate: millionths(84_370_000) }
        : {
            taxInclusive: inclusive,
            placeOfSupply: inside || side === 'purchase' ? '29' : '33',
            accepted: [{ warning: 'placeOfSupplyChosen', reason: 'Delivered there' }],
          }),
      ...(side === 'purchase' && { reference: newId().slice(-12), referenceDate: sold }),
      ...(collects && side !== 'export' && { tcsSection: '206C(1) scrap' }),
      ...(off !== undefined && { discount: { percent: percentage(String(off)) } }),
      ...(charge !== undefined && { charges: [{ name: 'Freight', amount: paise(charge), apportion: 'value' }] }),
    }),
  );
  return { id: posted.id, items };
};

test('a return of all goods gives back the tax that was collected with them', async () => {
  b = plain ?? b;
  for (const side of [sides.sale, sides.purchase]) {
    const party = side.party();
    const [before, stood] = [await owed(party), await standing()];
    const bill = await b.post(
      b.draft(side.original, {
        ...{ party, tcsSection: '206C(1) scrap', reference: newId().slice(-12), referenceDate: TODAY },
        lines: [itemLine(b.items[0], 10, 1000)],
      }),
    );
    expect(bill.total).toBe(1_203_600);
    const back = (quantity: number) =>
      b.post(
        b.draft(side.back, {
          ...{ party, against: bill.id, reason: 'Damaged', reference: newId().slice(-12) },
          lines: [
            {
              ...{ item: b.items[0] ?? '', quantity: millionths(quantity * 1_000_000) },
              source: { document: bill.id, line: 1 },
            },
          ],
        }),
      );
    expect((await back(3)).total).toBe(361_080);
    const last = await back(7);
    expect(last.total).toBe(842_520);
    expect(await owed(party)).toBe(before);
    expect(await standing()).toEqual(stood);
    await b.cancel(last.id);
    expect((await back(7)).total).toBe(842_520);
    expect(await owed(party)).toBe(before);
  }
});

test('after the last piece nothing is left of any amount, and a cancelled piece opens what it took', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(saleOf, async (sale) => {
      b = (sale.rounds ? rounding : plain) ?? b;
      const side = sides[sale.side];
      const party = side.party();
      const before = await owed(party);
      const stood = await standing();
      const { id, items } = await begin(sale);
      const whole = amounts(await left(side, id));
      const head: Partial<Draft> = {
        ...{ party, against: id, reason: 'Damaged' },
        ...(sale.side === 'export' && { currency: 'USD', exchangeRate: millionths(0) }),
      };
      const made = (kind: string, at: number, more: DraftLine): Promise<Id> =>
        b
          .post(
            b.draft(kind, {
              ...head,
              ...(kind.startsWith('purchase') && { reference: newId().slice(-12) }),
              ...(kind === 'purchaseCreditNote' && { referenceDate: TODAY }),
              lines: [{ item: items[at] ?? '', source: { document: id, line: at + 1 }, ...more }],
            }),
            { inTransaction: b.context().inTransaction },
          )
          .then((posted) => posted.id);
      const live: { readonly id: Id; readonly at: number; readonly returns: boolean }[] = [];
      const back = async (at: number, quantity: number) => {
        live.push({ id: await made(side.back, at, { quantity: millionths(quantity) }), at, returns: true });
        taken += 1;
      };
      for (const { what, line, part } of sale.steps) {
        const at = line % items.length;
        const now = (await left(side, id))[at];
        if (!now) continue;
        if (what === 'back' && now.leftQuantity > 0)
          await back(at, Math.max(1, Math.round((now.leftQuantity / 1_000_000) * (part / 100))) * 1_000_000);
        // a price cut of goods that the buyer still has
        if (what === 'cut' && now.leftQuantity > 0) {
          const cut = Math.floor((now.left.foreign * part) / 100);
          if (cut > 0)
            live.push({
              id: await made(side.cut, at, { quantity: millionths(1_000_000), rate: millionths(cut * 10_000) }),
              ...{ at, returns: false },
            });
        }
        if (what === 'cancel' && live.length > 0) {
          const [piece] = live.splice(part % live.length, 1);
          if (piece) await b.cancel(piece.id);
        }
      }
      const rest = async () => {
        // a price cut that is cancelled when all goods are back opens its amount again, and no goods to take it back with
        for (const [at, { leftQuantity, left: open }] of (await left(side, id)).entries()) {
          const isOpen = leftQuantity === 0 && Object.values(open).some((amount) => amount !== 0);
          for (const piece of isOpen ? live.filter((each) => each.at === at && each.returns) : []) {
            live.splice(live.indexOf(piece), 1);
            await b.cancel(piece.id);
          }
        }
        for (const [at, { leftQuantity }] of (await left(side, id)).entries())
          if (leftQuantity > 0) await back(at, leftQuantity);
      };
      await rest();
      expect(amounts(await left(side, id))).toEqual(whole.map(() => nothing));
      expect(await owed(party)).toBe(before);
      expect(await standing()).toEqual(stood);
      const last = live.at(-1);
      if (last) {
        const opened = await db.owner.query(
          `
            select line, source_line, taxable::int, value::int, cgst::int, sgst::int, igst::int, cess::int
            from document_lines
            where document = $1
          `,
          [last.id],
        );
        await b.cancel(last.id);
        const again = (await left(side, id)).flatMap(({ line, left: { foreign: _, ...amounts } }) =>
          opened.rows.some((row) => row.source_line === line) ? [amounts] : [],
        );
        expect(again).toEqual(opened.rows.map(({ line: _, source_line: _s, ...amounts }) => amounts));
        await rest();
        expect(amounts(await left(side, id))).toEqual(whole.map(() => nothing));
        expect(await owed(party)).toBe(before);
      }
    }),
    { numRuns: Number(process.env['BAHI_RUNS'] ?? 25), examples: [[cutsOnRetailPrice]] },
  );
  expect(taken).toBeGreaterThan(20);
}, 120_000);

const anyKept = fc.record({
  sale: anySale.map((sale) =>
    asLevied({ ...sale, rounds: false, inclusive: false, collects: false, charge: sale.charge ?? 777 }),
  ),
  pieces: fc.array(
    fc.record({
      line: fc.nat(2),
      part: fc.integer({ min: 1, max: 100 }),
      keeps: fc.boolean(),
      cancels: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  keepsRest: fc.boolean(),
});

test('goods go back with their share of the freight or without it: pieces and what was kept add up to the whole', async () => {
  b = plain ?? b;
  let keeping = 0;
  await fc.assert(
    fc.asyncProperty(anyKept, async ({ sale, pieces, keepsRest }) => {
      const side = sides[sale.side];
      const party = side.party();
      const before = await owed(party);
      const { id, items } = await begin(sale);
      const back = async (at: number, quantity: number, keeps: boolean): Promise<Id> => {
        const { charges } = (await left(side, id))[at] ?? {};
        if (keeps && charges) keeping += 1;
        const posted = await b.post(
          b.draft(side.back, {
            ...{ party, against: id, reason: 'Damaged', ...(keeps && charges && { keepsCharges: true }) },
            ...(sale.side === 'export' && { currency: 'USD', exchangeRate: millionths(0) }),
            ...(sale.side === 'purchase' && { reference: newId().slice(-12) }),
            lines: [
              {
                item: items[at] ?? '',
                quantity: millionths(quantity),
                source: { document: id, line: at + 1 },
              },
            ],
          }),
        );
        return posted.id;
      };
      for (const { line, part, keeps, cancels } of pieces) {
        const at = line % items.length;
        const { leftQuantity = 0 } = (await left(side, id))[at] ?? {};
        const quantity = Math.max(1, Math.round((leftQuantity / 1_000_000) * (part / 100))) * 1_000_000;
        if (leftQuantity < quantity) continue;
        const piece = await back(at, quantity, keeps);
        if (cancels) await b.cancel(piece);
      }
      for (const [at, { leftQuantity }] of (await left(side, id)).entries())
        if (leftQuantity > 0) await back(at, leftQuantity, keepsRest);
      const kept = (await left(side, id)).map(({ charges }) =>
        charges ? chargesOfGoods(charges, charges.kept) : nothing,
      );
      expect(amounts(await left(side, id))).toEqual(kept);
      const paid = kept.reduce((all, { value, cgst, sgst, igst, cess }) => all + value + cgst + sgst + igst + cess, 0);
      if (sale.side !== 'export') expect((await owed(party)) - before).toBe(sale.side === 'sale' ? paid : 0 - paid);
    }),
    { numRuns: Number(process.env['BAHI_RUNS'] ?? 10) },
  );
  expect(keeping).toBeGreaterThan(4);
}, 120_000);

test('ten pieces go back without the freight that was paid for them, and what is left of it can be given back by a note', async () => {
  b = plain ?? b;
  const freight = { charges: [{ name: 'Freight', amount: paise(10_000), apportion: 'value' as const }] };
  const sold = await b.post(
    b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 10, 100)], ...freight }),
  );
  expect(sold.total).toBe(129_800);
  const back = (quantity: number, more: Partial<Draft> = {}) =>
    b.post(
      b.draft('saleReturn', {
        ...{ party: b.customer, against: sold.id, reason: 'Sales return', ...more },
        lines: [{ item: b.items[0] ?? '', quantity: millionths(quantity * 1_000_000) }],
      }),
    );
  expect((await back(4, { keepsCharges: true })).total).toBe(47_200);
  // with the freight it is the share of these goods, whatever was kept of others
  expect((await back(3)).total).toBe(38_940);
  expect((await back(3, { keepsCharges: true })).total).toBe(35_400);
  const note = b.draft('saleCreditNote', {
    ...{ party: b.customer, against: sold.id, reason: 'Post sale discount' },
    lines: [{ ...itemLine(b.items[0], 1, 70), source: { document: sold.id, line: 1 } }],
  });
  expect((await b.post(note)).total).toBe(8260);
});

test('charges that were not spread over the goods cannot be kept', async () => {
  b = plain ?? b;
  const sold = await b.post(b.draft('saleInvoice', { party: b.customer, lines: [itemLine(b.items[0], 10, 100)] }));
  const back = b.draft('saleReturn', {
    ...{ party: b.customer, against: sold.id, reason: 'Sales return', keepsCharges: true },
    lines: [{ item: b.items[0] ?? '', quantity: millionths(1_000_000) }],
  });
  await expect(b.post(back)).rejects.toMatchObject({ problems: [{ field: 'keepsCharges' }] });
  // a paisa of freight is on one line alone: the other has none to keep
  const two = await b.post(
    b.draft('saleInvoice', {
      ...{ party: b.customer, lines: [itemLine(b.items[0], 10, 100), itemLine(b.items[1], 1, 100)] },
      charges: [{ name: 'Freight', amount: paise(1), apportion: 'value' }],
    }),
  );
  const ofLine = (line: number) =>
    b.draft('saleReturn', {
      ...{ party: b.customer, against: two.id, reason: 'Sales return', keepsCharges: true },
      lines: [{ item: b.items[line - 1] ?? '', quantity: millionths(1_000_000), source: { document: two.id, line } }],
    });
  await expect(b.post(ofLine(2))).rejects.toMatchObject({ problems: [{ field: 'keepsCharges' }] });
  expect((await b.post(ofLine(1))).total).toBe(11_800);
});
