import { sql } from 'kysely';
import type pg from 'pg';
import type { Day, Id } from '../../../domain/document/document.ts';
import { kindNames, kindOf, takesBack } from '../../../domain/document/kinds/index.ts';
import { turnoverLimits } from '../../../domain/tax/gst/turnover.ts';
import {
  type AdvancesBefore,
  billsGoods,
  buysGoods,
  deducteeOf,
  goodsSection,
  looksBefore,
  mayNeedSection,
  type PaidBefore,
  standingsOf,
  type TdsBefore,
} from '../../../domain/tax/withheld.ts';
import type { Executor } from '../../kit/database/sql.ts';
import type { OrganisationSnapshot } from './snapshot.ts';
import type { PostingRequest } from './types.ts';

/** Kinds of money: all that they settle was paid. */
const moneyKinds: readonly string[] = kindNames.filter((name) => kindOf(name).lines === 'none');

/** Bills of goods, and what takes goods or a part of their price back. */
const goodsKinds = kindNames.filter((name) => billsGoods(kindOf(name)));
const goodsBack = kindNames.filter((name) => buysGoods(kindOf(name)) && takesBack(kindOf(name)));

interface Found {
  readonly pan: string | null;
  readonly paid: readonly PaidBefore[];
  readonly advances: readonly AdvancesBefore[];
}
const asFacts = (found: Found | undefined, date: Day): TdsBefore => {
  const { pan = null, paid = [], advances = [] } = found ?? {};
  const deductee = deducteeOf(pan);
  return { deductee, standings: standingsOf(paid, date, { hasPan: pan !== null, deductee }, advances) };
};

/** What a payee is, and what it was paid or credited under each section in the tax year of a day. */
export async function tdsBefore(run: Executor, organisation: number, payee: Id, date: Day): Promise<TdsBefore> {
  const { rows } = await sql<{
    found: Found;
  }>`select tds_before(${organisation}, ${payee}::uuid, ${date}::date, ${[...moneyKinds]}::text[], ${goodsSection?.section ?? ''}::text, ${[...goodsKinds]}::text[], ${[...goodsBack]}::text[]) as found`.execute(
    run,
  );
  return asFacts(rows[0]?.found, date);
}

type Asked = Pick<PostingRequest, 'draft' | 'kind'> & Pick<Partial<PostingRequest>, 'mirrorOf'>;

/** Whose payments before may decide what a posting deducts, or that it should; undefined where nothing hangs on them. */
export const payeeOf = ({ draft, kind, mirrorOf }: Asked): Id | undefined =>
  mirrorOf === undefined && (looksBefore(kindOf(kind), draft) || mayNeedSection(kindOf(kind), draft))
    ? draft.party
    : undefined;

/** The same, without bills on which nobody chose a section and of which this organisation deducts nothing. */
export const payeeAt = ({ registrations, turnovers }: OrganisationSnapshot, asked: Asked): Id | undefined => {
  const { kind, draft } = asked;
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
    found.set(one.id, asFacts(rows[0]?.found, one.draft.date));
  }
  return found;
}
