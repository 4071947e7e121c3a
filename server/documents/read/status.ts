import { type RawBuilder, sql } from 'kysely';
import { say } from '../../../domain/base/say.ts';
import type { Day } from '../../../domain/document/document.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { type State, stateOf } from '../../../domain/document/lives.ts';
import { Problems } from '../../kit/problems.ts';

/** What happened to a document, as its status needs it. Amounts and quantities are whole numbers as text. */
export interface Happened {
  readonly cancelled: boolean;
  readonly open: string | null;
  readonly original: string | null;
  readonly due_date: string | null;
  /** Of an order: what its lines ask for and what follow-ups have taken. */
  readonly wanted?: string | null;
  readonly taken?: string | null;
  /** And what is left of lines that were given up. */
  readonly given_up?: string | null;
}

/** Where a document stands, from what happened to it; nothing of it is stored. */
export const statusOf = (
  kind: Kind,
  { cancelled, open, original, due_date: due, wanted, taken, given_up: givenUp }: Happened,
  today: Day,
): State =>
  stateOf(
    kind,
    {
      draft: false,
      cancelled,
      ...(open !== null && { item: { open: Number(open), original: Number(original), ...(due !== null && { due }) } }),
      ...(taken != null && {
        carried: { whole: Number(wanted) - Number(givenUp ?? 0), done: Number(taken) },
        closed: Number(givenUp ?? 0) > 0 && Number(taken) + Number(givenUp) >= Number(wanted),
      }),
    },
    today,
  );

/** A join that adds `wanted`, `taken` and `given_up` to documents `d`; nothing is counted for kinds that others do not carry on. */
export const fulfilment = ({ life }: Pick<Kind, 'life'>): RawBuilder<unknown> =>
  life.cycle !== 'posted'
    ? sql`cross join lateral carried_out(d.organisation, d.id) f`
    : sql`cross join (select null::bigint as wanted, null::bigint as taken, null::bigint as given_up) f`;

const cancelled = sql`exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`;
const live = (condition: RawBuilder<unknown>) => sql`${condition} and not ${cancelled}`;

/** The condition of a status on documents `d` with open items `o` and, of orders, fulfilment `f`. One that is not known is named. */
export function statusFilter(kind: Pick<Kind, 'life'>, status: string | undefined, today: string): RawBuilder<unknown> {
  const carried = kind.life.cycle !== 'posted';
  switch (status) {
    case undefined:
    case '':
    case 'draft':
    case 'pendingApproval':
    case 'rejected':
      return sql`true`;
    case 'cancelled':
      return cancelled;
    case 'posted':
      return sql`not ${cancelled}`;
    case 'open':
      return live(
        carried
          ? sql`f.taken = 0 and (f.given_up = 0 or f.given_up < f.wanted)`
          : sql`o.open = o.original and o.open > 0 and (o.due_date is null or o.due_date >= ${today}::date)`,
      );
    case 'partlyFulfilled':
      return live(sql`f.taken > 0 and f.taken + f.given_up < f.wanted`);
    case 'closed':
      return live(sql`f.given_up > 0 and f.taken + f.given_up >= f.wanted`);
    case 'fulfilled':
      return live(sql`f.taken >= f.wanted`);
    case 'unpaid':
      return live(sql`o.open > 0`);
    case 'partlyPaid':
      return live(sql`o.open > 0 and o.open < o.original`);
    case 'overdue':
      return live(sql`o.open > 0 and o.due_date < ${today}::date`);
    case 'paid':
      return live(sql`o.open = 0`);
    default:
      throw new Problems([{ field: 'Status', ...say('There is no such status') }]);
  }
}
