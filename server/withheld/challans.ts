import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { taxCalls } from '../../contract/withheld.ts';
import { financialYearOf, monthEnd } from '../../domain/base/dates.ts';
import { millionths, moneyText, ONE } from '../../domain/base/decimal.ts';
import { type Paise, paise, sum } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import type { Draft, DraftLine, Id, TaxChallan } from '../../domain/document/document.ts';
import { kindFor, kindLabel } from '../../domain/document/kinds/index.ts';
import type { Withholding } from '../../domain/facts/deposits.ts';
import { challanProblems, dueDay, dueOf, leftOf, sectionOf } from '../../domain/tax/deposits.ts';
import { tdsEffectOf } from '../../domain/tax/withheld.ts';
import type { Context } from '../context.ts';
import {
  isHere,
  type Poster,
  postedOnce,
  preparePosting,
  reasonsOf,
  snapshotNow,
  type TypedBeside,
} from '../documents/index.ts';
import { staleOf } from '../kit/database/stale.ts';
import { Problems } from '../kit/problems.ts';
import { type Deduction, deductions } from './deductions.ts';

type Calls = typeof taxCalls;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

const words: Readonly<Record<Withholding, string>> = { tds: 'TDS', tcs: 'TCS' };

/** First and last day of a financial year by its label. */
export const daysOf = (year: string): { readonly start: string; readonly end: string } =>
  financialYearOf(`${year.slice(0, 4)}-04-01`);

/** By section and month, the earliest first; months before the year stand with what they still owe. */
export const getTaxWithheld = (
  { tax, year }: Input<Calls['GetTaxWithheld']>,
  context: Context,
): Promise<Answer<Calls['GetTaxWithheld']>> =>
  context.inTransaction(async (trx) => {
    const { start, end } = daysOf(year);
    const all = await deductions(trx, { organisation: context.organisation, tax, to: end, places: context.locations });
    const groups = new Map<string, Deduction[]>();
    for (const one of all) {
      if (one.date < start && leftOf(one) === 0) continue;
      const key = `${one.date.slice(0, 7)}/${one.section}`;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const rows = [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, some]) => {
        const [month = '', section = ''] = [key.slice(0, 7), key.slice(8)];
        const due = dueDay(tax, `${month}-01`);
        return {
          ...sectionOf(tax, section),
          month,
          documents: some.length,
          withheld: sum(some.map(dueOf)),
          paid: sum(some.map((d) => d.paid)),
          left: sum(some.map(leftOf)),
          due,
          late: due < context.today,
        };
      });
    const over = (pick: (row: (typeof rows)[number]) => Paise, which = rows) => moneyText(sum(which.map(pick)));
    return {
      rows: rows.map((row) => ({
        ...row,
        late: row.late && row.left > 0,
        withheld: moneyText(row.withheld),
        paid: moneyText(row.paid),
        left: moneyText(row.left),
      })),
      withheld: over((row) => row.withheld),
      paid: over((row) => row.paid),
      left: over((row) => row.left),
      late: over(
        (row) => row.left,
        rows.filter((row) => row.late),
      ),
    };
  });

export const listTaxDeductions = (
  { tax, section, month }: Input<Calls['ListTaxDeductions']>,
  context: Context,
): Promise<Answer<Calls['ListTaxDeductions']>> =>
  context.inTransaction(async (trx) => {
    const first = `${month}-01`;
    const all = await deductions(trx, {
      organisation: context.organisation,
      tax,
      from: first,
      to: monthEnd(first),
      places: context.locations,
    });
    return all
      .filter((one) => one.section === section)
      .map((one) => ({
        ...sectionOf(tax, section),
        document: one.document,
        kind: one.kind,
        number: one.number,
        date: one.date,
        party: one.name,
        pan: one.pan,
        head: one.head,
        amount: moneyText(one.amount),
        withheld: moneyText(dueOf(one)),
        paid: moneyText(one.paid),
        left: moneyText(leftOf(one)),
        due: dueDay(tax, one.date),
      }));
  });

export const listTaxChallans = (
  { tax, year }: Input<Calls['ListTaxChallans']>,
  context: Context,
): Promise<Answer<Calls['ListTaxChallans']>> =>
  context.inTransaction(async (trx) => {
    const { start, end } = daysOf(year);
    const { rows } = await sql<{
      id: Id;
      kind: string;
      number: string;
      date: string;
      section: string;
      head: '0020' | '0021';
      bsr: string | null;
      serial: string | null;
      amount: string;
      interest: string;
      fee: string;
      deductions: number;
      cancelled: boolean;
      version: number;
      location: Id;
    }>`
      select
        t.id, d.kind, d.number, t.date, t.section, t.head, t.bsr, t.serial, t.amount, t.interest, t.fee,
        t.version, d.location,
        exists (
          select from cancellations c where c.organisation = t.organisation and c.document = t.id
        ) as cancelled,
        (
          select count(*)::int from tax_challan_parts p where p.organisation = t.organisation and p.challan = t.id
        ) as deductions
      from tax_challans t
      join documents d on d.organisation = t.organisation and d.id = t.id
      where t.organisation = ${context.organisation}
        and t.tax = ${tax}
        and t.date between ${start}::date and ${end}::date
      order by t.date desc, t.id desc
      limit 1000
    `.execute(trx);
    return rows
      .filter(({ location }) => isHere(context, location))
      .map(({ location: _, bsr, serial, ...row }) => {
        const [amount, interest, fee] = [Number(row.amount), Number(row.interest), Number(row.fee)];
        return {
          ...row,
          bsr: bsr ?? '',
          serial: serial ?? '',
          amount: moneyText(amount),
          interest: moneyText(interest),
          fee: moneyText(fee),
          total: moneyText(amount + interest + fee),
        };
      });
  });

/** What the bank tells is all there or not yet there. */
const unpaired = ({ bsr, serial }: { readonly bsr: string; readonly serial: string }) =>
  (bsr === '') === (serial === '')
    ? []
    : [{ field: bsr === '' ? 'bsr' : 'serial', ...say('BSR code and serial number belong together') }];

/** The ledger on which each document put what it withheld; where the map was changed since, it is still on the old one. */
async function payables(
  trx: Trx,
  organisation: number,
  tax: Withholding,
  documents: readonly Id[],
  usual: Id,
): Promise<ReadonlyMap<Id, Id>> {
  const { rows } = await sql<{ document: Id; ledger: Id }>`
    select distinct on (e.document) e.document, e.ledger
    from entries e
    join ledgers l on l.organisation = e.organisation and l.id = e.ledger
    where e.organisation = ${organisation}
      and e.document = any(${[...documents]}::uuid[])
      and e.credit > 0
      and (e.ledger = ${usual}::uuid or l.role = ${`${tax}_payable`})
    order by e.document, e.ledger = ${usual}::uuid desc, e.leg
  `.execute(trx);
  return new Map(rows.map(({ document, ledger }) => [document, ledger]));
}

/**
 * What of a challan comes under the rules of approval. Money leaves the bank on the word of one person: who does not approve such
 * payments asks somebody who does. What was withheld stands in the books; what an approver types beside it waits for another.
 */
function besideTheBooks({ interest, fee, parts }: Input<Calls['PostTaxChallan']>, context: Context): TypedBeside {
  const kind = kindFor('taxPayment');
  const label = kindLabel(kind).toLowerCase();
  const beside = paise(interest + fee);
  return context.may('approve', kind)
    ? {
        ...{ amount: beside, kinds: [kind], name: 'Interest and late fee' },
        instead: say('pay the tax alone by this challan, enter them as a {{label}}, and send that for approval', {
          label,
        }),
      }
    : {
        ...{ amount: paise(sum(parts.map(({ amount }) => amount)) + beside), kinds: [kind], name: 'Tax challan' },
        instead: say('a user who may approve a {{label}} pays it by this challan', { label }),
      };
}

/** Pays what was withheld: the ledgers on which it stands against the bank, with interest and fee beside it. */
export async function postTaxChallan(
  poster: Poster,
  asked: Input<Calls['PostTaxChallan']>,
  context: Context,
): Promise<Answer<Calls['PostTaxChallan']>> {
  const posted = await postedOnce(context, context.key, async () =>
    poster.post(
      await preparePosting(context, await context.inTransaction((trx) => draftFor(trx, asked, context)), {
        skipsApproval: besideTheBooks(asked, context),
      }),
    ),
  );
  return { TransactionId: posted.id, TransactionNumber: posted.number, warnings: [...(posted.warnings ?? [])] };
}

async function draftFor(trx: Trx, asked: Input<Calls['PostTaxChallan']>, context: Context): Promise<Draft> {
  const { organisation, today, locations } = context;
  const { tax, section, head, date, bsr, serial, moneyLedger, registration, location, interest, fee, parts } = asked;
  const documents = parts.map(({ document }) => document);
  const known = await deductions(trx, { organisation, tax, documents, places: locations });
  const bank = await sql`
    select from ledgers
    where organisation = ${organisation}
      and id = ${moneyLedger}::uuid
      and not is_group
      and active
      and (is_bank or role in ('bank', 'cash'))
  `.execute(trx);
  const problems = [
    ...challanProblems({ section, head, date, parts }, known, today),
    ...unpaired({ bsr, serial }),
    ...(bank.rows.length > 0 ? [] : [{ field: 'moneyLedger', ...say('Choose the bank that paid it') }]),
    ...(bsr && (await isKnown(trx, organisation, NOBODY, { bsr, serial, date }))
      ? [{ field: 'serial', ...say('This challan is in the books already') }]
      : []),
  ];
  if (problems.length > 0) throw new Problems(problems);
  const { ledgers } = await snapshotNow(trx, organisation);
  const usual = ledgers[tax === 'tds' ? tdsEffectOf(section) : 'tcsPayable'];
  const stands = await payables(trx, organisation, tax, documents, usual);
  const owed = new Map<Id, Paise>();
  for (const { document, amount } of parts) {
    const ledger = stands.get(document) ?? usual;
    owed.set(ledger, paise((owed.get(ledger) ?? 0) + amount));
  }
  const beside: readonly (readonly [string, Paise])[] = [
    ['Interest', interest],
    ['Late fee', fee],
  ];
  const lines: DraftLine[] = [
    ...[...owed].map(([ledger, debit]) => ({ ledger, debit, description: `${words[tax]} ${section}` })),
    ...beside.flatMap(([description, debit]) =>
      debit > 0 ? [{ ledger: ledgers.statutoryInterest, debit, description }] : [],
    ),
    { ledger: moneyLedger, credit: paise(sum(parts.map(({ amount }) => amount)) + interest + fee) },
  ];
  const challan: TaxChallan = {
    tax,
    section,
    head,
    ...(bsr && { bsr, serial }),
    interest,
    fee,
    parts: parts.map(({ document, amount }) => ({ document, amount })),
  };
  const cause = `${words[tax]} under section ${section}, major head ${head}`;
  return {
    kind: kindFor('taxPayment'),
    date,
    registration,
    location,
    currency: 'INR',
    exchangeRate: millionths(ONE),
    lines,
    challan,
    fields: { journalType: 'taxWithheld' },
    ...(bsr && { reference: `Challan ${bsr} ${serial}` }),
    narration: asked.narration || cause,
    ...reasonsOf(context, asked.accepted),
  };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
const isKnown = async (
  trx: Trx,
  organisation: number,
  id: Id,
  { bsr, serial, date }: { readonly bsr: string; readonly serial: string; readonly date: string },
): Promise<boolean> =>
  (
    await sql<{
      known: boolean;
    }>`select challan_known(${organisation}, ${id}::uuid, ${bsr}, ${serial}, ${date}::date) as known`.execute(trx)
  ).rows[0]?.known ?? false;

/** What the bank tells comes after the payment, or was mistyped; what was paid stays as it is. */
export const saveChallanDetails = (
  { id, version, bsr, serial }: Input<Calls['SaveChallanDetails']>,
  context: Context,
): Promise<Answer<Calls['SaveChallanDetails']>> =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    const { rows } = await sql<{ version: number; date: string; location: Id }>`
      select t.version, t.date, d.location
      from tax_challans t
      join documents d on d.organisation = t.organisation and d.id = t.id
      where t.organisation = ${organisation}
        and t.id = ${id}::uuid
        and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
    `.execute(trx);
    const [kept] = rows;
    if (!kept || !isHere(context, kept.location)) throw new Refusal('notFound');
    const problems = unpaired({ bsr, serial });
    await sql`select pg_advisory_xact_lock(hashtextextended('tax challans', ${organisation}))`.execute(trx);
    if (bsr && (await isKnown(trx, organisation, id, { bsr, serial, date: kept.date })))
      problems.push({ field: 'serial', ...say('This challan is in the books already') });
    if (problems.length > 0) throw new Problems(problems);
    const written = await sql`
      update tax_challans
      set bsr = ${bsr || null}, serial = ${serial || null}, version = version + 1
      where organisation = ${organisation} and id = ${id}::uuid and version = ${version}
    `.execute(trx);
    if (Number(written.numAffectedRows) === 0) throw await staleOf(trx, organisation, 'tax_challans', id);
    return { version: version + 1 };
  });
