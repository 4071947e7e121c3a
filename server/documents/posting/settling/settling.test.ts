import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../../contract/errors.ts';
import { money } from '../../../../domain/base/decimal.ts';
import type { Draft, Id } from '../../../../domain/document/document.ts';
import {
  digestOf,
  itemLine,
  manyBooks,
  openOf,
  receive,
  sell,
  type TestBooks,
  TODAY,
} from '../../../../tools/testing/books.ts';
import type { TestDatabase } from '../../../../tools/testing/database.ts';
import { allowRows } from '../../../access/check.ts';
import { rules } from '../../../access/rules.ts';
import { accountHandlers, type Engines } from '../../../accounts/index.ts';
import { bankingHandlers } from '../../../banking/index.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../kit/ids.ts';
import { Problems } from '../../../kit/problems.ts';
import { type PaymentDesk, paymentHandlers } from '../../../payments/index.ts';
import { reportHandlers } from '../../../reports/index.ts';
import { documentHandlers } from '../../index.ts';

const all = manyBooks();
let db: TestDatabase;
let b: TestBooks;
/** A due and a credit of the shop, which those below may not see. */
let due: Id;
let credit: Id;
let advance: Id;
let bill: Id;
let order: Id;
/** Of each limited person, by the limit: a due and a credit of the same party that they made themselves. */
const mine = new Map<string, { readonly due: Id; readonly credit: Id }>();
let bank: Id;
let payment: Id;
/** A customer with whom only the documents of `linked` are. */
const buyer = newId();
const [pune, puneStore] = [newId(), newId()];
const [clerk, seller] = [newId(), newId()];

const received = (more: Partial<Draft> = {}) =>
  b.post(b.draft('saleReceipt', { party: b.customer, amount: money('50.00'), moneyLedger: bank, ...more }));

beforeAll(async () => {
  db = await all.open();
  b = await all.more({ isAllowNegative: true });
  bank = await b.ledger('1121');
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
  await db.owner.query(
    `with known as (
       insert into people (id, email, name)
       values ($2::uuid, 'clerk@settling.test', 'Clerk'), ($3::uuid, 'seller@settling.test', 'Seller')
       returning id, email, name
     )
     insert into users (organisation, id, person, email, name) select $1, id, id, email, name from known`,
    [b.organisation, clerk, seller],
  );
  await db.owner.query(
    `insert into parties (organisation, id, code, name, side, category, state, search, body)
     values ($1, $2, 'BUYER', 'Buyer', 'customer', 'unregistered', '29', 'buyer', '{"addresses": []}')`,
    [b.organisation, buyer],
  );
  due = (await sell(b, b.items[0], 1)).id;
  bill = (await receive(b, b.items[0], 1, 60, TODAY)).id;
  order = (await b.post(b.draft('saleOrder', { party: b.customer, lines: [itemLine(b.items[0], 1, 60)] }))).id;
  credit = (await received()).id;
  advance = (await b.post(b.draft('advanceReceipt', { party: b.customer, amount: money('40.00'), moneyLedger: bank })))
    .id;
  payment = newId();
  const link = newId();
  await db.owner.query(
    `insert into payment_links (organisation, id, document, digest, secret, made_by) values ($1, $2, $3, $4, $4, $5)`,
    [b.organisation, link, due, Buffer.from(link), b.user],
  );
  await db.owner.query(
    `insert into payment_events (organisation, id, event, kind, link, payment, amount, fee, method, reason, happened_at, state)
     values ($1, $2, 'e1', 'paid', $3, 'p1', 100, 0, 'upi', '', now(), 'held')`,
    [b.organisation, payment, link],
  );
  for (const [name, limited] of Object.entries(limits)) {
    const context = { ...limited(), may: () => true };
    const place = at(b.context(context));
    const sold = { ...place, party: b.customer, lines: [itemLine(b.items[1], 1, 100)] };
    const paid = { ...place, party: b.customer, amount: money('30.00'), moneyLedger: bank };
    mine.set(name, {
      due: (await b.post(b.draft('saleInvoice', sold), context)).id,
      credit: (await b.post(b.draft('saleReceipt', paid), context)).id,
    });
  }
});
afterAll(() => all.close());

/** Each limit hides what the owner made at the shop; what its person made at a place of their own, they see. */
const limits: Readonly<Record<string, () => Partial<Context>>> = {
  'another place': () => ({ locations: [b.other] }),
  'another registration': () => ({ locations: [puneStore] }),
  'no grant on its kind': () => ({
    user: clerk,
    may: (action) => action !== 'view',
  }),
  'only their own': () => ({ user: seller, sees: () => 'own' }),
};

/** What a call answers or why not, without the id that it was asked with. */
const outcome = async (work: () => Promise<unknown>, id: Id): Promise<string> => {
  try {
    return JSON.stringify(await work()).replaceAll(id, 'ID');
  } catch (error) {
    if (error instanceof Problems) return JSON.stringify(error.problems);
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};
const unseen: Engines = { masters: {}, reports: {}, post: {}, banks: {} } as never;
const accounts = () => accountHandlers(unseen);
const posted = async (draft: Draft, context: Context) => b.post(draft, context);
const money50 = { amount: money('1.00') };
const settling = (document: Id): Partial<Draft> => ({
  party: b.customer,
  moneyLedger: bank,
  ...money50,
  allocations: [{ document, ...money50 }],
});

interface Call {
  /** What of the shop it names. */
  readonly of: () => Id;
  readonly ask: (id: Id, context: Context, own: { readonly due: Id; readonly credit: Id }) => Promise<unknown>;
}
const at = (context: Context): Partial<Draft> =>
  context.locations.length === 0
    ? {}
    : {
        location: context.locations[0] ?? '',
        registration: context.locations[0] === puneStore ? pune : b.registration,
      };
const posts =
  (kind: string, more: (id: Id) => Partial<Draft>): Call['ask'] =>
  (id, context) =>
    posted(b.draft(kind, { ...more(id), ...at(context) }), context);

/** One of the first item, continuing the first line of a document. */
const lineOf = (document: Id) => [{ ...itemLine(b.items[0], 1, 60), source: { document, line: 1 } }];
const against = (party: () => Id, id: Id): Partial<Draft> => ({
  ...{ party: party(), against: id, reason: 'damaged', lines: lineOf(id) },
});

/** Every call that settles a document by another, continues its lines, or shows what can be. */
const calls: Readonly<Record<string, Call>> = {
  'posting a receipt': { of: () => due, ask: posts('saleReceipt', settling) },
  'posting a return of its line': { of: () => due, ask: posts('saleReturn', (id) => against(() => b.customer, id)) },
  'posting a credit note to its line': {
    of: () => due,
    ask: posts('saleCreditNote', (id) => against(() => b.customer, id)),
  },
  'posting a return to the supplier': {
    of: () => bill,
    ask: posts('purchaseReturn', (id) => against(() => b.supplier, id)),
  },
  'posting an invoice from a line of its order': {
    of: () => order,
    ask: posts('saleInvoice', (id) => ({ party: b.customer, lines: lineOf(id) })),
  },
  'posting a payment': {
    of: () => bill,
    ask: posts('payment', (id) => ({ ...settling(id), party: b.supplier })),
  },
  'posting a refund': { of: () => credit, ask: posts('refund', settling) },
  'posting an advance adjustment': {
    of: () => advance,
    ask: posts('allocationVoucher', (id) => ({
      party: b.customer,
      ...money50,
      against: id,
      allocations: [{ document: due, ...money50 }],
    })),
  },
  'posting an advance refund': {
    of: () => advance,
    ask: posts('advanceRefund', (id) => ({ party: b.customer, moneyLedger: bank, ...money50, against: id })),
  },
  'posting a returned cheque': {
    of: () => credit,
    ask: posts('bouncedReceipt', (id) => ({
      party: b.customer,
      moneyLedger: bank,
      amount: money('50.00'),
      against: id,
    })),
  },
  BounceReceipt: {
    of: () => credit,
    ask: async (TransactionId, context) => {
      const asked = { TransactionId, date: TODAY, reason: 'No funds' } as never;
      await allowRows(context, rules.BounceReceipt, asked);
      return bankingHandlers(b.poster).BounceReceipt(asked, {
        ...context,
        key: randomUUID(),
        digest: digestOf(TransactionId),
      });
    },
  },
  'SavePartyCreditsAllocation, the due': {
    of: () => due,
    ask: (invoice, context, own) =>
      accounts().SavePartyCreditsAllocation(
        {
          party: b.customer,
          allocations: [{ credit: own.credit, creditLine: 0, invoice, invoiceLine: 0, ...money50 }],
        },
        context,
      ),
  },
  'SavePartyCreditsAllocation, the credit': {
    of: () => credit,
    ask: (used, context, own) =>
      accounts().SavePartyCreditsAllocation(
        {
          party: b.customer,
          allocations: [{ credit: used, creditLine: 0, invoice: own.due, invoiceLine: 0, ...money50 }],
        },
        context,
      ),
  },
  'AllcoateCreditsByTransactionId, the due': {
    of: () => due,
    ask: (TransactionId, context) => accounts().AllcoateCreditsByTransactionId({ TransactionId, line: 0 }, context),
  },
  'AllcoateCreditsByTransactionId, the credit': {
    of: () => credit,
    ask: (TransactionId, context) => accounts().AllcoateCreditsByTransactionId({ TransactionId, line: 0 }, context),
  },
  GetLedgerAllocationList: {
    of: () => due,
    ask: (TransactionId, context) => accounts().GetLedgerAllocationList({ TransactionId }, context),
  },
  'GetConversion to a receipt': {
    of: () => due,
    ask: (from, context) =>
      documentHandlers(b.poster).GetConversion({ from, kind: 'saleReceipt', copy: false }, context),
  },
  'GetEditorFacts of an advance': {
    of: () => advance,
    ask: async (id, context) =>
      (
        await documentHandlers(b.poster).GetEditorFacts(
          { kind: 'advanceRefund', parties: [], items: [], ledgers: [], documents: [id], date: TODAY } as never,
          context,
        )
      ).advances,
  },
  BookPayment: {
    of: () => payment,
    ask: (id, context) => paymentHandlers({} as PaymentDesk).BookPayment({ id }, context),
  },
};

describe.each(Object.keys(limits))('what is hidden by %s', (limit) => {
  const own = () => mine.get(limit) ?? { due: '', credit: '' };

  test.each(Object.keys(calls))('%s answers as of a document that never was', async (name) => {
    const { of, ask } = calls[name] ?? { of: () => '', ask: async () => undefined };
    const context = b.context(limits[limit]?.());
    const hidden = of();
    const before = await openOf(db, due);
    const never = newId();
    expect(await outcome(() => ask(hidden, context, own()), hidden)).toBe(
      await outcome(() => ask(never, context, own()), never),
    );
    expect(await openOf(db, due)).toBe(before);
  });

  test('what is their own they settle, oldest first and by hand, and lists leave out the rest', async () => {
    const context = b.context(limits[limit]?.());
    const { due: sold, credit: paid } = own();
    const { GetOpenItems } = documentHandlers(b.poster);
    expect(
      (await GetOpenItems({ party: b.customer, side: 'receivable' }, context)).map(({ document }) => document),
    ).toEqual([sold]);
    const listed = await accounts().GetCreditsListAganistParty({ party: b.customer }, context);
    expect([...listed.credits, ...listed.dues].map(({ document }) => document).sort()).toEqual([sold, paid].sort());
    expect(await paymentHandlers({} as PaymentDesk).ListPayments({}, context)).toEqual([]);
    await accounts().AllcoateCreditsByTransactionId({ TransactionId: sold, line: 0 }, context);
    expect(await openOf(db, paid)).toBe(0);
    expect(await accounts().GetLedgerAllocationList({ TransactionId: sold }, context)).toHaveLength(1);
    const pair = { credit: paid, creditLine: 0, invoice: sold, invoiceLine: 0 };
    await accounts().SavePartyCreditsAllocation(
      { party: b.customer, allocations: [{ ...pair, amount: money('10.00') }] },
      context,
    );
    expect(await openOf(db, paid)).toBe(2000);
  });
});

/** What a document of a limited person is linked with, at the shop: posts both. */
const linked: Readonly<
  Record<
    string,
    (by: Partial<Context>) => Promise<readonly [own: Id, hidden: { readonly id: Id; readonly number: string }]>
  >
> = {
  'a receipt that settles it': async (by) => {
    const { id } = await b.post(b.draft('saleInvoice', soldBy(by)), by);
    return [id, await received({ party: buyer, allocations: [{ document: id, ...money50 }] })];
  },
  'an invoice that it settles': async (by) => {
    const hidden = await b.post(b.draft('saleInvoice', soldBy({})));
    const paid = { ...at(b.context(by)), ...settling(hidden.id), party: buyer };
    return [(await b.post(b.draft('saleReceipt', paid), { ...by, locations: [] })).id, hidden];
  },
  'a return of its goods': async (by) => {
    const { id } = await b.post(b.draft('saleInvoice', soldBy(by)), by);
    return [
      id,
      await b.post(
        b.draft(
          'saleReturn',
          against(() => buyer, id),
        ),
      ),
    ];
  },
  'an order that it carries out': async (by) => {
    const hidden = await b.post(b.draft('saleOrder', soldBy({})));
    const carrying = { ...soldBy(by), lines: lineOf(hidden.id) };
    return [(await b.post(b.draft('saleInvoice', carrying), { ...by, locations: [] })).id, hidden];
  },
  'a challan that it invoices': async (by) => {
    const hidden = await b.post(b.draft('deliveryChallan', { ...soldBy({}), reason: 'Supply on approval' }));
    const invoicing = { ...soldBy(by), lines: lineOf(hidden.id) };
    return [(await b.post(b.draft('saleInvoice', invoicing), { ...by, locations: [] })).id, hidden];
  },
};
/** Goods that a limited person sells at their own place. */
const soldBy = (by: Partial<Context>): Partial<Draft> => ({
  ...at(b.context(by)),
  party: buyer,
  lines: [itemLine(b.items[0], 1, 60)],
});
/** Lines are continued within one registration. */
const oneRegistration = ['a return of its goods', 'an order that it carries out', 'a challan that it invoices'];

describe.each(Object.keys(limits))('the view of an own document where others are hidden by %s', (limit) => {
  const cases = Object.keys(linked).filter(
    (name) => limit !== 'another registration' || !oneRegistration.includes(name),
  );
  test.each(cases)('does not name %s', async (name) => {
    const by = limits[limit]?.() ?? {};
    const posting = { ...by, may: () => true, sees: () => 'all' as const };
    const [own, hidden] = (await linked[name]?.(posting)) ?? ['', { id: '', number: '' }];
    const links = async (context: Context) =>
      (await documentHandlers(b.poster).GetTransactionDetailForInvoice({ TransactionId: own }, context)).links;
    expect(await links(b.context())).toContainEqual(expect.objectContaining({ id: hidden.id, number: hidden.number }));
    const seen = await links(b.context(by));
    expect(JSON.stringify(seen)).not.toContain(hidden.id);
    expect(JSON.stringify(seen)).not.toContain(hidden.number);
  });
});

test('the account of a party names no settlement at another place', async () => {
  const by = { locations: [b.other] };
  const [own, hidden] = (await linked['a receipt that settles it']?.(by)) ?? ['', { id: '', number: '' }];
  const account = async (context: Context) =>
    (
      await reportHandlers.RunReport(
        { report: 'customerStatement', filters: { party: buyer, from: '2026-04-01', to: TODAY } },
        context,
      )
    ).rows.find(({ document }) => document === own)?.['with'];
  expect(await account(b.context())).toBe(hidden.number);
  expect(await account(b.context(by))).toBe('');
});

test('dues that a bank line is proposed for are those that may be settled', async () => {
  const format = { date: 'Date', order: 'dmy', text: 'Narration', amount: 'Amount' } as const;
  const { ImportBankStatement, GetReconciliation } = bankingHandlers(b.poster);
  const { rows } = await db.owner.query<{ number: string }>('select number from documents where id = $1', [due]);
  const content = `Date,Narration,Amount\n20/11/2026,NEFT ${rows[0]?.number},118.00`;
  await ImportBankStatement({ ledger: bank, content, format }, b.context());
  const proposed = async (context: Context) =>
    (await GetReconciliation({ ledger: bank }, context)).lines.flatMap(
      (line) => line.settles?.dues.map(({ document }) => document) ?? [],
    );
  expect(await proposed(b.context())).toEqual([due]);
  for (const limited of Object.values(limits)) expect(await proposed(b.context(limited()))).not.toContain(due);
});
