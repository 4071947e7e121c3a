import { type RawBuilder, sql } from 'kysely';
import type { MasterName } from '../../contract/masters.ts';
import { financialYearOf } from '../../domain/base/dates.ts';
import { rupeesText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import type { Effect } from '../../domain/books/effects.ts';
import { effectUses } from '../../domain/books/ledger-uses.ts';
import type { Day, Problem } from '../../domain/document/document.ts';
import { EINVOICE_ABOVE } from '../../domain/tax/gst/registration/turnover.ts';
import type { Context } from '../context.ts';
import type { Asked, Trx, Values } from './records.ts';
import { sharedFields } from './variants.ts';

/** Why a field can no longer change, by field. */
export type Fixed = Readonly<Record<string, string>>;
type Question = (org: number, id: string, row: Values) => RawBuilder<unknown>;

interface Fact {
  readonly fields: readonly string[];
  /** Of a row that was found it may say why it is refused. */
  readonly reason: Said | ((found: Values) => Said);
  /** A query that finds a row once the facts are used; by an index, since it is asked for each form that is opened. */
  readonly used: Question;
}

/** An item and its variants. */
const family = (org: number, id: string): RawBuilder<unknown> =>
  sql`(select ${id}::uuid union all select id from items where organisation = ${org} and template = ${id}::uuid)`;

/** Who has an account, on whichever side: their documents and open items are in their currency, and stand where they belong. */
const ofParties: readonly Fact[] = [
  {
    fields: ['currency'],
    reason: say('amounts are posted in it; add another party for another currency'),
    used: (org, id) => sql`
      select
      from open_items
      where organisation = ${org} and party = ${id}::uuid and open > 0
      union all
      select
      from documents d
      where d.organisation = ${org}
        and d.party = ${id}::uuid
        and exists (select from entries e where e.organisation = d.organisation and e.document = d.id)
      limit 1
    `,
  },
  {
    fields: ['category', 'country'],
    reason: say('amounts in another currency are open: settle them first'),
    used: (org, id) => sql`
      select from open_items
      where organisation = ${org} and party = ${id}::uuid and open > 0 and currency <> 'INR'
      limit 1
    `,
  },
];

/** What documents have built upon: changing it would change what was posted. */
const facts: Readonly<Partial<Record<MasterName, readonly Fact[]>>> = {
  customer: ofParties,
  consumer: ofParties,
  supplier: ofParties,
  // rule 46: the documents bear this number; another registration is another record
  registration: [
    {
      fields: ['gstin', 'state'],
      reason: say('documents are posted under it; add a registration for another GSTIN'),
      used: (org, id) => sql`select from documents where organisation = ${org} and registration = ${id}::uuid limit 1`,
    },
  ],
  location: [
    {
      fields: ['registration'],
      reason: say('documents are posted at it; add another location'),
      used: (org, id) =>
        sql`select from documents where organisation = ${org} and ${id}::uuid in (location, to_location) limit 1`,
    },
  ],
  item: [
    {
      fields: sharedFields,
      reason: say('it follows the item whose variant this is'),
      used: (org, id) =>
        sql`select from items where organisation = ${org} and id = ${id}::uuid and template is not null`,
    },
    {
      fields: ['attributes'],
      reason: say('it is a variant itself'),
      used: (org, id) =>
        sql`select from items where organisation = ${org} and id = ${id}::uuid and template is not null`,
    },
    {
      fields: ['attributes'],
      reason: say('variants are made of them'),
      used: (org, id) => sql`select from items where organisation = ${org} and template = ${id}::uuid limit 1`,
    },
    {
      fields: ['attributes'],
      reason: say('documents name it; add another item'),
      used: (org, id) => sql`select from document_lines where organisation = ${org} and item = ${id}::uuid limit 1`,
    },
    {
      fields: ['batched', 'serialised'],
      reason: say('its stock has moved without or with them; add another item'),
      used: (org, id) => sql`select from movements where organisation = ${org} and item in ${family(org, id)} limit 1`,
    },
    {
      fields: ['unit', 'type'],
      reason: say('its stock has moved in this unit; add another item'),
      used: (org, id) => sql`select from movements where organisation = ${org} and item in ${family(org, id)} limit 1`,
    },
    {
      fields: ['unit', 'type'],
      reason: say('documents name it; add another item'),
      used: (org, id) =>
        sql`select from document_lines where organisation = ${org} and item in ${family(org, id)} limit 1`,
    },
  ],
  tdsCertificate: [
    {
      fields: ['party', 'section', 'rate'],
      reason: say('tax was deducted by it already'),
      used: (org, id) => sql`select from (select certificate_used(${org}, ${id}::uuid) as used) c where used > 0`,
    },
  ],
  unit: [
    {
      fields: ['code'],
      reason: say('items are counted in it'),
      used: (org, _id, row) => sql`select from items where organisation = ${org} and unit = ${row.code} limit 1`,
    },
  ],
  additionalField: [
    {
      fields: ['type'],
      reason: say('values of it may be kept already; add another field'),
      used: (org, id) => sql`select from masters where organisation = ${org} and id = ${id}::uuid`,
    },
  ],
  numberSeries: [
    {
      fields: ['kind', 'registration', 'location'],
      reason: say('it is the series of a till'),
      used: (org, id) =>
        sql`select from number_series where organisation = ${org} and id = ${id}::uuid and till is not null`,
    },
    // the text on papers of the till follows from the pattern
    {
      fields: ['prefix', 'suffix', 'padding', 'start', 'reset'],
      reason: say('its till is open, or not all of its numbers are in the books'),
      used: (org, id) =>
        sql`
          select from till_sessions
          where organisation = ${org} and series = ${id}::uuid and closed_at is null
          union all
          select from till_numbers
          where organisation = ${org} and series = ${id}::uuid and state in ('awaited', 'refused')
          limit 1
        `,
    },
    {
      fields: ['kind', 'registration'],
      reason: say('numbers of it are given already; add another series'),
      used: (org, id) => sql`select from series_counters where organisation = ${org} and series = ${id}::uuid limit 1`,
    },
  ],
  priceList: [
    {
      fields: ['side', 'appliesTo'],
      reason: say('parties have it'),
      used: (org, id) =>
        sql`select from parties where organisation = ${org} and ${id} in (body ->> 'priceList', body ->> 'purchasePriceList') limit 1`,
    },
  ],
  ledger: [
    {
      fields: ['currency'],
      reason: say('amounts are posted to it; make another ledger'),
      used: (org, id) =>
        sql`select from ledger_month_totals where organisation = ${org} and ledger = ${id}::uuid limit 1`,
    },
    {
      fields: ['currency'],
      reason: say('documents post to it by themselves, in rupees; make another ledger'),
      used: (org, id, row) =>
        sql`select from posting_map where organisation = ${org} and ledger = ${id}::uuid and ${row.currency ?? null}::text is null limit 1`,
    },
  ],
  ledgerPosting: [
    {
      fields: ['ledger'],
      reason: ({ code, name, balance }) =>
        say(
          'amounts are posted to {{ledger}} (balance {{balance}}). To show it otherwise, change the name or group of that ledger',
          {
            ledger: `${code} ${name}`,
            balance: `${rupeesText(Math.abs(Number(balance)))} ${Number(balance) < 0 ? 'Cr' : 'Dr'}`,
          },
        ),
      used: (org, id, row) => sql`
        select l.code, l.name, sum(t.debit - t.credit) as balance
        from ledger_month_totals t
        join ledgers l on l.organisation = t.organisation and l.id = t.ledger
        where t.organisation = ${org}
          and t.ledger = ${row.ledger}::uuid
          and ${effectUses[id as Effect]?.fixed === true}
        group by l.code, l.name
      `,
    },
  ],
  accountGroup: [
    {
      fields: ['nature'],
      reason: say('it has ledgers under it'),
      used: (org, id) => sql`select from ledgers where organisation = ${org} and "group" = ${id}::uuid limit 1`,
    },
  ],
  warehouse: [
    {
      fields: ['location'],
      reason: say('goods have moved in it'),
      used: (org, id) => sql`select from movements where organisation = ${org} and room = ${id}::uuid limit 1`,
    },
  ],
};

async function reasons(
  trx: Trx,
  context: Context,
  asked: readonly Fact[],
  id: string,
  row: Values,
): Promise<Record<string, Said>> {
  const found: Record<string, Said> = {};
  for (const { fields, reason, used } of asked) {
    if (fields.every((field) => found[field] !== undefined)) continue;
    const { rows } = await used(context.organisation, id, row).execute(trx);
    const [first] = rows as readonly Values[];
    if (first) for (const field of fields) found[field] ??= typeof reason === 'function' ? reason(first) : reason;
  }
  return found;
}

/** Fields of a record that can no longer change, each with its reason: for the form that shows it. */
export async function fixedFields(
  { name }: Asked,
  trx: Trx,
  context: Context,
  id: string,
  row: Values,
): Promise<Fixed> {
  const found = await reasons(trx, context, facts[name] ?? [], id, row);
  return Object.fromEntries(Object.entries(found).map(([field, { message }]) => [field, message]));
}

/** A problem at each field that is changed although it can no longer change. */
export async function fixedProblems(
  { name, master }: Asked,
  trx: Trx,
  context: Context,
  id: string,
  row: Values,
  before: Values,
  after: Values,
): Promise<Problem[]> {
  const text = (value: unknown) => (value === undefined || value === null || value === false ? '' : String(value));
  const isChanged = (field: string) => text(before[field]) !== text(after[field]);
  const found = await reasons(
    trx,
    context,
    (facts[name] ?? []).filter((fact) => fact.fields.some(isChanged)),
    id,
    row,
  );
  return Object.entries(found)
    .filter(([field]) => isChanged(field))
    .map(([field, reason]) => ({
      field,
      ...say('{{fields}} cannot be changed any more: {{reason}}', {
        fields: master.fields[field]?.label ?? field,
        reason,
      }),
    }));
}

const mergedInto = (org: number, id: string) =>
  sql<{
    readonly notice: string;
  }>`
    select 'Merged into ' || h.name || ' (' || h.code || '): its account is read there' as notice
    from parties p
    join parties h on h.organisation = p.organisation and h.id = p.merged_into
    where p.organisation = ${org} and p.id = ${id}::uuid
  `;

/** What is going on with a record just now, by master. */
const notices: Readonly<
  Record<string, (org: number, id: string, today: Day) => RawBuilder<{ readonly notice: string }>>
> = {
  customer: mergedInto,
  consumer: mergedInto,
  supplier: mergedInto,
  // rule 48(4): a year from 2017-18 on; who is exempt leaves it off
  registration: (org, id, today) => sql`
    select 'Turnover was above ₹5 crore in ' || min(
      t ->> 'year'
    ) || ': e-invoicing applies from the year after it, unless you are exempt. Switch it on here' as notice
    from registrations r
    cross join json_array_elements(turnovers(${org})) t
    where r.organisation = ${org}
      and r.id = ${id}::uuid
      and t ->> 'pan' = substr(r.gstin, 3, 10)
      and (t ->> 'amount')::bigint > ${EINVOICE_ABOVE}::bigint
      and t ->> 'year' >= '2017-18'
      and t ->> 'year' < ${financialYearOf(today).label}
      and registration_status(r.organisation, r.id, ${today}::date) = 'regular'
      and not coalesce((r.body ->> 'einvoice')::boolean, false)
    having count(*) > 0
  `,
  item: (org, id) =>
    sql`
      select 'Being revalued: a document dated ' || to_char(
        min(since), 'FMDD Mon YYYY'
      ) || ' changes what later movements cost' as notice
      from revaluations
      where organisation = ${org} and item = ${id}::uuid
      having count(*) > 0
    `,
};
export async function noticesOf({ name }: Asked, trx: Trx, context: Context, id: string): Promise<string[]> {
  const query = notices[name];
  return query ? (await query(context.organisation, id, context.today).execute(trx)).rows.map((r) => r.notice) : [];
}
