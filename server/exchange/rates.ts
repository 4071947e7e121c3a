import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { exchangeCalls } from '../../contract/exchange.ts';
import { rowsOfFile } from '../../domain/banking/bank-statement.ts';
import { dayInWords } from '../../domain/base/dates.ts';
import { rateText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { readRates, type TypedRate } from '../../domain/books/exchange.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { currencyName } from '../../domain/tax/gst/portal/currencies.ts';
import type { Context } from '../context.ts';
import { type RateOfDay, rateOn } from '../documents/index.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';

type Calls = typeof exchangeCalls;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Kept = Answer<Calls['SaveExchangeRate']>;
interface Row extends Omit<Kept, 'rate'> {
  readonly rate: string;
  readonly place: string;
}

const PAGE = 100;
const columns = sql`
  r.id, r.currency, r.date, r.purpose, r.rate, r.source, u.name as by, r.version,
  concat_ws(' ', r.date, r.currency, r.purpose) as place from exchange_rates r
  join users u on u.organisation = r.organisation and u.id = r.by
`;
const shown = ({ place: _, ...row }: Row): Kept => ({ ...row, rate: rateText(Number(row.rate)) });

export const listExchangeRates = (
  { currency, purpose, after }: Input<Calls['ListExchangeRates']>,
  { organisation, inTransaction }: Context,
): Promise<Answer<Calls['ListExchangeRates']>> =>
  inTransaction(async (trx) => {
    const { rows } = await sql<Row>`
      select ${columns}
      where r.organisation = ${organisation}
        and (${currency || null}::text is null or r.currency = ${currency ?? ''})
        and (${purpose ?? null}::text is null or r.purpose = ${purpose ?? ''})
        and (${after ?? null}::text is null or concat_ws(' ', r.date, r.currency, r.purpose) < ${after ?? ''})
      order by r.date desc, r.currency desc, r.purpose desc
      limit ${PAGE + 1}
    `.execute(trx);
    const known = await sql<{
      currency: string;
    }>`select distinct currency from exchange_rates where organisation = ${organisation} order by currency`.execute(
      trx,
    );
    const page = rows.slice(0, PAGE);
    return {
      rows: page.map(shown),
      after: rows.length > PAGE ? (page.at(-1)?.place ?? null) : null,
      currencies: known.rows.map((row) => row.currency),
    };
  });

const ofDay = (found: RateOfDay | undefined) => (found === undefined ? null : { ...found, rate: rateText(found.rate) });

export const getExchangeRate = (
  { currency, date }: Input<Calls['GetExchangeRate']>,
  { organisation, inTransaction }: Context,
): Promise<Answer<Calls['GetExchangeRate']>> =>
  inTransaction(async (trx) => ({
    book: ofDay(await rateOn(trx, organisation, currency, 'book', date)),
    customs: ofDay(await rateOn(trx, organisation, currency, 'customs', date)),
  }));

/** A currency that exists; a rate is known by the end of its day at the latest, customs notify theirs before. */
function refuse(
  { currency, date, purpose }: Pick<TypedRate, 'currency' | 'date' | 'purpose'>,
  today: Day,
): (Said & { field: string })[] {
  return [
    ...(currencyName(currency) ? [] : [{ field: 'currency', ...say('{{currency}} is no currency', { currency }) }]),
    ...(purpose === 'book' && date > today
      ? [{ field: 'date', ...say('The rate of a day that has not come is not known') }]
      : []),
  ];
}

export const saveExchangeRate = (
  { id, version, currency, date, purpose, rate, source }: Input<Calls['SaveExchangeRate']>,
  { organisation, user, today, inTransaction }: Context,
): Promise<Kept> =>
  inTransaction(async (trx) => {
    const problems = refuse({ currency, date, purpose }, today);
    const taken = await sql<Row>`
      select ${columns}
      where r.organisation = ${organisation}
        and r.currency = ${currency}
        and r.date = ${date}::date
        and r.purpose = ${purpose}
        and r.id is distinct from ${id ?? null}::uuid
    `.execute(trx);
    const [same] = taken.rows;
    // what is kept already need not be kept again
    if (same && id === undefined && Number(same.rate) === rate && same.source === source) return shown(same);
    const there = { field: 'date', ...say('There is already a rate of {{currency}} for this day', { currency }) };
    if (same) problems.push(there);
    if (problems.length > 0) throw new Problems(problems);
    const own = id ?? newId();
    const write =
      id === undefined
        ? sql`
          insert into exchange_rates (organisation, id, currency, date, purpose, rate, source, by)
          values (${organisation}, ${own}, ${currency}, ${date}::date, ${purpose}, ${rate}, ${source}, ${user})
        `
        : sql`
          update exchange_rates
          set
            currency = ${currency}, date = ${date}::date, purpose = ${purpose}, rate = ${rate},
            source = ${source}, by = ${user}, at = now(), version = version + 1
          where organisation = ${organisation} and id = ${id}::uuid and version = ${version ?? 0}
        `;
    // somebody else may have kept one of this day in the same moment
    const done = await write.execute(trx).catch((error: { code?: string }) => {
      throw error.code === '23505' ? new Problems([there]) : error;
    });
    if (done.numAffectedRows !== 1n) throw await whyNot(trx, organisation, own);
    const { rows } =
      await sql<Row>`select ${columns} where r.organisation = ${organisation} and r.id = ${own}::uuid`.execute(trx);
    if (!rows[0]) throw new Refusal('notFound');
    return shown(rows[0]);
  });

export const deleteExchangeRate = (
  { id, version }: Input<Calls['DeleteExchangeRate']>,
  { organisation, inTransaction }: Context,
): Promise<Answer<Calls['DeleteExchangeRate']>> =>
  inTransaction(async (trx) => {
    const { numAffectedRows } =
      await sql`delete from exchange_rates where organisation = ${organisation} and id = ${id}::uuid and version = ${version}`.execute(
        trx,
      );
    if (numAffectedRows !== 1n) throw await whyNot(trx, organisation, id);
    return { deleted: 1 };
  });

/** Gone, or changed by somebody else meanwhile. */
async function whyNot(trx: Trx, organisation: number, id: Id): Promise<Refusal> {
  const { rows } = await sql<{
    who: string;
  }>`
    select u.name as who
    from exchange_rates r
    join users u on u.organisation = r.organisation and u.id = r.by
    where r.organisation = ${organisation} and r.id = ${id}::uuid
  `.execute(trx);
  return rows[0] ? new Refusal('stale', { who: rows[0].who }) : new Refusal('notFound');
}

interface Reading {
  readonly rates: readonly TypedRate[];
  readonly problems: readonly (Said & { readonly row: number })[];
}

/** What the file says; a source that neither its rows nor the person names is the file itself. */
function reading(content: string, source: string, today: Day): Reading {
  const { rates, problems } = readRates(rowsOfFile(content), source || 'Imported');
  const late = rates.flatMap((each) =>
    refuse(each, today).map(({ field: _, ...problem }) => ({
      row: rates.indexOf(each) + 2,
      ...say('{{currency}}, {{date}}: {{problem}}', { currency: each.currency, date: dayInWords(each.date), problem }),
    })),
  );
  return { rates, problems: [...problems, ...late] };
}
const asRows = (rates: readonly TypedRate[]): string => JSON.stringify(rates.map((each) => ({ ...each, id: newId() })));
const rowShape = sql`x(id uuid, currency text, date date, purpose text, rate bigint, source text)`;

export const readExchangeRates = (
  { content, source }: Input<Calls['ReadExchangeRates']>,
  { organisation, today, inTransaction }: Context,
): Promise<Answer<Calls['ReadExchangeRates']>> =>
  inTransaction(async (trx) => {
    const { rates, problems } = reading(content, source, today);
    const { rows } = await sql<{ added: number; changed: number }>`
      select
        count(*) filter (where r.id is null)::int as added,
        count(*) filter (where (r.rate, r.source) <> (x.rate, x.source))::int as changed
      from jsonb_to_recordset(${asRows(rates)}::jsonb) ${rowShape}
      left join exchange_rates r
        on r.organisation = ${organisation}
          and r.currency = x.currency
          and r.date = x.date
          and r.purpose = x.purpose
    `.execute(trx);
    return {
      rates: rates.length,
      added: rows[0]?.added ?? 0,
      changed: rows[0]?.changed ?? 0,
      problems: problems.slice(0, 50).map((p) => ({ ...p })),
      sample: rates.slice(0, 5).map((each) => ({ ...each, rate: rateText(each.rate) })),
    };
  });

export const importExchangeRates = (
  { content, source }: Input<Calls['ImportExchangeRates']>,
  { organisation, user, today, inTransaction }: Context,
): Promise<Answer<Calls['ImportExchangeRates']>> =>
  inTransaction(async (trx) => {
    const { rates, problems } = reading(content, source, today);
    if (problems.length > 0)
      throw new Problems(problems.slice(0, 50).map((each) => ({ ...each, field: 'content', row: each.row - 1 })));
    if (rates.length === 0) throw new Problems([{ field: 'content', ...say('The file contains no rates') }]);
    const { rows } = await sql<{ added: boolean }>`
      insert into exchange_rates as r (organisation, id, currency, date, purpose, rate, source, by)
      select ${organisation}, id, currency, date, purpose, rate, source, ${user}::uuid
      from jsonb_to_recordset(${asRows(rates)}::jsonb) ${rowShape}
      on conflict (organisation, currency, purpose, date) do update
      set rate = excluded.rate, source = excluded.source, by = excluded.by, at = now(), version = r.version + 1
      where (r.rate, r.source) <> (excluded.rate, excluded.source)
      returning version = 1 as added
    `.execute(trx);
    const added = rows.filter((row) => row.added).length;
    return { added, changed: rows.length - added };
  });
