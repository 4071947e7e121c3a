import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { type Field, type MasterName, masterNames, masters } from '../../contract/masters.ts';
import { type Filter, reportNames, reports } from '../../contract/reports.ts';
import { sealAll } from '../../tools/testing/books.ts';
import { namingFields, type Path, withValue } from '../../tools/testing/fields.ts';
import { type Samples, type SampleWorld, samplesOf, sampleWorld } from '../../tools/testing/samples.ts';
import { type Answered, type TestServer, testServer, type Visitor } from '../../tools/testing/server.ts';
import { brokenInvariants } from '../kit/database/invariants.ts';

let server: TestServer;
let sharma: SampleWorld;
let nova: SampleWorld;
let samples: Samples;
/** An id of SHARMA from each table, and what else of SHARMA chooses a record. */
let ids: readonly string[];
/** Of those, what a document may name. */
let named: readonly string[];
let texts: readonly string[];
/** Every id of SHARMA. */
let theirs: ReadonlySet<string>;
let before: unknown;
/** A sale of NOVA of which much can come back. */
let bigSale: string;
const [SHARMA, NOVA] = [1, 2];

/** What no answer to NOVA may hold. */
const CANARY = 'Zebrawood';
const canary = /zebrawood|ZEB\/|sharma|peenya|29AAGCS4821F1ZB/i;
const place = { addresses: [], category: 'unregistered', state: '29' };
const canaries: Readonly<Partial<Record<MasterName, object>>> = {
  customer: { ...place, name: `${CANARY} Traders` },
  supplier: { ...place, name: `${CANARY} Mills` },
  item: { sku: 'ZEBRA', name: CANARY, type: 'stock', unit: 'NOS', hsn: '8539', treatment: 'taxable', gstRate: '18' },
  category: { code: 'ZEBRA', name: CANARY },
  attribute: { code: 'ZEBRA', name: CANARY },
  terms: { code: 'ZEBRA', name: CANARY, kind: 'quotation', text: CANARY },
};

const column = async (sql: string): Promise<string[]> =>
  (await server.database.owner.query<{ value: string }>(sql)).rows.map((r) => r.value);
const tablesWith = (name: string) =>
  column(`
    select c.table_name as value
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where t.table_schema = 'public'
      and t.table_type = 'BASE TABLE'
      and c.column_name = '${name}'
      and exists (
        select from information_schema.columns o
        where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'organisation'
      )
    order by 1
  `);
/** A digest of all that SHARMA has. */
const digests = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      (await tablesWith('organisation')).map(
        async (table) =>
          [
            table,
            (
              await column(
                `
                  select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as value
                  from ${table} t
                  where organisation = ${SHARMA}
                `,
              )
            )[0] ?? '',
          ] as const,
      ),
    ),
  );

beforeAll(async () => {
  server = await testServer();
  expect(server.organisations.map((o) => o.organisation)).toEqual([SHARMA, NOVA]);
  sharma = await sampleWorld(server);
  const { owner } = sharma.shop;
  for (const [master, values] of Object.entries(canaries))
    await owner.ask('SaveMaster', { master, values: { ...values } });
  await owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body: { kind: 'saleInvoice', narration: CANARY } });
  const { place, customer, item } = sharma.shop;
  await owner.ask('SaveMaster', {
    master: 'numberSeries',
    values: {
      name: 'Own numbers',
      kind: 'quotation',
      ...place,
      prefix: 'ZEB/{FY}/',
      padding: 4,
      start: 1,
      reset: 'year',
    },
  });
  const { TransactionNumber } = await sharma.shop.post({
    kind: 'quotation',
    party: customer,
    lines: [{ item, quantity: '1', rate: '95' }],
    reference: CANARY,
  });
  await server.database.owner.query(
    `
      insert into notifications (organisation, id, "user", message)
      select organisation, gen_random_uuid(), id, $2
      from users
      where organisation = $1
    `,
    [SHARMA, CANARY],
  );
  nova = await sampleWorld(server, {
    email: 'owner@nova.demo',
    organisation: NOVA - 1,
    registration: 'TN',
    location: 'CHN',
  });
  samples = samplesOf(nova);
  const own = (await tablesWith('id')).filter((table) => !['edit_log', 'outbox', 'idempotency_keys'].includes(table));
  ids = [
    ...new Set(
      (
        await Promise.all(
          own.map((table) =>
            column(`select id::text as value from ${table} where organisation = ${SHARMA} order by id desc limit 1`),
          ),
        )
      ).flat(),
    ),
  ].filter((id) => id.length === 36);
  expect(ids.length).toBeGreaterThan(11);
  named = (
    await Promise.all(
      ['documents', 'parties', 'items', 'ledgers', 'locations'].map((table) =>
        column(`select id::text as value from ${table} where organisation = ${SHARMA} order by id desc limit 1`),
      ),
    )
  ).flat();
  theirs = new Set(
    (
      await Promise.all(
        own.map((table) => column(`select id::text as value from ${table} where organisation = ${SHARMA}`)),
      )
    ).flat(),
  );
  texts = ['SHARMA', 'owner@sharma.demo', TransactionNumber];
  const { shop } = nova;
  await shop.post({ kind: 'openingStock', lines: [{ item: shop.item, quantity: '2000', rate: '50' }] });
  bigSale = (
    await shop.post({
      kind: 'saleInvoice',
      party: shop.customer,
      lines: [{ item: shop.item, quantity: '200', rate: '95' }],
    })
  ).TransactionId;
  await sealAll(server.database);
  before = await digests();
}, 120_000);
afterAll(() => server.stop());

/** An answer without what is never the same twice, the asked value taken out of it. */
const plain = ({ status, message, details }: Answered, asked: string): string =>
  JSON.stringify({ status, message, details: { ...(details as object), reference: undefined } }).replaceAll(
    asked,
    '<asked>',
  );

const leaks: string[] = [];
/** Notes everything of SHARMA that an answer holds and that was not in the question. */
function watch(what: string, answer: Answered, asked: unknown): void {
  const question = JSON.stringify(asked);
  const text = JSON.stringify([answer.message, answer.details]);
  const words = text.match(canary)?.filter((word) => !question.includes(word)) ?? [];
  const known = (text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []).filter(
    (id) => theirs.has(id) && !question.includes(id),
  );
  if (words.length + known.length > 0) leaks.push(`${what}: ${[...words, ...known].join(' ')}`);
}

/**
 * Of ids that no field of a document names each field is asked with every twelfth, the next field with the next ones;
 * with `BAHI_ALL` all of them.
 */
let turn = 0;
const some = (all: readonly string[]): readonly string[] => {
  turn += 1;
  return process.env['BAHI_ALL'] === '1' ? all : all.filter((id, at) => named.includes(id) || at % 12 === turn % 12);
};

/** Asks the same with something of SHARMA and with something that does not exist; answers what differs. */
async function sweep(by: Visitor, name: CallName, input: unknown, path: Path, label = ''): Promise<string[]> {
  const wrong: string[] = [];
  const ask = async (value: string) => {
    const asked = withValue(input, path, value, parts);
    const answer = await by.call(name, asked as never);
    watch(`${name} ${label} ${path.join('.')}`, answer, asked);
    if (answer.status === 500) wrong.push(`${name} ${label} ${path.join('.')} = ${value}: 500`);
    return answer;
  };
  const inDocument = path.includes('document') || path.includes('draft');
  for (const [values, unknown] of inDocument
    ? ([[named, randomUUID()]] as const)
    : ([
        [some(ids), randomUUID()],
        [texts, 'NOTHING-LIKE-IT'],
      ] as const)) {
    const expected = await ask(unknown);
    const compare = async (value: string) => {
      const answer = await ask(value);
      const bothMade = writes(name) && answer.status === 200 && expected.status === 200;
      if (!bothMade && plain(answer, value) !== plain(expected, unknown))
        wrong.push(
          `${name} ${label} ${path.join('.')} = ${value}: ${plain(answer, value).slice(0, 300)} instead of ${plain(expected, unknown).slice(0, 300)}`,
        );
    };
    // what makes something is asked one by one, so that no answer depends on another; files take turns, and few may wait
    if (writes(name) || (calls[name] as Operation).load === 'file') for (const value of values) await compare(value);
    else await Promise.all(values.map(compare));
  }
  return wrong;
}

/** Calls that make something new each time: two successes are never the same text. */
const writes = (name: CallName): boolean => {
  const operation: Operation = calls[name];
  return operation.method === 'POST' && operation.changes !== 'nothing';
};

/** What a field stands in when the sample has none of it, complete but for that field. */
const parts = {
  lines: [{ quantity: '1', rate: '95' }],
  source: { line: 1 },
  allocations: [{ amount: '1.00' }],
  tenders: [{ amount: '1.00' }],
  charges: [{ name: 'Freight', amount: '1.00' }],
};

/** Drafts of NOVA that can be posted as they are; together they use every field that names a record. */
const drafts = (): Readonly<Record<string, Record<string, unknown>>> => {
  const { shop, cash, bank } = nova;
  const base = { date: '2026-11-20', ...shop.place };
  const line = { item: shop.item, quantity: '1', rate: '95' };
  return {
    saleInvoice: { ...base, kind: 'saleInvoice', party: shop.customer, lines: [line] },
    cashSale: { ...base, kind: 'cashSale', lines: [line] },
    posSale: { ...base, kind: 'posSale', lines: [line] },
    quotation: { ...base, kind: 'quotation', party: shop.customer, lines: [line] },
    saleReturn: {
      ...base,
      kind: 'saleReturn',
      party: shop.customer,
      against: bigSale,
      reason: '01',
      lines: [{ ...line, source: { document: bigSale, line: 1 } }],
    },
    saleReceipt: {
      ...base,
      kind: 'saleReceipt',
      party: shop.customer,
      moneyLedger: bank,
      amount: '1.00',
      allocations: [{ document: bigSale, amount: '1.00' }],
      lines: [],
    },
    branchTransfer: {
      ...base,
      kind: 'branchTransfer',
      toRegistration: shop.place.registration,
      toLocation: shop.place.location,
      lines: [line],
    },
    manualJournal: {
      ...base,
      kind: 'manualJournal',
      lines: [
        { ledger: bank, debit: '5.00' },
        { ledger: cash, credit: '5.00' },
      ],
    },
  };
};

/** Inputs of a call and the fields of each that name a record, also where the contract leaves the names open. */
function* questions(name: CallName): Generator<readonly [label: string, input: unknown, fields: readonly Path[]]> {
  const operation: Operation = calls[name];
  const fields = namingFields(operation.input);
  const picks = (all: Readonly<Record<string, Field | Filter>>, at: string): Path[] =>
    Object.entries(all).flatMap(([key, field]): Path[] =>
      field.type === 'picks' ? [[at, key, '0']] : field.pick ? [[at, key]] : [],
    );
  if (
    name === 'SaveMaster' ||
    name === 'RetireMaster' ||
    name === 'GetMaster' ||
    name === 'GetRecordPage' ||
    name === 'GetRecordFiles' ||
    name === 'AttachToRecord' ||
    name === 'GetRecordFile' ||
    name === 'RemoveRecordFile' ||
    name === 'GetHistory' ||
    name === 'ListMasters' ||
    name === 'Pick'
  ) {
    for (const master of masterNames) {
      const { fields: own } = masters[master] as { fields: Readonly<Record<string, Field>> };
      const sample = samples[name](master) as object;
      yield [
        master,
        name === 'SaveMaster' ? { ...sample, values: valuesOf[master] ?? {} } : sample,
        name === 'SaveMaster' ? [...fields, ...picks(own, 'values')] : fields,
      ];
    }
  } else if (name === 'RunReport' || name === 'ExportReport') {
    for (const report of reportNames)
      for (const format of name === 'RunReport' ? [undefined] : ['csv', 'json'])
        yield [
          report,
          { ...(samples[name](report) as object), ...(format && { format }) },
          [...fields, ...picks(reports[report].filters, 'filters')],
        ];
  } else if (name === 'GetTaxCalculation' || name === 'PostTransactionCalls') {
    for (const [kind, draft] of Object.entries(drafts()))
      yield [kind, name === 'GetTaxCalculation' ? { draft } : { document: draft }, fields];
    if (name === 'PostTransactionCalls') yield ['draft', { version: 1 }, [['TransactionId']]];
  } else yield ['', samples[name]('saleInvoice'), fields];
}

/** Values with which a record of NOVA can be saved; what names a record is put in by the sweep. */
const valuesOf: Readonly<Partial<Record<MasterName, object>>> = {
  customer: { ...place, name: 'Asha' },
  supplier: { ...place, name: 'Asha' },
  consumer: { ...place, name: 'Asha' },
  item: { ...canaries.item, sku: 'PLAIN', name: 'Plain' },
  ledger: { code: '9999', name: 'Plain' },
  accountGroup: { code: '9990', name: 'Plain', nature: 'asset' },
  user: { name: 'Asha', email: 'asha@nova.demo' },
  role: { name: 'Asha' },
  group: { name: 'Asha' },
  category: { code: 'PLAIN', name: 'Plain' },
  costCentre: { code: 'PLAIN', name: 'Plain' },
  warehouse: { code: 'PLAIN', name: 'Plain', location: '' },
  numberSeries: {
    name: 'Plain',
    kind: 'quotation',
    registration: '',
    prefix: 'Z/',
    padding: 4,
    start: 1,
    reset: 'year',
  },
  till: { code: 'PLAIN', name: 'Plain', location: '', prices: 'saleRate', printWidth: '80' },
  bank: { code: 'PLAIN', bankName: 'Plain', accountNumber: '1', ifsc: 'PLAI0000001', ledger: '' },
  location: { code: 'PLN', name: 'Plain', registration: '', line1: 'a', city: 'b', pincode: '600001' },
};

/** What reads goes first, and what posts last: asked after thousands of documents, an answer that lists them takes a second. */
const rank = (name: CallName): number => (name === 'PostTransactionCalls' ? 2 : Number(writes(name)));
const names = (Object.keys(calls) as CallName[])
  .filter((name) => name !== 'SignOut')
  .toSorted((a, b) => rank(a) - rank(b));
const swept = new Set<string>();
test.each(names)(
  "S-11: %s with what is another organisation's answers as with what does not exist",
  async (name) => {
    const wrong: string[] = [];
    for (const [label, input, fields] of questions(name))
      for (const path of fields) {
        swept.add(path.filter((p) => p !== '0').join('.'));
        wrong.push(...(await sweep(nova.shop.owner, name, input, path, label)));
      }
    expect(wrong).toEqual([]);
  },
  240_000,
);

test('S-10: every call refuses the code of an organisation that one is no member of, like a code that does not exist', async () => {
  const wrong: string[] = [];
  for (const name of names) {
    const input = samples[name]('saleInvoice') as object;
    for (const field of ['OrgCode', 'orgCode']) {
      const [foreign, none] = [
        await nova.shop.owner.call(name, { ...input, [field]: 'SHARMA' } as never),
        await nova.shop.owner.call(name, { ...input, [field]: 'NOSUCH' } as never),
      ];
      watch(name, foreign, { [field]: 'SHARMA' });
      if (foreign.status !== 404 || plain(foreign, 'SHARMA') !== plain(none, 'NOSUCH'))
        wrong.push(`${name} with ${field}: ${foreign.status} ${foreign.message}`);
    }
  }
  expect(wrong).toEqual([]);
}, 60_000);

test('every field that names a record was swept', () => {
  expect(swept.size).toBeGreaterThan(60);
});

test("S-14: nothing of the other organisation stood in any answer, and all that is the other's is as it was", async () => {
  expect(leaks).toEqual([]);
  expect(await digests()).toEqual(before);
  await sealAll(server.database);
  expect(await brokenInvariants(server.database.owner)).toEqual([]);
  expect(server.failures).toEqual([]);
});
