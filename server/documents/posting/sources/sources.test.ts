import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draftBody } from '../../../../contract/documents.ts';
import { millionths, money, ONE, percentage } from '../../../../domain/base/decimal.ts';
import type { Draft, DraftLine, Id } from '../../../../domain/document/document.ts';
import { kindCalled } from '../../../../domain/document/kinds/index.ts';
import { itemLine, manyBooks, receive, sell, type TestBooks, TODAY } from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { newId } from '../../../kit/ids.ts';
import { convert } from '../../drafts/convert.ts';
import { documentHandlers } from '../../index.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
/** Another customer, in another state, and another supplier. */
const [stranger, mill] = [newId(), newId()];
/** A second GSTIN with a place of its own. */
const [pune, puneStore] = [newId(), newId()];
let foreignPlace: Id;
let sale: Id;
let bill: Id;
beforeAll(async () => {
  db = await all.open();
  b = await all.more({});
  foreignPlace = (await all.more({})).location;
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, gstin, pan, state, search)
     values ($1, $2, 'C2', 'Stranger', 'customer', 'registered', '27AAACA1111A1Z9', 'AAACA1111A', '27', 'stranger'),
            ($1, $3, 'S2', 'Other mill', 'supplier', 'registered', '29AAACM3333A1Z1', 'AAACM3333A', '29', 'other mill')`,
    [b.organisation, stranger, mill],
  );
  await db.owner.query(
    `insert into registrations (organisation, id, gstin, legal_name, state, kind)
     select organisation, $2, '27AAGCS4821F1ZF', legal_name, '27', kind from registrations where organisation = $1`,
    [b.organisation, pune],
  );
  await db.owner.query(
    `insert into locations (organisation, id, code, name, registration, is_tax, is_physical) values ($1, $2, 'P', 'Pune', $3, true, true)`,
    [b.organisation, puneStore, pune],
  );
  await db.owner.query(
    `
      insert into number_series (
        organisation, id, kind, name, registration, location, prefix, suffix, padding, start, reset
      )
      select organisation, gen_random_uuid(), kind, name, $2, null, prefix, suffix, padding, start, reset
      from number_series
      where organisation = $1 and registration = $3
    `,
    [b.organisation, pune, b.registration],
  );
  for (const item of b.items.slice(0, 4)) await receive(b, item, 100, 60, '2026-04-01');
  sale = (await sell(b, b.items[0], 2, '2026-11-10')).id;
  bill = (await receive(b, b.items[0], 10, 60, '2026-11-10')).id;
});
afterAll(() => all.close());

const problemsOf = async (draft: Draft, context = {}): Promise<string[]> => {
  try {
    await b.post(draft, context);
  } catch (error) {
    const { problems, code } = error as { problems?: { field: string }[]; code?: string };
    if (problems) return problems.map(({ field }) => field);
    return [code ?? String(error)];
  }
  return [];
};
const from = (document: Id) => [
  { ...itemLine(b.items[0], 1, document === bill ? 60 : 100), source: { document, line: 1 } },
];
const back = (kind: string, more: Partial<Draft> = {}): Draft => {
  const theirs = kind.startsWith('purchase');
  const document = theirs ? bill : sale;
  const own = theirs
    ? {
        ...{ party: b.supplier, reference: `${kind} 1` },
        ...(kindCalled(kind)?.fields.includes('referenceDate') && { referenceDate: TODAY }),
      }
    : { party: b.customer, reason: 'Damaged' };
  return b.draft(kind, { ...own, against: document, lines: from(document), ...more });
};
const corrections = [
  'saleReturn',
  'saleCreditNote',
  'saleDebitNote',
  'purchaseReturn',
  'purchaseCreditNote',
  'purchaseDebitNote',
];

describe('a return or note agrees with its source', () => {
  test.each(corrections)('%s: of another party is refused at the party', async (kind) => {
    expect(await problemsOf(back(kind, { party: kind.startsWith('purchase') ? mill : stranger }))).toContain('party');
  });
  test.each(corrections)('%s: of another item is refused at the line', async (kind) => {
    const lines = from(kind.startsWith('purchase') ? bill : sale).map((line) => ({ ...line, item: b.items[9] ?? '' }));
    expect(await problemsOf(back(kind, { lines }))).toContain('lines.item');
  });
  test.each(corrections)('%s: in another place of supply is refused there', async (kind) => {
    expect(await problemsOf(back(kind, { placeOfSupply: '33' }))).toContain('placeOfSupply');
  });
  test.each(corrections)('%s: by another registration is refused at the registration', async (kind) => {
    expect(await problemsOf(back(kind, { registration: pune, location: puneStore }))).toContain('registration');
  });
  test.each(corrections)('%s: dated before its source is refused at the date', async (kind) => {
    expect(await problemsOf(back(kind, { date: '2026-11-09', referenceDate: '2026-11-09' }))).toContain('date');
  });
  test.each(corrections)('%s: of a source of another kind is refused', async (kind) => {
    const other = kind.startsWith('purchase') ? sale : bill;
    expect(await problemsOf(back(kind, { against: other, lines: from(other) }))).toContain('against');
    const { against: _, ...bare } = back(kind, { lines: from(other) });
    expect(await problemsOf(bare)).toContain('lines.source');
  });
  test.each(corrections)('%s: of a line that the source does not have is refused at the line', async (kind) => {
    const document = kind.startsWith('purchase') ? bill : sale;
    const lines = [{ ...itemLine(b.items[0], 1, 100), source: { document, line: 9 } }];
    expect(await problemsOf(back(kind, { lines }))).toContain('lines.source');
  });
  test.each(corrections)('%s: in another unit than its source is refused at the unit', async (kind) => {
    const lines = from(kind.startsWith('purchase') ? bill : sale).map((line) => ({ ...line, unit: 'BOX' }));
    expect(await problemsOf(back(kind, { lines }))).toContain('lines.unit');
  });
  test.each(corrections)('%s: against a document that none of its lines comes from is refused', async (kind) => {
    const another = kind.startsWith('purchase')
      ? (await receive(b, b.items[0], 1, 60, '2026-11-10')).id
      : (await sell(b, b.items[0], 1, '2026-11-10')).id;
    expect(await problemsOf(back(kind, { against: another }))).toContain('against');
  });
  test.each(corrections)(
    '%s: of a document that its user may not see is as unknown as one that never was',
    async (kind) => {
      const draft = back(kind, { location: b.other });
      const hidden = await problemsOf(draft, { locations: [b.other] });
      const nothing = newId();
      const unknown = await problemsOf({ ...draft, against: nothing, lines: from(nothing) }, { locations: [b.other] });
      expect(hidden).toContain('against');
      expect(hidden).toEqual(unknown);
    },
  );
  /** What a line may say otherwise than its source. */
  const tax: Readonly<Partial<DraftLine>> = {
    ...{ gstRate: percentage('5'), treatment: 'exempt', hsn: '84713099' },
    ...{ cessRate: percentage('1'), cessPerUnit: money('1') },
  };
  const priced: Readonly<Partial<DraftLine>> = { rate: millionths(95 * ONE), discount: { percent: percentage('10') } };
  test.each(corrections)(
    '%s: a line that bears another tax or price than its source is refused there',
    async (kind) => {
      const [line] = from(kind.startsWith('purchase') ? bill : sale);
      const wrong = { ...tax, ...(kind.endsWith('Return') && priced) };
      const before = await count();
      for (const [field, value] of Object.entries(wrong))
        expect([field, await problemsOf(back(kind, { lines: [{ ...line, [field]: value } as DraftLine] }))]).toEqual([
          field,
          [`lines.${field}`],
        ]);
      expect(await count()).toBe(before);
    },
  );
  test.each(corrections)('%s: what agrees with its source, or is left out, is taken over', async (kind) => {
    const document = kind.startsWith('purchase') ? bill : sale;
    const [line] = from(document);
    const { rate: _, ...bare } = line ?? {};
    const isBack = kind.endsWith('Return');
    const agreeing: Partial<DraftLine> = { gstRate: percentage('18'), treatment: 'taxable', hsn: '84713010' };
    const bears: unknown[] = [];
    for (const [n, made] of [{ ...line, ...agreeing }, isBack ? bare : line].entries()) {
      const reference = `${kind} ${n}`;
      const { id } = await b.post(back(kind, { lines: [made as DraftLine], ...(document === bill && { reference }) }));
      const { rows } = await db.owner.query(
        'select rate::int, gst_rate, treatment, hsn from document_lines where organisation = $1 and document = $2',
        [b.organisation, id],
      );
      bears.push(rows[0]);
      await b.cancel(id);
    }
    const own = { rate: document === bill ? 60_000_000 : 100_000_000, gst_rate: 180_000, treatment: 'taxable' };
    expect(bears).toEqual([expect.objectContaining(own), expect.objectContaining(own)]);
    expect(bears[0]).toEqual(bears[1]);
  });
  test('a credit note with a line that the invoice does not have is refused at the line', async () => {
    const lines = [...from(sale), itemLine(b.items[1], 1, 5)];
    expect(await problemsOf(back('saleCreditNote', { lines }))).toEqual(['lines.source']);
  });
  const lessening = corrections.filter((kind) => !kind.endsWith('DebitNote'));
  test.each(lessening)('%s: with a charge that would give back more than was billed is refused', async (kind) => {
    const charge = { name: 'Freight', amount: money('100000'), apportion: 'value' as const };
    const rated = { ...charge, gstRate: percentage('18'), hsn: '996511', ledger: await b.ledger('4100') };
    expect(await problemsOf(back(kind, { charges: [rated] }))).toContain('charges.gstRate');
    const plain = await problemsOf(back(kind, { charges: [charge] }));
    expect(plain).toEqual(kind.endsWith('Return') ? ['charges.amount'] : ['sourceExceeded']);
  });
  test('what was not said is that of the source: its line, its place of supply', async () => {
    const invoice = await b.post(
      b.draft('saleInvoice', {
        ...{ party: b.customer, placeOfSupply: '33', lines: [itemLine(b.items[0], 1, 100)] },
        accepted: [{ warning: 'placeOfSupplyChosen', reason: 'Installed there' }],
      }),
    );
    const note = await b.post(
      b.draft('saleCreditNote', {
        party: b.customer,
        against: invoice.id,
        reason: 'Price',
        lines: [itemLine(b.items[0], 1, 10)],
      }),
    );
    const { rows } = await db.owner.query(
      `
        select d.place_of_supply, d.igst::int, l.source_document
        from documents d
        join document_lines l on l.document = d.id
        where d.id = $1
      `,
      [note.id],
    );
    expect(rows).toEqual([{ place_of_supply: '33', igst: 180, source_document: invoice.id }]);
  });
});

const count = async (): Promise<number> => {
  const { rows } = await db.owner.query('select count(*)::int as n from documents where organisation = $1', [
    b.organisation,
  ]);
  return rows[0]?.n;
};
/** What continues a document, posted as it is proposed. */
const proposed = async (document: Id, kind: string) =>
  convert({ from: document, kind } as never, b.context()) as Promise<{ draft: Record<string, unknown> }>;

describe('what is settled', () => {
  test('a due of a place that the user may not see is not there for them', async () => {
    const draft = b.draft('saleReceipt', {
      ...{ location: b.other, party: b.customer, amount: money('1.00'), moneyLedger: await b.ledger('1121') },
      allocations: [{ document: sale, amount: money('1.00') }],
    });
    expect(await problemsOf(draft, { locations: [b.other] })).toEqual(['notFound']);
    expect(await problemsOf(draft)).toEqual([]);
  });
});

describe('a branch transfer', () => {
  const sent = (more: Partial<Draft>) => b.draft('branchTransfer', { lines: [itemLine(b.items[1], 2, 100)], ...more });
  test('takes the registration at the other end from its place', async () => {
    expect(await problemsOf(sent({ toLocation: puneStore, toRegistration: b.registration }))).toEqual([
      'toRegistration',
    ]);
    const posted = await b.post(sent({ toLocation: puneStore }));
    const { rows } = await db.owner.query('select igst::int from documents where id = $1', [posted.id]);
    expect(rows).toEqual([{ igst: 3600 }]);
  });
  test('goes to a place of the organisation only', async () => {
    for (const toLocation of [newId(), foreignPlace])
      expect(await problemsOf(sent({ toLocation, toRegistration: b.registration }))).toEqual(['toLocation']);
  });
  test('is made at a place of its registration', async () => {
    expect(await problemsOf(sent({ registration: pune, toLocation: b.other }))).toContain('registration');
  });
  test('arrives where it was sent to, from who sent it', async () => {
    const { id } = await b.post(sent({ toLocation: puneStore }));
    const came = (more: Partial<Draft>) =>
      b.draft('transferReceipt', {
        ...{ registration: pune, location: puneStore, against: id },
        lines: [{ ...itemLine(b.items[1], 2, 100), source: { document: id, line: 1 } }],
        ...more,
      });
    expect(await problemsOf(came({ registration: b.registration, location: b.other }))).toContain('location');
    expect(await problemsOf(came({ toRegistration: pune }))).toContain('toRegistration');
    const received = await b.post(came({}));
    const { rows } = await db.owner.query('select igst::int from documents where id = $1', [received.id]);
    expect(rows).toEqual([{ igst: 3600 }]);
  });
});

describe('a return bears what its sale bore', () => {
  const priced = async (id: Id) => {
    const { rows } = await db.owner.query(
      'select cgst::int, sgst::int, cess::int, round_off::int as "roundOff", total::int from documents where id = $1',
      [id],
    );
    return rows[0];
  };
  const change = (item: Id | undefined, values: string) =>
    db.owner.query(`update items set ${values} where organisation = $1 and id = $2`, [b.organisation, item]);
  const returned = (id: Id, item: Id | undefined, quantity: number) =>
    b.post(
      b.draft('saleReturn', {
        ...{ party: b.customer, against: id, reason: 'Damaged' },
        lines: [{ item: item ?? '', quantity: millionths(quantity * 1_000_000), source: { document: id, line: 1 } }],
      }),
    );

  test('cess by percent and by piece, when the item has none any more', async () => {
    const item = b.items[2];
    // on a day before compensation cess ended
    await change(item, 'gst_rate = 280000, cess_rate = 120000, cess_per_unit = 40000');
    await receive(b, item, 20, 60, '2025-08-01');
    const lines = [itemLine(item, 10, 1000)];
    const { id } = await b.post(b.draft('saleInvoice', { party: b.customer, date: '2025-08-10', lines }));
    await change(item, 'gst_rate = 180000, cess_rate = 0, cess_per_unit = 0');
    const part = await returned(id, item, 4);
    expect(await priced(part.id)).toMatchObject({ cess: 208_000, total: 720_000 });
    const rest = await returned(id, item, 6);
    expect(await priced(rest.id)).toMatchObject({ cess: 312_000, total: 1_080_000 });
  });

  test('what is proposed bears it too, when its item has another rate, code and treatment by now', async () => {
    const item = b.items[4];
    await receive(b, item, 100, 60, '2026-04-01');
    const lines = [itemLine(item, 10, 100)];
    const { id } = await b.post(b.draft('saleInvoice', { party: b.customer, date: '2026-11-10', lines }));
    const bought = await receive(b, item, 10, 60, '2026-11-10');
    const { rows } = await db.owner.query('select hsn from items where organisation = $1 and id = $2', [
      b.organisation,
      item,
    ]);
    const own = { gstRate: '18', treatment: 'taxable', hsn: rows[0]?.hsn };
    await change(item, `gst_rate = 50000, hsn = '84713099', treatment = 'exempt'`);
    for (const kind of corrections) {
      const source = kind.startsWith('purchase') ? bought.id : id;
      const { draft } = await proposed(source, kind);
      expect([kind, draft['lines']]).toMatchObject([kind, [own]]);
      const more = kind.startsWith('purchase')
        ? {
            reference: `new ${kind}`,
            ...(kindCalled(kind)?.fields.includes('referenceDate') && { referenceDate: TODAY }),
          }
        : { reason: 'x' };
      const [line] = draft['lines'] as Record<string, unknown>[];
      const part = {
        ...draft,
        ...more,
        lines: [{ ...line, quantity: '1', rate: kind.startsWith('sale') ? '100' : '60' }],
      };
      const { TransactionId } = await documentHandlers(b.poster).PostTransactionCalls(
        { document: draftBody.parse(part) } as never,
        b.context(),
      );
      expect(await priced(TransactionId)).toMatchObject({ cgst: kind.startsWith('sale') ? 900 : 540 });
    }
  });

  test('the retail price that its tax was inside of (rule 31D)', async () => {
    const item = b.items[3];
    await change(item, `gst_rate = 400000, retail_price = 14000, hsn = '24022090'`);
    const lines = [itemLine(item, 10, 80)];
    const { id } = await b.post(b.draft('saleInvoice', { party: b.customer, date: '2026-11-10', lines }));
    await change(item, 'retail_price = 28000');
    const { id: came } = await returned(id, item, 10);
    expect(await priced(came)).toEqual(await priced(id));
    expect(await priced(came)).toMatchObject({ cgst: 20_000, sgst: 20_000, total: 120_000 });
  });

  test('the retail price on a supplier’s bill, typed or of the item, which its returns and notes keep', async () => {
    const item = b.items[5];
    await change(item, `gst_rate = 400000, retail_price = 10000, hsn = '24022090'`);
    const bill = (reference: string, more: object = {}) =>
      b.post(
        b.draft('purchaseBill', {
          ...{ party: b.supplier, date: '2026-11-10', reference, referenceDate: '2026-11-10' },
          accepted: [{ warning: 'retailPriceOther', reason: 'As it is printed' }],
          lines: [{ ...itemLine(item, 100, 50), ...more }],
        }),
      );
    const { id } = await bill('R-1');
    // the tax inside 100 × 100: 2,857.14, on goods of 5,000
    expect(await priced(id)).toMatchObject({ cgst: 142_857, sgst: 142_857, total: 785_714 });
    expect(await priced((await bill('R-2', { retailPrice: money('140') })).id)).toMatchObject({ cgst: 200_000 });
    // the supplier did not tax it on a retail price
    expect(await priced((await bill('R-3', { retailPrice: money('0') })).id)).toMatchObject({ cgst: 100_000 });
    await change(item, 'retail_price = 28000');
    const back = await b.post(
      b.draft('purchaseReturn', {
        ...{ party: b.supplier, date: '2026-11-10', against: id, reason: 'Damaged' },
        lines: [{ item: item ?? '', quantity: millionths(100_000_000), source: { document: id, line: 1 } }],
      }),
    );
    expect(await priced(back.id)).toEqual(await priced(id));
    const { id: noted } = await bill('R-4', { retailPrice: money('100') });
    const note = await b.post(
      b.draft('purchaseCreditNote', {
        ...{ party: b.supplier, date: '2026-11-10', against: noted, reason: '02', reference: 'C-1' },
        referenceDate: '2026-11-10',
        lines: [{ ...itemLine(item, 100, 1), source: { document: noted, line: 1 } }],
      }),
    );
    // a cut of the price leaves quantity × retail price, and so its tax
    expect(await priced(note.id)).toMatchObject({ cgst: 0, total: 10_000 });
  });

  test('three returns of one piece take all the tax of three, and a cancelled one opens its part again', async () => {
    const item = b.items[0];
    await change(item, 'gst_rate = 50000');
    const lines = [itemLine(item, 3, 33.33)];
    const { id } = await b.post(b.draft('saleInvoice', { party: b.customer, date: '2026-11-10', lines }));
    const parts = [await returned(id, item, 1), await returned(id, item, 1), await returned(id, item, 1)];
    const sums = async () => {
      const each = await Promise.all(parts.map((part) => priced(part.id)));
      return each.reduce((t, p) => ({ cgst: t.cgst + p.cgst, total: t.total + p.total }), { cgst: 0, total: 0 });
    };
    expect(await sums()).toEqual({ cgst: 250, total: 10_499 });
    const [, second] = parts;
    await b.cancel(second?.id ?? '');
    parts[1] = await returned(id, item, 1);
    expect(await sums()).toEqual({ cgst: 250, total: 10_499 });
  });
});
