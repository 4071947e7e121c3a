import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { paise } from '../../../../domain/base/money.ts';
import type { Day, Id } from '../../../../domain/document/document.ts';
import { kindNames, kindOf, takesBack } from '../../../../domain/document/kinds/index.ts';
import { turnoverLimits } from '../../../../domain/tax/gst/registration/turnover.ts';
import {
  type AdvancesBefore,
  billsGoods,
  buysGoods,
  deducteeOf,
  goodsSection,
  looksBefore,
  mayMissSection,
  mayNeedSection,
  type PaidBefore,
  standingsOf,
  type TdsBefore,
} from '../../../../domain/tax/withheld.ts';
import type { Executor } from '../../../kit/database/sql.ts';
import type { OrganisationSnapshot } from '../snapshot.ts';
import type { PostingRequest } from '../types.ts';

/** Kinds of money: all that they settle was paid. */
const moneyKinds: readonly string[] = kindNames.filter((name) => kindOf(name).lines.of === 'none');

/** Bills of goods, and what takes goods or a part of their price back. */
const goodsKinds = kindNames.filter((name) => billsGoods(kindOf(name)));
const goodsBack = kindNames.filter((name) => buysGoods(kindOf(name)) && takesBack(kindOf(name)));

/** Bills on which a section may be chosen. */
const billKinds = kindNames.filter((name) => {
  const { fields, lines } = kindOf(name);
  return fields.includes('tdsSection') && lines.of !== 'none' && !takesBack(kindOf(name));
});
/** The bills of services and expenses of a payee in the tax year of a day that name no section. */
const unmarked = `
  select json_build_object('bills', count(*), 'value', coalesce(sum(s.value), 0)) as unmarked
  from documents d
  cross join lateral (
    select sum(l.value)::bigint as value
    from document_lines l
    where l.organisation = d.organisation and l.document = d.id and (l.service or l.item is null)
  ) s
  where d.organisation = $1
    and d.party = any(party_family($1, $2::uuid))
    and d.date >= make_date(extract(year from $3::date)::int - case when extract(month from $3::date) < 4 then 1 else 0 end, 4, 1)
    and d.date < make_date(extract(year from $3::date)::int + case when extract(month from $3::date) < 4 then 0 else 1 end, 4, 1)
    and d.kind = any($4::text[])
    and d.reverses is null
    and d.body #>> '{draft,tdsSection}' is null
    and s.value > 0
    and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)`;

interface Found {
  readonly unmarked?: { readonly bills: number; readonly value: number };
  readonly pan: string | null;
  readonly paid: readonly PaidBefore[];
  readonly advances: readonly AdvancesBefore[];
}
const asFacts = (found: Found | undefined, date: Day): TdsBefore => {
  const { pan = null, paid = [], advances = [], unmarked: bare } = found ?? {};
  const deductee = deducteeOf(pan);
  return {
    deductee,
    standings: standingsOf(paid, date, { hasPan: pan !== null, deductee }, advances),
    ...(bare && bare.bills > 0 && { unmarked: { bills: bare.bills, value: paise(bare.value) } }),
  };
};

/** What a payee is, and what it was paid or credited under each section in the tax year of a day. */
export async function tdsBefore(run: Executor, organisation: number, payee: Id, date: Day): Promise<TdsBefore> {
  const { rows } = await sql<{ found: Found }>`
    select
      tds_before(
        ${organisation}, ${payee}::uuid, ${date}::date, ${[...moneyKinds]}::text[],
        ${goodsSection?.section ?? ''}::text, ${[...goodsKinds]}::text[], ${[...goodsBack]}::text[]
      ) as found
  `.execute(run);
  const bare = await run.executeQuery<{ unmarked: NonNullable<Found['unmarked']> }>(
    CompiledQuery.raw(unmarked, [organisation, payee, date, billKinds]),
  );
  const [found] = rows;
  return asFacts(found && { ...found.found, ...bare.rows[0] }, date);
}

type Asked = Pick<PostingRequest, 'draft' | 'kind'> & Pick<Partial<PostingRequest>, 'mirrorOf'>;

/** Whose payments before may decide what a posting deducts, or that it should; undefined where nothing hangs on them. */
export const payeeOf = ({ draft, kind, mirrorOf }: Asked): Id | undefined =>
  mirrorOf === undefined && (looksBefore(kindOf(kind), draft) || mayNeedSection(kindOf(kind), draft))
    ? draft.party
    : undefined;

/** The same, without bills on which nobody chose a section and of which this organisation deducts nothing. */
export const payeeAt = ({ registrations, turnovers, switches }: OrganisationSnapshot, asked: Asked): Id | undefined => {
  const { kind, draft } = asked;
  if (switches.tds && asked.mirrorOf === undefined && mayMissSection(kindOf(kind), draft)) return draft.party;
  if (looksBefore(kindOf(kind), draft)) return payeeOf(asked);
  const own = registrations.get(draft.registration);
  return turnoverLimits(turnovers, own?.gstin?.slice(2, 12), draft.date).deductsOnGoods ? payeeOf(asked) : undefined;
};

/** By id of the document asked for. Held until the transaction ends: two bills of one payee are never below the threshold side by side. */
export async function holdTdsBefore(
  client: pg.PoolClient,
  snapshot: OrganisationSnapshot,
  all: readonly PostingRequest[],
): Promise<ReadonlyMap<Id, TdsBefore>> {
  const found = new Map<Id, TdsBefore>();
  const asked = all
    .flatMap((one) => {
      const payee = payeeAt(snapshot, one);
      return payee === undefined ? [] : [{ one, payee }];
    })
    .sort((a, b) => (a.payee < b.payee ? -1 : 1));
  for (const { one, payee } of asked) {
    await client.query(
      // under its PAN: several records may be one person
      `
        select pg_advisory_xact_lock(
          hashtextextended(
            'tds/' || coalesce((select pan from parties where organisation = $1 and id = $2::uuid), $2::text), $1
          )
        )
      `,
      [one.organisation, payee],
    );
    const { rows } = await client.query<{ found: Found }>('select tds_before($1, $2, $3, $4, $5, $6, $7) as found', [
      ...[one.organisation, payee, one.draft.date, moneyKinds, goodsSection?.section ?? '', goodsKinds, goodsBack],
    ]);
    const bare = await client.query<{ unmarked: NonNullable<Found['unmarked']> }>(unmarked, [
      ...[one.organisation, payee, one.draft.date, billKinds],
    ]);
    found.set(one.id, asFacts(rows[0] && { ...rows[0].found, ...bare.rows[0] }, one.draft.date));
  }
  return found;
}
