import { sql } from 'kysely';
import type { bankingCalls } from '../../contract/banking.ts';
import type { Handlers, Input } from '../../contract/contract.ts';
import { draftBody } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import { draftOf, type InCurrency, ways, waysFor, wayTaken } from '../../domain/banking/bank-matching.ts';
import { dayInWords } from '../../domain/base/dates.ts';
import { millionths, moneyText } from '../../domain/base/decimal.ts';
import { type Paise, paise } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import type { Day, Id, Problem } from '../../domain/document/document.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { checkAdditional } from '../additional/index.ts';
import type { Context } from '../context.ts';
import { type Poster, preparePosting, rateOn, reasonsOf } from '../documents/index.ts';
import { once } from '../kit/database/once.ts';
import { newId } from '../kit/ids.ts';
import { mustRead } from '../kit/input.ts';
import { Problems } from '../kit/problems.ts';
import { bounceReceipt } from './bounce.ts';
import {
  currencyOf,
  getMatched,
  getReconciliation,
  match,
  matchBankLines,
  seen,
  unmatchBankLines,
} from './reconcile.ts';
import { deleteBankRule, orderBankRules, otherProblems, rulesOf, saveBankRule } from './rules.ts';
import { bankLedger, importBankStatement, readBankStatement, type Trx } from './statements.ts';

export { currencyOf, figuresOf, openEntries, openLines } from './reconcile.ts';

type Calls = Handlers<typeof bankingCalls, Context>;

const bankLedgers: Calls['GetBankLedgers'] = (_, context) =>
  context.inTransaction(async (trx) => {
    const { organisation, locations } = context;
    const { rows } = await sql<{
      ledger: Id;
      code: string;
      name: string;
      currency: string | null;
      foreign: string;
      worth: string;
      lines: number;
      lastLine: Day | null;
    }>`
      select
        l.id as ledger, l.code, l.name, l.currency,
        (
          select coalesce(sum(t.debit - t.credit), 0)
          from ledger_month_totals t
          where t.organisation = l.organisation and t.ledger = l.id and ${seen('t.location', locations)}
        ) as worth,
        (
          select coalesce(sum(case when e.debit > 0 then e.foreign_amount else -e.foreign_amount end), 0)
          from entries e
          where e.organisation = l.organisation
            and e.ledger = l.id
            and e.currency = l.currency
            and ${seen('e.location', locations)}
        ) as foreign,
        (
          select count(*)::int
          from bank_lines b
          where b.organisation = l.organisation
            and b.ledger = l.id
            and not exists (select from bank_clearings c where c.organisation = b.organisation and c.line = b.id)
        ) as lines,
        (
          select max(b.date) from bank_lines b where b.organisation = l.organisation and b.ledger = l.id
        ) as "lastLine"
      from ledgers l
      where l.organisation = ${organisation}
        and not l.is_group
        and l.active
        and (l.is_bank or l.role in ('bank', 'clearing'))
        and l.role is distinct from 'cash'
      order by l.code
    `.execute(trx);
    return rows.map(({ foreign, worth, ...row }) => ({
      ...row,
      books: moneyText(Number(row.currency === null ? worth : foreign)),
      worth: moneyText(Number(worth)),
    }));
  });

/** The calls about statements of banks. */
export const bankingHandlers = (poster: Poster): Calls => ({
  GetBankLedgers: bankLedgers,
  ReadBankStatement: readBankStatement,
  ImportBankStatement: importBankStatement,
  GetReconciliation: getReconciliation,
  MatchBankLines: matchBankLines,
  UnmatchBankLines: unmatchBankLines,
  GetMatched: getMatched,
  ListBankRules: (_, context) =>
    context.inTransaction(async (trx) => (await rulesOf(trx, context.organisation)).map((rule) => ({ ...rule }))),
  SaveBankRule: saveBankRule,
  DeleteBankRule: deleteBankRule,
  OrderBankRules: orderBankRules,
  BounceReceipt: (asked, context) => bounceReceipt(poster, asked, context),
  PostBankLine: (asked, context) => postBankLine(poster, asked, context),
});

type Asked = Input<(typeof bankingCalls)['PostBankLine']>;

/** What the money of a line settles, with what was kept back from it; only money of a party settles anything. */
function settling(
  { way, allocations = [], bankCharges = paise(0), tdsAmount, tdsSection, discountAmount }: Asked,
  amount: Paise,
): Record<string, unknown> {
  const beside = { tdsAmount, discountAmount };
  const typed = Object.entries(beside).flatMap(([field, value]) => (value ? [[field, moneyText(value)] as const] : []));
  if (ways[way].other !== 'party') {
    const [field] = [
      ...(allocations.length > 0 ? ['allocations'] : []),
      ...(bankCharges ? ['bankCharges'] : []),
      ...typed.map(([name]) => name),
    ];
    if (field) throw new Problems([{ field, ...say('Only money of a customer or a supplier settles documents') }]);
    return {};
  }
  if (amount < 0 && bankCharges >= -amount)
    throw new Problems([{ field: 'bankCharges', ...say('The bank took less than the whole line') }]);
  return {
    ...Object.fromEntries(typed),
    ...(tdsSection && { tdsSection }),
    ...(allocations.length > 0 && {
      allocations: allocations.map(({ document, line, amount: part }) => ({ document, line, amount: moneyText(part) })),
    }),
  };
}

/** In which currency and at which rate a line is booked, or what is missing for that; nothing for a bank in rupees. */
async function inCurrency(
  trx: Trx,
  organisation: number,
  { counter, exchangeRate = millionths(0) }: Asked,
  currency: string | null,
  day: Day,
): Promise<InCurrency | Problem[] | undefined> {
  const other = counter === undefined ? null : await currencyOf(trx, organisation, counter);
  if (other !== null && other !== currency)
    return [
      {
        field: 'counter',
        ...say('This ledger is kept in {{other}}: write a journal, with the amounts of both', { other }),
      },
    ];
  if (currency === null)
    return exchangeRate > 0 ? [{ field: 'exchangeRate', ...say('A rupee is one rupee') }] : undefined;
  const rate = exchangeRate || (await rateOn(trx, organisation, currency, 'book', day))?.rate;
  return rate
    ? { currency, rate: millionths(rate), both: other === currency }
    : [
        {
          field: 'exchangeRate',
          ...say('There is no rate of {{currency}} for {{day}}: enter one', { currency, day: dayInWords(day) }),
        },
      ];
}

interface BankLine {
  readonly date: Day;
  readonly amount: string;
  readonly text: string;
  readonly reference: string;
  /** The kind of the draft that it has, and whose draft that is. */
  readonly drafted: string | null;
  readonly by: string | null;
  readonly cleared: boolean;
  /** The document under its id is posted, or cancelled. */
  readonly live: boolean;
  readonly dead: boolean;
}

async function bankLineOf(trx: Trx, organisation: number, { ledger, line }: Asked): Promise<BankLine> {
  const { rows } = await sql<BankLine>`
    select
      f.kind as drafted, u.name as by, b.date, b.amount, b.text, b.reference,
      exists (select from bank_clearings c where c.organisation = b.organisation and c.line = b.id) as cleared,
      exists (
        select from documents d
        where d.organisation = b.organisation
          and d.id = b.id
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      ) as live,
      exists (select from cancellations c where c.organisation = b.organisation and c.document = b.id) as dead
    from bank_lines b
    left join drafts f on f.organisation = b.organisation and f.id = b.id
    left join users u on u.organisation = f.organisation and u.id = f.author
    where b.organisation = ${organisation} and b.ledger = ${ledger}::uuid and b.id = ${line}::uuid
  `.execute(trx);
  const [found] = rows;
  if (!found) throw new Refusal('notFound');
  return found;
}

/** What the same call answered before, under its key: a posted document, a draft that was kept, or nothing. */
async function answerBefore(trx: Trx, { organisation, user, key }: Context): Promise<'posted' | 'kept' | undefined> {
  if (!key) return undefined;
  const { rows } = await sql<{ kept: boolean }>`
    select answer ? 'TransactionId' as kept
    from idempotency_keys
    where organisation = ${organisation} and "user" = ${user} and key = ${key}::uuid
  `.execute(trx);
  return rows[0] && (rows[0].kept ? 'kept' : 'posted');
}

/** The document that a line of a statement is booked as, and how far it is booked already. */
const documentOfLine = (asked: Asked, context: Context) =>
  context.inTransaction(async (trx) => {
    const { organisation } = context;
    const { currency } = await bankLedger(trx, organisation, asked.ledger);
    const line = await bankLineOf(trx, organisation, asked);
    const before = await answerBefore(trx, context);
    // what was answered before is answered again, whatever has happened since
    const isNew = before === undefined;
    if (line.drafted && isNew) throw drafted(line.drafted, line.by ?? '');
    if (line.cleared && isNew) throw new Refusal('clearedAlready');
    const amount = paise(Number(line.amount));
    const problems = isNew ? await otherProblems(trx, organisation, asked.way, asked) : [];
    if (!waysFor(amount).includes(asked.way))
      problems.push({
        field: 'way',
        ...(amount > 0 ? say('Money came in by this line') : say('Money went out by this line')),
      });
    if (asked.counter === asked.ledger) problems.push({ field: 'counter', ...say('This is the bank itself') });
    const abroad = await inCurrency(trx, organisation, asked, currency, line.date);
    if (Array.isArray(abroad) && isNew) problems.push(...abroad);
    if (problems.length > 0) throw new Problems(problems);
    const way = wayTaken(asked.way, amount, context.settings.autoRoundOffTotals, currency);
    const other = { party: asked.party, ledger: asked.counter, bankCharges: asked.bankCharges };
    return {
      body: {
        ...draftOf(way, asked.ledger, amount, other, Array.isArray(abroad) ? undefined : abroad),
        ...settling(asked, amount),
        date: line.date,
        registration: asked.registration,
        location: asked.location,
        ...(asked.accepted && { accepted: asked.accepted }),
        reference: line.reference.slice(0, 50),
        narration: asked.narration || line.text,
      },
      taken: line.dead,
      posted: line.live,
      kept: before === 'kept',
    };
  });

/**
 * A document under the id of its line: two who post the same line at the same moment make one document. It is matched in a
 * transaction of its own behind the posting; when that is lost, the same call under its key finds the document and matches it.
 */
async function postBankLine(poster: Poster, asked: Asked, context: Context) {
  const { body, taken, posted, kept } = await documentOfLine(asked, context);
  const { kind } = body;
  const keep = async () => ({
    ...(await keepLine(context, taken ? newId() : asked.line, kind, body)),
    kind,
    number: null,
    matched: false,
    warnings: [],
  });
  if (asked.draft || kept) return keep();
  const draft = { ...mustRead(draftBody, body), ...reasonsOf(context, asked.accepted) };
  await checkAdditional(context, kind, draft.additional);
  const made = await poster
    .post(await preparePosting(context, draft, taken && !posted ? {} : { id: asked.line, draftVersion: null }))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'needsApproval') return undefined;
      throw error;
    });
  // its author sends it from there; the line is open until it is posted
  if (!made) return keep();
  return {
    TransactionId: made.id,
    kind,
    number: made.number,
    matched: await matchWhole(context, asked, made.id),
    warnings: [...(made.warnings ?? [])],
  };
}

const drafted = (kind: string, who: string): Refusal =>
  new Refusal('lineDrafted', { who, kind: kindLabel(kind).toLowerCase() });

/**
 * A draft under the id of its line, so that a line is made into one document, by whoever comes first; under an id of
 * its own where that was posted and cancelled already.
 */
const keepLine = (context: Context, id: Id, kind: string, body: unknown): Promise<{ readonly TransactionId: Id }> =>
  context.inTransaction((trx) =>
    once(trx, context, { TransactionId: id }, async ({ TransactionId }) => {
      const { organisation, user } = context;
      // who posts under this id meanwhile takes the same lock (write_documents)
      await sql`select pg_advisory_xact_lock(hashtextextended('draft ' || ${TransactionId}::text, ${organisation}))`.execute(
        trx,
      );
      const { rows } = await sql`
        insert into drafts (organisation, id, kind, body, author)
        select ${organisation}, ${TransactionId}::uuid, ${kind}, ${JSON.stringify(body)}::jsonb, ${user}
        where not exists (
          select from documents where organisation = ${organisation} and id = ${TransactionId}::uuid
        )
        on conflict do nothing
        returning id
      `.execute(trx);
      if (rows.length > 0) return;
      const {
        rows: [other],
      } = await sql<{ kind: string; name: string; number: string | null }>`
        select d.kind, u.name, null as number
        from drafts d
        join users u on u.organisation = d.organisation and u.id = d.author
        where d.organisation = ${organisation} and d.id = ${TransactionId}::uuid
        union all
        select kind, '', number
        from documents
        where organisation = ${organisation} and id = ${TransactionId}::uuid
        limit 1
      `.execute(trx);
      if (other?.number === null) throw drafted(other.kind, other.name);
      throw other ? new Refusal('alreadyPosted', { number: other.number }) : new Refusal('figuresChanged');
    }),
  );

/** Matches what was made with its line, when it put just that on the bank's ledger; rounding may have come between. */
const matchWhole = ({ inTransaction, ...context }: Context, { ledger, line }: Asked, document: Id): Promise<boolean> =>
  inTransaction(async (trx) => {
    const { rows } = await sql<{
      leg: number;
      cleared: boolean;
    }>`
      select
        e.leg,
        exists (
          select from bank_clearings c
          where c.organisation = e.organisation and c.document = e.document and c.leg = e.leg
        ) as cleared
      from entries e
      where e.organisation = ${context.organisation}
        and e.document = ${document}::uuid
        and e.ledger = ${ledger}::uuid
    `.execute(trx);
    if (rows.length > 0 && rows.every(({ cleared }) => cleared)) return true;
    try {
      await match(trx, { ...context, inTransaction }, ledger, [
        { line, entries: rows.map(({ leg }) => ({ document, leg })) },
      ]);
      return true;
    } catch (error) {
      if (error instanceof Problems || error instanceof Refusal) return false;
      throw error;
    }
  });
