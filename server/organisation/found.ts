import type pg from 'pg';
import { levels } from '../../contract/levels.ts';
import type { ModuleName } from '../../contract/modules.ts';
import { type Level, screenNames, screens } from '../../contract/screens.ts';
import { generalConfiguration } from '../../contract/session.ts';
import { effectNames, effects } from '../../domain/books/effects.ts';
import { chart } from '../../domain/facts/chart-of-accounts.ts';
import { uqcNames } from '../../domain/facts/uqc.ts';
import { newId } from '../kit/ids.ts';
import { firstSeries } from './series.ts';

export interface Founding {
  readonly code: string;
  readonly name: string;
  readonly registrations: readonly {
    readonly key: string;
    readonly gstin: string | null;
    readonly state: string;
    readonly legalName: string;
    readonly kind: 'regular' | 'composition' | 'unregistered' | 'sez';
    readonly einvoice: boolean;
    readonly address: FoundingAddress;
    /** Written before the numbers of this registration, so that two never look alike. */
    readonly mark: string;
  }[];
  readonly locations: readonly {
    readonly key: string;
    readonly code: string;
    readonly name: string;
    readonly registration: string;
    readonly isTax: boolean;
    readonly isPhysical: boolean;
    readonly address: FoundingAddress;
  }[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** Modules it has without end, beside the free core. */
  readonly modules?: readonly ModuleName[];
  readonly people: readonly {
    readonly email: string;
    readonly name: string;
    readonly passwordHash: string | null;
    readonly role: RoleName | null;
  }[];
}
export interface FoundingAddress {
  readonly line1: string;
  readonly city: string;
  readonly pincode: string;
}

export interface Founded {
  readonly organisation: number;
  readonly registrations: Readonly<Record<string, string>>;
  readonly locations: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, string>>;
}

const documentGroups = ['Sales', 'Purchases', 'Expenses', 'Inventory', 'Orders'];
const masterGroups = ['Parties', 'Items', 'Accounts'];
type RoleName = keyof typeof roleLevels;

/** The roles every organisation starts with: a level for each group of screens. */
const roleLevels = {
  Owner: () => levels.full,
  // marking a return as filed is a setting, and not theirs
  Accountant: (group: string) =>
    group === 'Reports'
      ? levels.view
      : [...documentGroups, ...masterGroups, 'GST'].includes(group)
        ? levels.create
        : levels.none,
  Approver: (group: string) => (documentGroups.includes(group) ? levels.approve : levels.none),
  Viewer: () => levels.view,
} as const satisfies Record<string, (group: string) => Level>;

/** Makes an organisation with all it needs to post its first document. Runs as the owner, in an open transaction. */
export async function foundOrganisation(client: pg.ClientBase, founding: Founding): Promise<Founded> {
  const settings = generalConfiguration.parse(founding.settings);
  const { rows } = await client.query<{ organisation: number }>(
    'insert into organisations (code, name, settings) values ($1, $2, $3) returning organisation',
    [founding.code, founding.name, settings],
  );
  const organisation = rows[0]?.organisation ?? 0;
  if (founding.modules)
    await client.query(
      'insert into subscriptions (organisation, id, modules, starts_on) values ($1, gen_random_uuid(), $2, current_date)',
      [organisation, founding.modules],
    );
  const registrations = await addRegistrations(client, organisation, founding);
  const locations = await addLocations(client, organisation, founding, registrations);
  await addLedgers(client, organisation);
  await addUnits(client, organisation);
  await addSeries(client, organisation, founding, registrations);
  await client.query('insert into locks (organisation) values ($1)', [organisation]);
  const roles = await addRoles(client, organisation);
  const users: Record<string, string> = {};
  for (const person of founding.people) users[person.email] = await addPerson(client, organisation, person, roles);
  return { organisation, registrations, locations, users };
}

async function addRegistrations(
  client: pg.ClientBase,
  organisation: number,
  { registrations }: Founding,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const r of registrations) {
    ids[r.key] = newId();
    await client.query(
      'insert into registrations (organisation, id, gstin, state, legal_name, kind, body) values ($1, $2, $3, $4, $5, $6, $7)',
      [organisation, ids[r.key], r.gstin, r.state, r.legalName, r.kind, { ...r.address, einvoice: r.einvoice }],
    );
  }
  return ids;
}

async function addLocations(
  client: pg.ClientBase,
  organisation: number,
  { locations, registrations }: Founding,
  ids: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const places: Record<string, string> = {};
  for (const l of locations) {
    places[l.key] = newId();
    await client.query(
      `
        insert into locations (organisation, id, code, name, registration, is_tax, is_physical, body)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
      `,
      [organisation, places[l.key], l.code, l.name, ids[l.registration], l.isTax, l.isPhysical, l.address],
    );
  }
  // goods between two locations are somewhere too
  const first = registrations[0];
  if (first)
    await client.query(
      `
        insert into locations (organisation, id, code, name, registration, is_tax, is_physical, is_transit)
        values ($1, $2, 'TRANSIT', 'Goods in transit', $3, false, false, true)
      `,
      [organisation, newId(), ids[first.key]],
    );
  return places;
}

async function addLedgers(client: pg.ClientBase, organisation: number): Promise<void> {
  const ids = new Map(chart.map((row) => [row.code, newId()]));
  const money = new Set(['cash', 'bank', 'clearing', 'bank_od']);
  await client.query(
    `
      insert into ledgers (
        organisation, id, code, name, "group", is_group, nature, role, schedule3, is_bank, system, hsn, credit_blocked
      )
      select $1, *
      from unnest(
        $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::boolean[], $7::text[], $8::text[], $9::text[],
        $10::boolean[], $11::boolean[], $12::text[], $13::boolean[]
      )
    `,
    [
      organisation,
      chart.map((r) => ids.get(r.code)),
      chart.map((r) => r.code),
      chart.map((r) => r.name),
      chart.map((r) => (r.parent ? ids.get(r.parent) : null)),
      chart.map((r) => r.kind === 'group'),
      chart.map((r) => r.type),
      chart.map((r) => r.role),
      chart.map((r) => r.schedule3),
      chart.map((r) => money.has(r.role ?? '')),
      chart.map((r) => r.role !== null),
      chart.map((r) => r.hsn ?? null),
      chart.map((r) => r.creditBlocked === true),
    ],
  );
  await client.query(
    'insert into posting_map (organisation, effect, ledger) select $1, * from unnest($2::text[], $3::uuid[])',
    [organisation, effectNames, effectNames.map((effect) => ids.get(effects[effect][1]))],
  );
}

async function addUnits(client: pg.ClientBase, organisation: number): Promise<void> {
  const codes = Object.keys(uqcNames) as (keyof typeof uqcNames)[];
  const whole = new Set(['NOS', 'PCS', 'BOX', 'BAG', 'SET', 'PRS', 'DOZ', 'ROL', 'CTN', 'PAC']);
  await client.query(
    `
      insert into masters (organisation, master, id, code, name, body)
      select $1, 'unit', *
      from unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[])
    `,
    [
      organisation,
      codes.map(() => newId()),
      codes,
      codes.map((c) => uqcNames[c]),
      codes.map((c) => ({ uqc: c, decimals: whole.has(c) ? 0 : 3 })),
    ],
  );
}

async function addSeries(
  client: pg.ClientBase,
  organisation: number,
  { registrations }: Founding,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = registrations.flatMap((r) => firstSeries(r.mark).map((s) => ({ ...s, registration: ids[r.key] })));
  await client.query(
    `
      insert into number_series (organisation, id, name, kind, registration, prefix, padding)
      select $1, *
      from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::int[])
    `,
    [
      organisation,
      rows.map(() => newId()),
      rows.map((r) => r.name),
      rows.map((r) => r.kind),
      rows.map((r) => r.registration),
      rows.map((r) => r.prefix),
      rows.map((r) => r.padding),
    ],
  );
}

async function addRoles(client: pg.ClientBase, organisation: number): Promise<Record<string, string>> {
  const roles: Record<string, string> = {};
  const parents = screenNames.filter((name) => screens[name].parent === name);
  for (const [name, levelOf] of Object.entries(roleLevels)) {
    const id = newId();
    roles[name] = id;
    await client.query('insert into roles (organisation, id, name) values ($1, $2, $3)', [organisation, id, name]);
    const grants = parents
      .map((p) => ({ screen: screens[p].id, level: levelOf(screens[p].group) }))
      .filter((g) => g.level > 0);
    await client.query(
      'insert into role_grants (organisation, role, screen, level) select $1, $2, * from unnest($3::int[], $4::int[])',
      [organisation, id, grants.map((g) => g.screen), grants.map((g) => g.level)],
    );
  }
  return roles;
}

async function addPerson(
  client: pg.ClientBase,
  organisation: number,
  person: Founding['people'][number],
  roles: Readonly<Record<string, string>>,
): Promise<string> {
  const known = await client.query<{ id: string }>('select id from people where lower(email) = lower($1)', [
    person.email,
  ]);
  const id = known.rows[0]?.id ?? newId();
  if (!known.rows[0])
    await client.query('insert into people (id, email, name, password_hash) values ($1, $2, $3, $4)', [
      id,
      person.email,
      person.name,
      person.passwordHash,
    ]);
  const user = newId();
  await client.query(
    'insert into users (organisation, id, person, email, name, accepted_at) values ($1, $2, $3, $4, $5, now())',
    [organisation, user, id, person.email, person.name],
  );
  if (person.role)
    await client.query('insert into user_roles (organisation, "user", role) values ($1, $2, $3)', [
      organisation,
      user,
      roles[person.role],
    ]);
  return user;
}
