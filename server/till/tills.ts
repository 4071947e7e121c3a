import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import type { tillView } from '../../contract/till.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import type { PriceSource } from '../../domain/till/till.ts';
import type { Context } from '../context.ts';
import { isHere, type OwnRegistration, snapshotNow } from '../documents/index.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** A till as its master keeps it. */
export interface TillRow {
  readonly id: Id;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  readonly body: {
    readonly location: Id;
    readonly prices?: PriceSource;
    readonly discountLimit?: string;
    readonly printWidth?: '80' | '58';
    readonly upiId?: string;
    readonly cashLedger?: Id;
    readonly cardLedger?: Id;
    readonly upiLedger?: Id;
  };
}

/** The till, when the user may use its location; else as if there was none. */
export async function tillOf(trx: Trx, context: Context, id: Id): Promise<TillRow> {
  const { rows } = await sql<TillRow>`
    select id, code, name, active, body
    from masters
    where organisation = ${context.organisation} and master = 'till' and id = ${id}::uuid
  `.execute(trx);
  const [till] = rows;
  if (!till || !isHere(context, till.body.location)) throw new Refusal('notFound');
  return till;
}

export const cashLedgerOf = async (trx: Trx, context: Context, { body }: TillRow): Promise<Id> =>
  body.cashLedger || (await snapshotNow(trx, context.organisation)).ledgers.cash;

interface SessionRow {
  id: Id;
  till: Id;
  device: Id | null;
  name: string;
  opened_at: Date;
  opened_by: string;
  closed_at: Date | null;
  closed_by: string | null;
  bills: number;
  total: string;
  counted: string | null;
  expected: string | null;
}

/** Sessions by a condition on `s`, the latest first, at places the user may use. */
export async function sessions(trx: Trx, context: Context, condition: RawBuilder<unknown>): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select
      s.id, s.till, s.device, m.name, s.opened_at, o.name as opened_by, s.closed_at, c.name as closed_by,
      s.counted, s.expected, t.bills, t.total
    from till_sessions s
    join masters m on m.organisation = s.organisation and m.id = s.till
    join users o on o.organisation = s.organisation and o.id = s.opened_by
    left join users c on c.organisation = s.organisation and c.id = s.closed_by
    cross join lateral (
      select
        count(*) filter (where d.kind = ${kindFor('tillBill')})::int as bills,
        coalesce(sum(d.total) filter (where d.kind = ${kindFor('tillBill')}), 0) as total
      from till_documents b
      join documents d on d.organisation = b.organisation and d.id = b.document
      where b.organisation = s.organisation and b.session = s.id
    ) t
    where s.organisation = ${context.organisation}
      and ${condition}
      and ${context.locations.length > 0 ? sql`s.location = any(${[...context.locations]}::uuid[])` : sql`true`}
    order by s.opened_at desc, s.id desc
    limit 200
  `.execute(trx);
  return rows;
}

export const sessionText = (s: SessionRow) => ({
  id: s.id,
  opened: s.opened_at.toISOString(),
  openedBy: s.opened_by,
  closed: s.closed_at?.toISOString() ?? null,
  closedBy: s.closed_by,
  bills: s.bills,
  total: moneyText(Number(s.total)),
  difference: s.counted === null ? null : moneyText(Number(s.counted) - Number(s.expected)),
});

/** Who sells, as rule 46 wants it on a bill: name, address and registration. */
async function sellersOf(
  trx: Trx,
  { organisation }: Context,
): Promise<Map<Id, { legalName: string; lines: string[] }>> {
  const { rows } = await sql<{
    id: Id;
    legal_name: string;
    gstin: string | null;
    state: string;
    body: Record<string, string>;
  }>`select id, legal_name, gstin, state, body from registrations where organisation = ${organisation}`.execute(trx);
  return new Map(
    rows.map(({ id, legal_name: legalName, gstin, state, body }) => [
      id,
      {
        legalName,
        lines: [
          body['line1'],
          body['line2'],
          [body['city'], body['pincode']].filter(Boolean).join(' '),
          `State ${state} – ${stateName(state) ?? ''}`,
          gstin ? `GSTIN ${gstin}` : 'Not registered under GST',
          body['phone'] && `Phone ${body['phone']}`,
        ].filter((line): line is string => Boolean(line)),
      },
    ]),
  );
}

/** The tills in use with their settings and the session that is open. */
export async function listTills(
  trx: Trx,
  context: Context,
  device: Id | undefined,
): Promise<z.input<typeof tillView>[]> {
  const { rows } = await sql<TillRow>`
    select id, code, name, active, body
    from masters
    where organisation = ${context.organisation} and master = 'till' and active
    order by lower(name), id
  `.execute(trx);
  const snapshot = await snapshotNow(trx, context.organisation);
  const sellers = await sellersOf(trx, context);
  const numbers = await numbersOf(trx, context);
  const now = new Date(context.now).toISOString();
  const open = new Map((await sessions(trx, context, sql`s.closed_at is null`)).map((s) => [s.till, s]));
  return rows.flatMap(({ id, code, name, body }) => {
    const place = snapshot.locations.get(body.location);
    if (!place?.active || !isHere(context, place.id)) return [];
    const session = open.get(id);
    return [
      {
        id,
        code,
        name,
        location: place.id,
        locationName: place.name,
        registration: place.registration,
        session: session
          ? {
              ...sessionText(session),
              here: device !== undefined && session.device === device,
              held: session.device !== null,
            }
          : null,
        numbers: (session && numbers.get(session.id)) ?? null,
        einvoice: invoicesBy(snapshot.registrations.get(place.registration), context.today),
        now,
        seller: sellers.get(place.registration) ?? { legalName: '', lines: [] },
        prices: body.prices ?? 'saleRate',
        discountLimit: body.discountLimit ?? null,
        printWidth: body.printWidth ?? '80',
        upiId: body.upiId ?? '',
        ledgers: {
          cash: body.cashLedger || snapshot.ledgers.cash,
          card: body.cardLedger || snapshot.ledgers.clearing,
          upi: body.upiLedger || snapshot.ledgers.clearing,
        },
      },
    ];
  });
}

const invoicesBy = (own: OwnRegistration | undefined, day: string): boolean =>
  own?.einvoice === true && (own.einvoiceFrom === null || own.einvoiceFrom <= day);

type Numbers = NonNullable<z.input<typeof tillView>['numbers']>;

/** By open session: what the browser that holds it goes on with. */
async function numbersOf(trx: Trx, { organisation }: Context): Promise<Map<Id, Numbers>> {
  const { rows } = await sql<Numbers & { session: Id }>`
    select
      t.id as session, s.id as series, s.prefix, s.suffix, s.padding, s.start, s.reset,
      l.code as location,
      (
        select coalesce(json_agg(json_build_object('period', c.period, 'next', c.next)), '[]')
        from series_counters c
        where c.organisation = s.organisation and c.series = s.id
      ) as counters
    from till_sessions t
    join number_series s on s.organisation = t.organisation and s.id = t.series
    join locations l on l.organisation = t.organisation and l.id = t.location
    where t.organisation = ${organisation} and t.closed_at is null
  `.execute(trx);
  return new Map(rows.map(({ session, ...numbers }) => [session, numbers]));
}

export const listSessions = async (
  trx: Trx,
  context: Context,
  { FromDate, ToDate }: { readonly FromDate?: string | undefined; readonly ToDate?: string | undefined },
) =>
  (
    await sessions(
      trx,
      context,
      sql`${FromDate ? sql`s.opened_on >= ${FromDate}::date` : sql`true`} and ${ToDate ? sql`s.opened_on <= ${ToDate}::date` : sql`true`}`,
    )
  ).map((s) => ({ ...sessionText(s), till: s.name }));
