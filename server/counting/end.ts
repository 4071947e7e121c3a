import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { countCalls } from '../../contract/counting.ts';
import { Refusal } from '../../contract/errors.ts';
import { millionths, ONE } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import { needsApproval } from '../../domain/document/approval.ts';
import type { Draft, DraftLine, Id, Warning } from '../../domain/document/document.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import { adjusting, outcomeOf } from '../../domain/stock/counting.ts';
import { countReason, reasonContradicted, reasonProblem } from '../../domain/tax/credit-lost.ts';
import { isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import { type Poster, preparePosting, reasonsOf, snapshotNow } from '../documents/index.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';
import { differs, type Line, linesOf, worthOf } from './lines.ts';
import { running, type Sheet, sheetName, sheetOf, type Trx } from './sheets.ts';

type Post = (typeof countCalls)['PostCountSheet'];

/** Lines that one document holds. */
const TOGETHER = 500;

/** After so many seconds who posted it has died: somebody else posts the rest. */
const ABANDONED = 60;

interface Planned {
  readonly id: Id;
  readonly reason: string;
  readonly lines: readonly DraftLine[];
  readonly date: string;
}

/** Lines that nobody counted are left as they are, or nothing of them was found. */
const asFound = (line: Line, uncounted: Input<Post>['uncounted']): Line => {
  if (line.outcome || uncounted === 'leave') return line;
  const { row } = line;
  const counts = [
    {
      round: row.round,
      at: '',
      quantity: millionths(0),
      book: millionths(Number(row.now ?? 0)),
      serials: [],
      bookSerials: row.now_serials ?? [],
    },
  ];
  return { ...line, counts, outcome: outcomeOf(counts) };
};

/** One adjustment for each reason, as many as it takes. */
function planOf(lines: readonly Line[], usual: string, date: string): Planned[] {
  const byReason = new Map<string, DraftLine[]>();
  for (const { row, line, outcome } of lines) {
    const reason = row.reason || usual;
    if (outcome) byReason.set(reason, [...(byReason.get(reason) ?? []), ...adjusting(line, outcome)]);
  }
  return [...byReason].flatMap(([reason, all]) =>
    Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, at) => ({
      id: newId(),
      reason,
      date,
      lines: all.slice(at * TOGETHER, (at + 1) * TOGETHER),
    })),
  );
}

/**
 * The adjustments of a count, decided once, by another than who counted where so much needs approval: who comes again
 * after something went wrong finds them and posts the rest.
 */
async function approve(
  trx: Trx,
  context: Context,
  { id, version, date, reason, uncounted, value }: Input<Post>,
): Promise<{ sheet: Sheet; plan: readonly Planned[] }> {
  if (date > context.today) throw new Problems([{ field: 'date', ...say('This day is still to come') }]);
  const { rows } = await sql<{
    age: number;
  }>`
    select extract(epoch from clock_timestamp() - ended_at)::int as age
    from count_sheets
    where organisation = ${context.organisation} and id = ${id}::uuid
    for update
  `.execute(trx);
  const known = await sheetOf(trx, context, id);
  // one alone posts it: should it fail, nobody else may have posted what it then takes back
  if (known.state === 'posting' && (rows[0]?.age ?? 0) < ABANDONED) throw new Refusal('busy');
  if (known.state === 'posting' || known.state === 'posted')
    return { sheet: known, plan: known.plan as unknown as Planned[] };
  const sheet = await running(trx, context, id, version);
  const all = await linesOf(trx, context, sheet);
  const waiting = all.filter(
    ({ row, outcome }) => row.round > 1 && !row.counts?.some((count) => count.round === row.round) && outcome,
  );
  if (waiting.length > 0)
    throw new Refusal('cannotChange', {
      name: sheetName(sheet),
      reason:
        waiting.length === 1
          ? say('a line is still to be counted again')
          : say('{{count}} lines are still to be counted again', { count: waiting.length }),
    });
  if (uncounted === 'leave' && all.every(({ outcome }) => outcome === undefined))
    throw new Problems([{ field: 'uncounted', ...say('Nothing was counted yet') }]);
  const lines = all.map((line) => asFound(line, uncounted)).filter(differs);
  // what was shown is what is posted; who does not see what goods cost was shown quantities
  if (value === null ? !isCostHidden(context) : lines.reduce((total, line) => total + worthOf(line), 0) !== value)
    throw new Refusal('figuresChanged');
  const { approvals } = await snapshotNow(trx, context.organisation);
  const worth = lines.reduce((total, line) => total + Math.abs(worthOf(line)), 0);
  if (
    lines.length > 0 &&
    needsApproval(approvals, kindFor('stockAdjustment'), worth) &&
    all.some(({ row }) => row.counts?.some(({ user }) => user === context.user))
  )
    throw new Refusal('ownApproval');
  const plan = planOf(lines, reason, date);
  const unfit = plan.flatMap((one) => reasonContradicted(one.reason, one.lines) ?? []);
  if (unfit.length > 0) throw new Problems(unfit.map((message) => ({ field: 'reason', ...message })));
  await sql`
    update count_sheets
    set
      state = ${plan.length > 0 ? 'posting' : 'posted'}, plan = ${JSON.stringify(plan)}::jsonb,
      ended_by = ${context.user}, ended_at = clock_timestamp(), version = version + 1
    where organisation = ${context.organisation} and id = ${id}::uuid
  `.execute(trx);
  return { sheet, plan };
}

const draftOf = (sheet: Sheet, { date, reason, lines }: Planned): Draft => ({
  kind: kindFor('stockAdjustment'),
  date,
  registration: sheet.registration,
  location: sheet.location,
  currency: 'INR',
  exchangeRate: millionths(ONE),
  lines,
  // what the list of reasons does not have is a remark: goods were counted
  fields: { adjustmentReason: reasonProblem(reason) === undefined ? reason : countReason },
  narration: [`Count ${sheetName(sheet)}`, sheet.name, ...(reasonProblem(reason) === undefined ? [] : [reason])]
    .filter(Boolean)
    .join(': '),
  reference: sheetName(sheet),
});

/** Posts what was decided, each document under the id it was given: once, whoever does it and however often. */
export async function postSheet(poster: Poster, asked: Input<Post>, context: Context): Promise<Answer<Post>> {
  const { sheet, plan } = await context.inTransaction((trx) => approve(trx, context, asked));
  const { organisation } = context;
  const posted = () =>
    context.inTransaction(
      async (trx) =>
        (
          await sql<{
            id: Id;
            number: string;
          }>`
            select id, number
            from documents
            where organisation = ${organisation} and id = any(${plan.map((each) => each.id)}::uuid[])
          `.execute(trx)
        ).rows,
    );
  const warnings: Warning[] = [];
  const reasons = reasonsOf(context, asked.accepted);
  const there = new Set((await posted()).map((each) => each.id));
  try {
    // the key belongs to the count as a whole: each of its documents is known by its id
    for (const each of plan)
      if (!there.has(each.id)) {
        const made = await poster.post(
          await preparePosting(
            { ...context, key: undefined, digest: undefined },
            { ...draftOf(sheet, each), ...reasons },
            {
              id: each.id,
              skipsApproval: true,
            },
          ),
        );
        warnings.push(...(made.warnings ?? []));
      }
  } catch (error) {
    // nothing of it stands yet: it is counted on, and what stood in the way is mended
    const standing = await posted();
    if (standing.length === 0)
      await context.inTransaction((trx) =>
        sql`
          update count_sheets
          set state = 'counting', plan = null, ended_by = null, ended_at = null, version = version + 1
          where organisation = ${organisation} and id = ${sheet.id}::uuid and state = 'posting'
        `.execute(trx),
      );
    throw error;
  }
  return context.inTransaction(async (trx) => {
    await sql`
      update count_sheets
      set state = 'posted', version = version + 1
      where organisation = ${organisation} and id = ${sheet.id}::uuid and state = 'posting'
    `.execute(trx);
    const { rows } = await sql<{
      id: Id;
      number: string;
    }>`select id, number from documents where organisation = ${organisation} and id = any(${plan.map((each) => each.id)}::uuid[])`.execute(
      trx,
    );
    return { documents: plan.flatMap(({ id }) => rows.filter((row) => row.id === id)), warnings };
  });
}
