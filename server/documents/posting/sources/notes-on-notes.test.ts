import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millionths } from '../../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import { correctedBy, isNote, kindNames, kindOf, raisesPrice } from '../../../../domain/document/kinds/index.ts';
import { manyBooks, receive, superuserOf, type TestBooks, TODAY, testBooks } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { documentHandlers } from '../../index.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true });
  await receive(b, b.items[0], 1000, 60, '2026-04-01');
});
afterAll(() => all.close());

const sides = {
  sale: { invoice: 'saleInvoice', back: 'saleReturn', cut: 'saleCreditNote', raise: 'saleDebitNote' },
  purchase: {
    invoice: 'purchaseBill',
    back: 'purchaseReturn',
    cut: 'purchaseCreditNote',
    raise: 'purchaseDebitNote',
  },
} as const;
type Side = keyof typeof sides;
let papers = 0;
const made = (
  side: Side,
  kind: string,
  quantity: number,
  rate: number | undefined,
  source?: Id,
): Promise<{ id: Id }> => {
  const draft: Partial<Draft> = {
    party: side === 'sale' ? b.customer : b.supplier,
    ...(side === 'purchase' && { reference: `NN-${++papers}` }),
    ...(side === 'purchase' && kind !== 'purchaseReturn' && { referenceDate: TODAY }),
    ...(source && { against: source, reason: '03' }),
    lines: [
      {
        ...{ item: b.items[0] ?? '', quantity: millionths(quantity * 1_000_000) },
        ...(rate !== undefined && { rate: millionths(rate * 10_000) }),
        ...(source && { source: { document: source, line: 1 } }),
      },
    ],
  };
  return b.post(b.draft(kind, draft));
};
/** Value and tax of a document, in paise. */
const amounts = async (id: Id): Promise<readonly number[]> => {
  const { rows } = await db.owner.query(
    'select taxable::int, cgst::int, sgst::int, igst::int from document_lines where document = $1',
    [id],
  );
  return Object.values(rows[0]);
};
const conversion = (from: Id, kind: string) => documentHandlers(b.poster).GetConversion({ from, kind }, b.context());

describe.each(['sale', 'purchase'] as const)('a note about a %s debit note', (side) => {
  const { invoice, back, cut, raise } = sides[side];
  test('takes back what that has added, per line and head of tax, and no more', async () => {
    const { id } = await made(side, invoice, 10, 5000_00);
    const debit = await made(side, raise, 7, 50_00, id);
    const { draft } = await conversion(debit.id, cut);
    expect(draft).toMatchObject({ against: debit.id, lines: [{ quantity: '7', rate: '50.00' }] });
    await expect(made(side, cut, 7, 60_00, debit.id)).rejects.toThrow();
    await made(side, cut, 7, 20_00, debit.id);
    await expect(made(side, cut, 7, 40_00, debit.id)).rejects.toThrow();
    await made(side, cut, 7, 30_00, debit.id);
    await expect(conversion(debit.id, cut)).rejects.toMatchObject({ code: 'nothingLeft' });
    // what was taken back by itself is not taken back again with the goods
    expect(await amounts((await made(side, back, 10, undefined, id)).id)).toEqual([50_000_00, 4_500_00, 4_500_00, 0]);
  });

  test('takes nothing of a price rise that went back with the goods', async () => {
    const { id } = await made(side, invoice, 1, 1000_00);
    const debit = await made(side, raise, 1, 50_00, id);
    const goods = await made(side, back, 1, undefined, id);
    expect(await amounts(goods.id)).toEqual([1050_00, 94_50, 94_50, 0]);
    await expect(made(side, cut, 1, 50_00, debit.id)).rejects.toThrow();
    await expect(b.cancel(debit.id)).rejects.toMatchObject({
      ...{ code: 'notCancellable' },
      message: expect.stringMatching(
        /: the amount that it added was given back with (Sale|Purchase) return .*: cancel that first$/,
      ),
    });
    await b.cancel(goods.id);
    await b.cancel(debit.id);
  });

  test('goods come back at their price net of cuts and rises', async () => {
    const { id } = await made(side, invoice, 10, 5000_00);
    await made(side, back, 3, undefined, id);
    await made(side, cut, 7, 100_00, id);
    await made(side, raise, 7, 50_00, id);
    const rest = await made(side, back, 7, undefined, id);
    expect(await amounts(rest.id)).toEqual([34_650_00, 3_118_50, 3_118_50, 0]);
  });

  test('a debit note about what took back claims again what that took, per head of tax, and no more', async () => {
    const { id } = await made(side, invoice, 10, 5000_00);
    const credit = await made(side, cut, 7, 50_00, id);
    const { draft } = await conversion(credit.id, raise);
    expect(draft).toMatchObject({ against: credit.id, lines: [{ quantity: '7', rate: '50.00' }] });
    await expect(made(side, raise, 7, 50_01, credit.id)).rejects.toMatchObject({ code: 'sourceExceeded' });
    const first = await made(side, raise, 7, 20_00, credit.id);
    await expect(made(side, raise, 7, 30_01, credit.id)).rejects.toMatchObject({ code: 'sourceExceeded' });
    // what was taken back of the claim can be claimed again, and then stays taken back
    const less = await made(side, cut, 7, 20_00, first.id);
    await made(side, raise, 7, 50_00, credit.id);
    await expect(conversion(credit.id, raise)).rejects.toMatchObject({ code: 'nothingLeft' });
    await expect(b.cancel(less.id)).rejects.toMatchObject({
      ...{ code: 'notCancellable' },
      message: expect.stringMatching(/: the credit that it reversed was claimed again by (Sale|Purchase) debit note /),
    });

    const goods = await made(side, back, 1, undefined, id);
    await expect(made(side, raise, 1, 5000_01, goods.id)).rejects.toMatchObject({ code: 'sourceExceeded' });
    const again = await made(side, raise, 1, 5000_00, goods.id);
    expect(await amounts(again.id)).toEqual(await amounts(goods.id));
    // of the supply itself a price may rise as it will
    await made(side, raise, 1, 9000_00, id);
  });

  test('law: when all goods are back nothing stays claimed, and never more goes back than was supplied', async () => {
    const step = fc.record({
      what: fc.constantFrom('back', 'cut', 'raise', 'cutRise', 'raiseCut', 'cancel'),
      part: fc.integer({ min: 1, max: 99 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 101, max: 99_999 }),
        fc.array(step, { minLength: 1, maxLength: 7 }),
        async (quantity, price, steps) => {
          const { id } = await made(side, invoice, quantity, price);
          const whole = await amounts(id);
          const live: { readonly id: Id; readonly sign: number; readonly raises?: boolean; readonly about?: Id }[] = [];
          let kept = quantity;
          const standing = async () => {
            const all = await Promise.all(
              live.map(async ({ id: one, sign }) => (await amounts(one)).map((n) => n * sign)),
            );
            return whole.map((n, at) => all.reduce((t, one) => t + (one[at] ?? 0), n));
          };
          for (const { what, part } of steps) {
            if (kept === 0) break;
            const [net = 0] = await standing();
            const small = Math.max(1, Math.floor((net * part) / 250));
            const rises = live.filter(({ raises }) => raises);
            const about = rises[part % Math.max(rises.length, 1)];
            const cuts = live.filter(({ sign, about: of }) => sign < 0 && of);
            const cutNote = cuts[part % Math.max(cuts.length, 1)];
            if (what === 'back') {
              const some = Math.max(1, Math.floor((kept * part) / 100));
              live.push({ id: (await made(side, back, some, undefined, id)).id, sign: -1 });
              kept -= some;
            } else if (what === 'cut' && net > 1)
              live.push({ id: (await made(side, cut, 1, small, id)).id, sign: -1, about: id });
            else if (what === 'raise')
              live.push({ id: (await made(side, raise, 1, small, id)).id, sign: 1, raises: true });
            else if (what === 'raiseCut' && cutNote) {
              // claims again no more than that took back
              const taken = await valueLeft(cutNote.id);
              const most = Math.max(1, Math.floor((taken * part) / 99));
              const asked = made(side, raise, 1, part % 7 === 0 ? taken + 1 : most, cutNote.id);
              if (taken === 0 || part % 7 === 0) await expect(asked).rejects.toMatchObject({ code: 'sourceExceeded' });
              else live.push({ id: (await asked).id, sign: 1, raises: true, about: cutNote.id });
            } else if (what === 'cutRise' && about) {
              const drafted = await conversion(about.id, cut).catch(() => undefined);
              if (drafted)
                live.push({
                  id: (await b.post(b.draft(cut, await ofWire(drafted.draft, side)))).id,
                  sign: -1,
                  about: about.id,
                });
            } else if (what === 'cancel' && live.length > 0) {
              const one = live[part % live.length];
              const gone =
                one &&
                (await b.cancel(one.id).then(
                  () => true,
                  () => false,
                ));
              if (gone && one) {
                live.splice(live.indexOf(one), 1);
                if (one.sign < 0 && !one.about) kept = await goodsKept(quantity, id);
              }
            }
            for (const amount of await standing()) expect(amount).toBeGreaterThanOrEqual(0);
          }
          if (kept > 0) live.push({ id: (await made(side, back, kept, undefined, id)).id, sign: -1 });
          expect(await standing()).toEqual([0, 0, 0, 0]);
        },
      ),
      { numRuns: Number(process.env['BAHI_RUNS'] ?? 25) },
    );
  }, 120_000);

  /** What a price cut took, less what living notes about it, and about those, have claimed again. */
  const valueLeft = async (id: Id): Promise<number> => {
    const { rows } = await db.owner.query(
      `select (l.value - coalesce((
           select sum(case when k.adds then u.value else -u.value end)
             from note_lines(l.organisation, l.document, l.line) n
             join note_kinds() k on k.kind = n.kind
             join document_lines u on u.organisation = l.organisation and u.document = n.document and u.line = n.line
         ), 0))::int as left
         from document_lines l where l.document = $1`,
      [id],
    );
    return rows[0].left;
  };
  const goodsKept = async (sold: number, id: Id): Promise<number> => {
    const { rows } = await db.owner.query(
      `select coalesce(sum(l.quantity), 0)::float8 / 1000000 as back
         from document_lines l
         join documents d on d.organisation = l.organisation and d.id = l.document
        where l.source_document = $1 and d.kind = $2
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`,
      [id, back],
    );
    return sold - rows[0].back;
  };
});

/** The draft of a conversion, as a program posts it. */
const ofWire = async (draft: Record<string, unknown>, side: Side): Promise<Partial<Draft>> => {
  const { against, lines } = draft as { against: Id; lines: readonly { quantity: string; rate: string }[] };
  const [line] = lines;
  return {
    ...{ party: side === 'sale' ? b.customer : b.supplier, against, reason: '03' },
    ...(side === 'purchase' && { reference: `NN-${++papers}`, referenceDate: TODAY }),
    lines: [
      {
        ...{ item: b.items[0] ?? '', source: { document: against, line: 1 } },
        quantity: millionths(Math.round(Number(line?.quantity) * 1_000_000)),
        rate: millionths(Math.round(Number(line?.rate) * 1_000_000)),
      },
    ],
  };
};

test('the database knows the kinds of notes', async () => {
  const { rows } = await db.owner.query('select kind, adds, goods from note_kinds() order by kind');
  expect(rows).toEqual(
    kindNames
      .filter((name) => isNote(kindOf(name)))
      .toSorted()
      .map((kind) => ({
        kind,
        adds: raisesPrice(kindOf(kind)),
        goods: kindOf(kind).source.givesPrice === true,
      })),
  );
});

test('what a refusal names instead of cancelling can be made from the document', () => {
  for (const name of kindNames)
    for (const isReturned of [true, false])
      for (const made of correctedBy(name, isReturned)) {
        const kind = kindOf(made);
        // a bill of a till and a supply back to another registration of ours are typed anew
        const isTyped = kind.life.till === true || made === name;
        expect([name, made, isTyped || (kind.source.kinds as readonly string[]).includes(name)]).toEqual([
          name,
          made,
          true,
        ]);
      }
});

test('the way out that a refusal names is drafted from each note that a filed return shows', async () => {
  const { id } = await made('sale', 'saleInvoice', 10, 100_00);
  for (const kind of ['saleReturn', 'saleCreditNote', 'saleDebitNote'] as const) {
    const note = await made('sale', kind, 1, kind === 'saleReturn' ? undefined : 10_00, id);
    for (const instead of correctedBy(kind, true)) {
      const { draft } = await conversion(note.id, instead);
      expect(draft).toMatchObject({ kind: instead, against: note.id, lines: [{ source: { document: note.id } }] });
    }
  }
});

test.each([
  ['sale', 'cut'],
  ['sale', 'raise'],
  ['purchase', 'cut'],
  ['purchase', 'raise'],
] as const)('a note that changes a price by zero is refused: %s %s', async (side, what) => {
  const { invoice, [what]: kind } = sides[side];
  const { id } = await made(side, invoice, 10, 100_00);
  await expect(made(side, kind, 1, 0, id)).rejects.toMatchObject({
    problems: [expect.objectContaining({ field: 'lines.rate', row: 0 })],
  });
  await made(side, kind, 1, 1, id);
});

test.each([
  ['sale', 'cut', '4190'],
  ['sale', 'back', '4180'],
  ['purchase', 'cut', '5140'],
  ['purchase', 'back', '5130'],
] as const)('what a debit note claims again of a %s %s goes back to ledger %s', async (side, what, code) => {
  const periodic = await all.more({ isAllowNegative: true, stockAccounting: 'periodic' });
  const before = b;
  b = periodic;
  try {
    const { invoice, raise } = sides[side];
    const { id } = await made(side, invoice, 10, 100_00);
    const note = await made(side, sides[side][what], 2, what === 'cut' ? 30_00 : undefined, id);
    const rate = what === 'cut' ? 30_00 : 100_00;
    const again = await made(side, raise, 2, rate, note.id);
    const moved = async (document: Id) =>
      (
        await db.owner.query(
          `
            select (e.debit - e.credit)::int as amount
            from entries e
            join ledgers l on l.organisation = e.organisation and l.id = e.ledger
            where e.document = $1 and l.code = $2
          `,
          [document, code],
        )
      ).rows.map(({ amount }) => amount);
    const sign = side === 'sale' ? 1 : -1;
    expect(await moved(note.id)).toEqual([sign * 2 * rate]);
    expect(await moved(again.id)).toEqual([-sign * 2 * rate]);
  } finally {
    b = before;
  }
});

test('whether a note was taken is asked once where a document is cancelled, however many documents there are', async () => {
  const superuser = await superuserOf(db);
  await superuser.client.query(
    `do $$ begin execute format('alter database %I set track_functions = ''all''', current_database()); end $$`,
  );
  await superuser.leave();
  // its connections are made after that
  const fresh = await testBooks(db, { isAllowNegative: true });
  const calls = async () => {
    const { rows } = await db.owner.query(
      `select calls::int from pg_stat_user_functions where funcname = 'note_taken'`,
    );
    return rows[0]?.calls ?? 0;
  };
  const sale = () =>
    fresh.post(
      fresh.draft('saleInvoice', {
        party: fresh.customer,
        lines: [{ item: fresh.items[0] ?? '', quantity: millionths(1_000_000), rate: millionths(1_000_000) }],
      }),
    );
  for (let made = 0; made < 30; made += 1) await sale();
  const { id } = await sale();
  const before = await calls();
  await fresh.cancel(id);
  // a connection reports what it has counted within a second of its next statement
  await expect
    .poll(
      async () => {
        await sale();
        return (await calls()) - before;
      },
      { timeout: 10_000, interval: 1100 },
    )
    .toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await sale();
  expect((await calls()) - before).toBeLessThan(6);
  await fresh.end();
}, 60_000);
