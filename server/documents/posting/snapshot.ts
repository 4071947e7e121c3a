import { sql } from 'kysely';
import type pg from 'pg';
import { type GeneralConfiguration, generalConfiguration, switchesOf } from '../../../contract/session.ts';
import { type Control, controlledLedgers } from '../../../domain/books/controls.ts';
import type { LedgerCurrencies } from '../../../domain/books/currency-ledgers.ts';
import type { Effect, Ledgers } from '../../../domain/books/effects.ts';
import { keptLedgers, type LedgerSeen, type LedgerTax, type Nature } from '../../../domain/books/ledger-uses.ts';
import type { LockName, Locks } from '../../../domain/books/registers.ts';
import { type ApprovalRule, rulesOf } from '../../../domain/document/approval.ts';
import type { Day, Id } from '../../../domain/document/document.ts';
import type { Switches } from '../../../domain/document/switches.ts';
import type { Measure } from '../../../domain/stock/units.ts';
import type { OwnAddress } from '../../../domain/tax/gst/registration/own-places.ts';
import type { Status, Stop } from '../../../domain/tax/gst/registration/registered.ts';
import type { Turnover } from '../../../domain/tax/gst/registration/turnover.ts';
import type { AnnualReturns } from '../../../domain/tax/gst/returns/time-limits.ts';
import type { Executor } from '../../kit/database/sql.ts';
import type { BookSettings } from './types.ts';

export interface OwnRegistration extends Status {
  readonly id: Id;
  readonly state: string;
  readonly gstin: string | null;
  readonly legalName: string;
  readonly address: OwnAddress;
  readonly einvoice: boolean;
  readonly einvoiceFrom: Day | null;
  readonly stops: readonly Stop[];
  readonly active: boolean;
}
export interface OwnLocation {
  readonly id: Id;
  readonly code: string;
  readonly name: string;
  readonly registration: Id;
  readonly address: OwnAddress;
  readonly active: boolean;
}
export interface OwnCostCentre {
  readonly id: Id;
  readonly name: string;
  readonly active: boolean;
}
export interface Series {
  readonly id: Id;
  readonly kind: string;
  readonly registration: Id;
  readonly location: Id | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly padding: number;
  readonly start: number;
  readonly reset: 'year' | 'month' | 'never';
}

/** What changes seldom in an organisation and every posting needs; `version` tells whether it is still so. */
export interface OrganisationSnapshot {
  readonly organisation: number;
  readonly version: string;
  readonly settings: GeneralConfiguration;
  readonly switches: Switches;
  /** Kinds that somebody else than their author posts. */
  readonly approvals: readonly ApprovalRule[];
  readonly ledgers: Ledgers;
  /** The ledgers among them that are kept in step with the stock balances or with the parties' accounts. */
  readonly controlled: ReadonlyMap<Id, Control>;
  /** What ledgers are kept for: control accounts and tax heads. */
  readonly kept: ReadonlyMap<Id, Effect>;
  readonly transit: Id | undefined;
  /** Ledgers that are kept in another currency. */
  readonly currencies: LedgerCurrencies;
  /** Ledgers of cash, bank, clearing and undeposited funds. */
  readonly money: ReadonlySet<Id>;
  /** Those of them that are cash. */
  readonly cash: ReadonlySet<Id>;
  /** What ledgers are that are no expense. */
  readonly natures: ReadonlyMap<Id, Nature>;
  /** What is usual of the tax of ledgers that say so. */
  readonly usualTax: ReadonlyMap<Id, LedgerTax>;
  /** Registers that are locked by themselves. */
  readonly locks: Locks;
  readonly registrations: ReadonlyMap<Id, OwnRegistration>;
  readonly locations: ReadonlyMap<Id, OwnLocation>;
  /** How units are counted, by their code in capitals. */
  readonly units: ReadonlyMap<string, Measure>;
  /** Cost centres, those that are retired too. */
  readonly costCentres: ReadonlyMap<Id, OwnCostCentre>;
  /** Those that a document may name: all but goods in transit. */
  readonly places: ReadonlyMap<Id, OwnLocation>;
  /** By PAN and financial year, as it was when the snapshot was read: limits hang on years that have ended. */
  readonly turnovers: readonly Turnover[];
  /** When annual returns were filed, by registration and financial year. */
  readonly annualReturns: Readonly<Record<Id, AnnualReturns>>;
  /** By kind and registration; a location's own before the registration's. */
  readonly series: ReadonlyMap<string, readonly Series[]>;
}

interface Row {
  version: string;
  snapshot: {
    settings: unknown;
    ledgers: Ledgers | null;
    currencies: Record<Id, string>;
    transit: Id | null;
    locks: Record<LockName, Day>;
    registrations: OwnRegistration[];
    locations: OwnLocation[];
    series: Series[];
  };
  units: Record<string, Measure>;
  turnovers: readonly Turnover[];
  annual: Record<Id, AnnualReturns>;
  centres: readonly OwnCostCentre[];
  money: readonly Id[];
  cash: readonly Id[];
  natures: Readonly<Record<Id, Nature>>;
  usual: Readonly<Record<Id, LedgerTax>>;
}

const byId = <T extends { readonly id: Id }>(rows: readonly T[]): ReadonlyMap<Id, T> =>
  new Map(rows.map((r) => [r.id, r]));

export const locksIn = (locks: Readonly<Record<string, Day>>): Locks =>
  new Map(Object.entries(locks) as [LockName, Day][]);

function snapshotOf(organisation: number, row: Row | undefined): OrganisationSnapshot {
  if (!row) throw new Error('the organisation has no snapshot');
  const { version, snapshot, units, turnovers, annual, centres, money, cash, natures, usual } = row;
  const series = new Map<string, Series[]>();
  for (const s of snapshot.series) {
    const name = `${s.kind}/${s.registration}`;
    series.set(name, [...(series.get(name) ?? []), s]);
  }
  const settings = generalConfiguration.parse(snapshot.settings);
  const ledgers = snapshot.ledgers ?? ({} as Ledgers);
  const controlled = controlledLedgers(ledgers, settings.stockAccounting === 'perpetual' && settings.trackInventory);
  return {
    organisation,
    version,
    settings,
    switches: switchesOf(settings),
    approvals: rulesOf(settings.approvals),
    ledgers,
    controlled,
    kept: keptLedgers(ledgers),
    currencies: new Map(Object.entries(snapshot.currencies)),
    money: new Set(money),
    cash: new Set(cash),
    natures: new Map(Object.entries(natures)),
    usualTax: new Map(Object.entries(usual)),
    transit: snapshot.transit ?? undefined,
    locks: locksIn(snapshot.locks),
    registrations: byId(snapshot.registrations),
    locations: byId(snapshot.locations),
    places: byId(snapshot.locations.filter(({ id }) => id !== snapshot.transit)),
    units: new Map(Object.entries(units)),
    turnovers,
    annualReturns: annual,
    costCentres: byId(centres),
    series,
  };
}

/** As the database has it now; names the organisation for the rest of the transaction. */
export async function readSnapshot(client: pg.ClientBase, organisation: number): Promise<OrganisationSnapshot> {
  return snapshotOf(
    organisation,
    (
      await client.query<Row>({
        name: 'snapshot',
        text: `
          select
            version, house as snapshot, unit_measures($1) as units, turnovers($1) as turnovers,
            annual_returns($1) as annual, cost_centre_facts($1) as centres, money_ledgers($1) as money,
            array(select id from ledgers where organisation = $1 and not is_group and role = 'cash') as cash,
            (
              select coalesce(json_object_agg(id, nature), '{}')
              from ledgers
              where organisation = $1 and not is_group and nature <> 'expense'
            ) as natures,
            (
              select coalesce(
                json_object_agg(
                  id, json_strip_nulls(json_build_object('hsn', hsn, 'creditBlocked', nullif(credit_blocked, false)))
                ),
                '{}'
              )
              from ledgers
              where organisation = $1 and not is_group and (hsn is not null or credit_blocked)
            ) as usual
          from house_facts($1)
        `,
        values: [organisation],
      })
    ).rows[0],
  );
}

/** What an organisation has settled about its books. */
export const bookSettings = ({ settings }: OrganisationSnapshot): BookSettings => ({
  perpetual: settings.stockAccounting === 'perpetual',
  method: settings.valuation,
  allowNegative: settings.isAllowNegative,
  trackInventory: settings.trackInventory,
});

/** A ledger as lines that name it ask about it. */
export const seenIn = ({ money, kept }: Pick<OrganisationSnapshot, 'money' | 'kept'>, ledger: Id): LedgerSeen => {
  const effect = kept.get(ledger);
  return { money: money.has(ledger), effects: effect ? [effect] : [] };
};

/** The same where a query builder runs. */
export async function snapshotNow(run: Executor, organisation: number): Promise<OrganisationSnapshot> {
  return snapshotOf(
    organisation,
    (
      await sql<Row>`
        select
          version, house as snapshot, unit_measures(${organisation}) as units, turnovers(${organisation}) as turnovers,
          annual_returns(${organisation}) as annual, cost_centre_facts(${organisation}) as centres,
          money_ledgers(${organisation}) as money,
          array(
            select id from ledgers where organisation = ${organisation} and not is_group and role = 'cash'
          ) as cash,
          (
            select coalesce(json_object_agg(id, nature), '{}')
            from ledgers
            where organisation = ${organisation} and not is_group and nature <> 'expense'
          ) as natures,
          (
            select coalesce(
              json_object_agg(
                id, json_strip_nulls(json_build_object('hsn', hsn, 'creditBlocked', nullif(credit_blocked, false)))
              ),
              '{}'
            )
            from ledgers
            where organisation = ${organisation} and not is_group and (hsn is not null or credit_blocked)
          ) as usual
        from house_facts(${organisation})
      `.execute(run)
    ).rows[0],
  );
}

/** The series a new document takes its number from: the location's own, else the registration's. */
export const seriesAt = (
  snapshot: OrganisationSnapshot,
  kind: string,
  registration: Id,
  location: Id,
): Series | undefined =>
  snapshot.series.get(`${kind}/${registration}`)?.find((s) => s.location === null || s.location === location);
