import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { tillCalls } from '../../contract/till.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { counted } from '../../domain/till/till.ts';
import type { Context } from '../context.ts';
import {
  freedBy,
  type ItemRow,
  isHere,
  itemsOf,
  itemText,
  type Poster,
  postedOnce,
  prepareCancel,
  tillPrices,
} from '../documents/index.ts';
import { newId } from '../kit/ids.ts';
import { seriesOfTill } from '../organisation/index.ts';
import { closeTill, moveCash } from './close.ts';
import { figuresOf } from './figures.ts';
import { numberHandlers } from './numbers.ts';
import { partsAt } from './parts.ts';
import { cashLedgerOf, listSessions, listTills, tillOf } from './tills.ts';

type Calls = Handlers<typeof tillCalls, Context>;

/** Items that go over in one answer. */
const PAGE = 2000;

const openTill: Calls['OpenTill'] = ({ till: id, count, device = null }, context) =>
  context.inTransaction(async (trx) => {
    const till = await tillOf(trx, context, id);
    if (!till.active) throw new Refusal('notFound');
    const session = newId();
    const series =
      device &&
      (await seriesOfTill(trx, context.organisation, { ...till, location: till.body.location }, context.today)).id;
    const { rows } = await sql`
      insert into till_sessions (
        organisation, id, till, location, cash_ledger, opened_on, opened_by, opening, opening_count, device,
        series
      )
      values (
        ${context.organisation}, ${session}, ${till.id}, ${till.body.location},
        ${await cashLedgerOf(trx, context, till)}, ${context.today}::date, ${context.user},
        ${counted(count)}, ${JSON.stringify(count)}, ${device}::uuid, ${series}::uuid
      )
      on conflict (organisation, till)
      where closed_at is null do nothing
      returning id
    `.execute(trx);
    if (rows.length > 0) return { session };
    const other = await sql<{
      name: string;
    }>`
      select u.name
      from till_sessions s
      join users u on u.organisation = s.organisation and u.id = s.opened_by
      where s.organisation = ${context.organisation} and s.till = ${till.id} and s.closed_at is null
    `.execute(trx);
    throw new Refusal('tillOpen', { till: till.name, who: other.rows[0]?.name ?? 'Somebody' });
  });

const listItems: Calls['ListTillItems'] = ({ after = '', location }, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      id: string;
      sku: string;
      barcode: string | null;
      mrp: string | null;
      parent: string | null;
      category: string | null;
      picture: string | null;
    }>`
      select
        id, sku, barcode, body ->> 'mrp' as mrp, template as parent,
        nullif(body ->> 'category', '') as category,
        (
          select p.id
          from item_pictures p
          where p.organisation = items.organisation and p.item in (items.id, items.template)
          order by p.item = items.id desc, p.place, p.id
          limit 1
        ) as picture
      from items
      where organisation = ${context.organisation} and active and upper(sku) > ${after.toUpperCase()}
      order by upper(sku)
      limit ${PAGE + 1}
    `.execute(trx);
    const page = rows.slice(0, PAGE);
    const found = await sql<{
      items: ItemRow[] | null;
    }>`select item_facts(${context.organisation}, ${page.map((r) => r.id)}::uuid[]) as items`.execute(trx);
    const facts = itemsOf(found.rows[0]?.items ?? []);
    const parts = await partsAt(trx, context, location, [...facts.values()]);
    return {
      items: page.flatMap(({ id, barcode, mrp, parent, category, picture }) => {
        const item = facts.get(id);
        // what it costs is nothing for a counter
        return item
          ? [{ ...itemText(item), purchaseRate: null, barcode, mrp, parent, category, picture, ...parts.get(id) }]
          : [];
      }),
      after: rows.length > PAGE ? (page.at(-1)?.sku ?? null) : null,
    };
  });

const cancelBill =
  (poster: Poster): Calls['CancelPosTransaction'] =>
  async ({ TransactionId, session, reason, frees, today }, context) => {
    const reversal = await postedOnce(context, context.key, async () => {
      const asked = await prepareCancel(context, TransactionId, reason, {
        frees,
        today,
        ...(session !== undefined && { till: { session } }),
      });
      // nothing but what a till makes is cancelled at one
      if (!kindCalled(asked.mirrorOf?.kind ?? '')?.life.till) throw new Refusal('notFound');
      return poster.post({ ...asked, key: context.key, digest: context.digest });
    });
    return {
      TransactionId,
      reversal: reversal.id,
      freed: frees ? await freedBy(context, TransactionId, reversal.id) : [],
    };
  };

/** The calls about tills. A bill itself is posted like any document; it names the session it belongs to. */
export const tillHandlers = (poster: Poster): Calls => ({
  ListTills: ({ device }, context) => context.inTransaction((trx) => listTills(trx, context, device)),
  ListTillSessions: (input, context) => context.inTransaction((trx) => listSessions(trx, context, input)),
  GetTillSession: ({ session }, context) => context.inTransaction((trx) => figuresOf(trx, context, session)),

  OpenTill: openTill,

  ...numberHandlers,
  MoveTillCash: (input, context) => moveCash(poster, input, context),
  CloseTill: (input, context) => closeTill(poster, input, context),

  ListTillItems: listItems,

  ListTillPrices: ({ location }, context) =>
    context.inTransaction(async (trx) => {
      if (!isHere(context, location)) throw new Refusal('notFound');
      return tillPrices(trx, context, location);
    }),

  CancelPosTransaction: cancelBill(poster),
});
