import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { shownLevel } from '../../contract/levels.ts';
import { type Screen, screenCalled, screenNames, screens } from '../../contract/screens.ts';
import { generalConfiguration, type lookupCalls } from '../../contract/session.ts';
import { quantityText, rateText } from '../../domain/base/decimal.ts';
import { type Said, say } from '../../domain/base/say.ts';
import { currencyNames } from '../../domain/facts/currencies.ts';
import { scannedCode } from '../../domain/items/barcode.ts';
import { panOfGstin } from '../../domain/tax/gst/registration/gstin.ts';
import { activeStates } from '../../domain/tax/gst/registration/states.ts';
import { grantsOf, may } from '../access/index.ts';
import type { Context } from '../context.ts';
import { staleOf } from '../kit/database/stale.ts';
import { mustRead } from '../kit/input.ts';
import { Problems } from '../kit/problems.ts';
import { lockedSwitches, mayTurnOn } from '../subscription/index.ts';
import { locationsOf, organisationParts, savedBy, userChosen } from './chosen.ts';
import { countries } from './countries.ts';
import { helpHandlers } from './help.ts';

export { organisationHandlers } from './organisation.ts';

type Calls = Handlers<Omit<typeof lookupCalls, 'Pick'>, Context>;
type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
const likeText = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`);

/** Icons of the groups of the menu, by their names in the icon library. */
const groupIcons: Readonly<Record<string, string>> = {
  Home: 'home',
  Organisation: 'building',
  Parties: 'users',
  Items: 'box',
  Sales: 'receipt',
  Purchases: 'shopping-cart',
  Orders: 'clipboard-list',
  Inventory: 'building-warehouse',
  Money: 'coin',
  Accounts: 'book',
  Reports: 'report',
  GST: 'receipt-tax',
  Catalogue: 'folders',
  Data: 'database-import',
  Configuration: 'settings',
};

/** Screens the user may open, from the registry and their grants. */
const permitted = (context: Context) =>
  screenNames.filter((name) => {
    const screen: Screen = screens[name];
    return screen.inMenu && (screen.always || screen.level === 0 || may(context.grants, 'read', [screen.parent]));
  });

const screenMenu: Calls['GetScreenList'] = async (_, context) => {
  const names = permitted(context);
  const entry = (name: (typeof names)[number], at: number, group: number) => ({
    id: screens[name].id,
    key: String(screens[name].id),
    name: screens[name].label,
    parentId: group,
    icon: groupIcons[screens[name].group] ?? 'list',
    displayId: at + 1,
    url: `/layout/${encodeURIComponent(name)}`,
    accessTypeId: screens[name].level,
  });
  return [...new Set(names.map((n) => screens[n].group))].map((group, index) => ({
    id: index + 1,
    key: group,
    name: group,
    parentId: null,
    icon: groupIcons[group] ?? 'list',
    displayId: index + 1,
    url: null,
    accessTypeId: 0,
    submenu: names.filter((n) => screens[n].group === group).map((name, at) => entry(name, at, index + 1)),
  }));
};

const grantsOfUser: Calls['GetScreenListByUser'] = ({ UserName }, context) =>
  context.inTransaction(async (trx) => {
    const user = await userChosen(trx, context, UserName);
    const grants =
      user === context.user
        ? context.grants
        : grantsOf(
            (
              await sql<{
                screen: number;
                level: number;
              }>`select screen, level from user_grants where organisation = ${context.organisation} and "user" = ${user}`.execute(
                trx,
              )
            ).rows,
          );
    return [...grants].map(([name, level]) => ({
      resourceId: screenCalled(name)?.id ?? 0,
      parentId: screenCalled(screenCalled(name)?.parent ?? '')?.id ?? 0,
      accessTypeId: shownLevel(level),
      principalId: user,
    }));
  });

const generalConfigurationNow: Calls['GetGeneralConfigDetails'] = (_, context) =>
  context.inTransaction(async (trx) => {
    const now = await configuration(trx, context);
    return {
      ...now,
      id: '1',
      orgCode: context.organisationCode,
      ...(await savedBy(trx, context)),
      isActive: true,
      fixed: inWords(await fixed(trx, context)),
      locked: await lockedSwitches(trx, context, now),
    };
  });

const saveConfiguration: Calls['SaveGeneralConfigDetails'] = (
  { version, values, trackInventory, isAllowNegative },
  context,
) =>
  context.inTransaction(async (trx) => {
    const before = await configuration(trx, context);
    const { version: _, ...settings } = before;
    const data = mustRead(generalConfiguration, {
      ...settings,
      ...values,
      ...(trackInventory !== undefined && { trackInventory }),
      ...(isAllowNegative !== undefined && { isAllowNegative }),
    });
    if (data.enableShelfLife && !data.enableBatch)
      throw new Problems([
        { field: 'enableShelfLife', ...say('Days of expiry are those of batches: switch batches on too') },
      ]);
    // what everybody sees is for who may do everything here (decisions, section 9)
    if (JSON.stringify(data.theme) !== JSON.stringify(before.theme)) context.require('theme');
    // postings wait here: none may be on its way with the old settings when what has moved is looked up
    await sql`select from locks where organisation = ${context.organisation} for update`.execute(trx);
    for (const [name, reason] of Object.entries(await fixed(trx, context))) {
      if (data[name as keyof typeof data] !== before[name as keyof typeof before])
        throw new Refusal('cannotChange', { name: settingNames[name] ?? name, reason });
    }
    await mayTurnOn(trx, context, before, data);
    const { numAffectedRows } = await sql`
      update organisations
      set settings = ${JSON.stringify(data)}, version = version + 1
      where organisation = ${context.organisation} and version = ${version ?? before.version}
    `.execute(trx);
    if (numAffectedRows !== 1n) throw await staleOf(trx, context.organisation, 'organisations');
    return { ...data, version: (version ?? before.version) + 1 };
  });

const organisationDetails: Calls['GetOrgDetails'] = (_, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      code: string;
      name: string;
      body: Record<string, string>;
      version: number;
      gstin: string | null;
      kind: string | null;
    }>`
      select o.code, o.name, o.body, o.version, r.gstin, r.kind
      from organisations o
      left join lateral (
        select case when s.kind <> 'unregistered' then r.gstin end as gstin, s.kind
        from registrations r
        cross join lateral (select registration_status(r.organisation, r.id, ${context.today}::date) as kind) s
        where r.organisation = o.organisation and r.active
        order by s.kind = 'unregistered', r.id
        limit 1
      ) r on true
      where o.organisation = ${context.organisation}
    `.execute(trx);
    const [o] = rows;
    if (!o) throw new Refusal('notFound');
    const of = (key: string) => o.body[key] ?? '';
    return {
      id: context.organisation,
      code: o.code,
      name: o.name,
      value: o.code,
      ...(await organisationParts(trx, context)),
      gstin: o.gstin,
      businessType: of('businessType'),
      registrationStatus: o.kind ?? 'unregistered',
      pan: of('pan'),
      phone: of('phone'),
      email: of('email'),
      website: of('website'),
      version: o.version,
    };
  });

const saveOrganisation: Calls['SaveOrganisation'] = ({ name, version, ...body }, context) =>
  context.inTransaction(async (trx) => {
    if (!name) throw new Problems([{ field: 'name', ...say('Name is required') }]);
    if (!body.businessType) throw new Problems([{ field: 'businessType', ...say('Business Type is required') }]);
    const registered = await sql<{ gstin: string }>`
      select gstin from registrations where organisation = ${context.organisation} and gstin is not null
    `.execute(trx);
    const pan = registered.rows.flatMap(({ gstin }) => panOfGstin(gstin) ?? [])[0];
    if (body.pan && pan && body.pan.toUpperCase() !== pan)
      throw new Problems([
        { field: 'pan', ...say('The GSTINs of this organisation contain the PAN {{pan}}: enter that one', { pan }) },
      ]);
    const { numAffectedRows } = await sql`
      update organisations
      set name = ${name}, body = body || ${JSON.stringify(body)}::jsonb, version = version + 1
      where organisation = ${context.organisation} and version = ${version}
    `.execute(trx);
    if (numAffectedRows !== 1n) throw await staleOf(trx, context.organisation, 'organisations');
    return { version: version + 1 };
  });

const locationsOfUser: Calls['GetLocationListByUserId'] = ({ UserName }, context) =>
  context.inTransaction(async (trx) => {
    const user = await userChosen(trx, context, UserName);
    const own =
      user === context.user
        ? context.locations
        : (
            await sql<{
              location: string;
            }>`select distinct location from user_places where organisation = ${context.organisation} and "user" = ${user}`.execute(
              trx,
            )
          ).rows.map(({ location }) => location);
    return locationsOf(trx, context, own);
  });

const partiesToChoose: Calls['GetPartyListForTransactions'] = (
  { search, side, isOverSeas, isAnonymousUser, LStart, LEnd },
  context,
) =>
  context.inTransaction(async (trx) => {
    const like = likeText(search);
    const { rows } = await sql<{ id: string; code: string; name: string; gstin: string | null; city: string | null }>`
      select id, code, name, gstin, body -> 'addresses' -> 0 ->> 'city' as city
      from parties
      where organisation = ${context.organisation}
        and active
        and ${side === 'both' ? sql`true` : sql`side in (${side}, 'both')`}
        and ${search ? sql`search like ${`%${like}%`}` : sql`true`}
        and ${isOverSeas === undefined ? sql`true` : sql`(category = 'overseas') = ${isOverSeas}`}
        and ${isAnonymousUser === undefined ? sql`true` : sql`(category = 'unregistered') = ${isAnonymousUser}`}
      order by
        ${
          search
            ? sql`
          (lower(code) = ${search.toLowerCase()} or lower(coalesce(gstin, '')) = ${search.toLowerCase()}) desc,
          lower(name) like ${`${like}%`} desc,
        `
            : sql``
        }lower(name),
        id
      limit 5000
    `.execute(trx);
    return {
      rows: rows
        .slice(LStart, LEnd)
        .map((r) => ({ id: r.id, code: r.code, name: r.name, note: [r.gstin, r.city].filter(Boolean).join(' · ') })),
      total: rows.length,
    };
  });

const itemsToChoose: Calls['GetItemListForTransactionsWithPagination'] = (
  { search, location, LStart, LEnd },
  context,
) =>
  context.inTransaction(async (trx) => {
    const like = likeText(search);
    const { rows } = await sql<{
      id: string;
      sku: string;
      name: string;
      unit: string;
      stocked: boolean;
      sale_rate: string | null;
      on_hand: string | null;
      total: string;
      picture: string | null;
    }>`
      with found as (
        select id, template, sku, name, unit, stocked, sale_rate
        from items
        where organisation = ${context.organisation}
          and active
          and not is_template
          and ${
            search
              ? sql`
            (search like ${`%${like}%`} or id in ${bearing(context.organisation, search)})
          `
              : sql`true`
          }
          and ${/^\d+$/.test(search) ? meantByDigits(context.organisation, like, search) : sql`true`}
        order by
          ${
            search
              ? sql`
            (lower(sku) = ${search.toLowerCase()} or id in ${bearing(context.organisation, search)}) desc,
            (lower(name) like ${`${like}%`} or lower(sku) like ${`${like}%`}) desc,
          `
              : sql``
          }lower(name),
          id
        limit 5000
      )
      select
        f.*,
        (
          select sum(b.quantity)
          from item_balances b
          where b.organisation = ${context.organisation}
            and b.item = f.id
            and (${location ?? null}::uuid is null or b.location = ${location ?? null}::uuid)
            and (${context.locations.length === 0} or b.location = any(${[...context.locations]}::uuid[]))
        ) as on_hand,
        (select count(*) from found) as total,
        (
          select p.id
          from item_pictures p
          where p.organisation = ${context.organisation} and p.item in (f.id, f.template)
          order by p.item = f.id desc, p.place, p.id
          limit 1
        ) as picture
      from found f
      offset ${LStart}
      limit ${Math.max(0, LEnd - LStart)}
    `.execute(trx);
    return {
      rows: rows.map((r) => ({
        id: r.id,
        code: r.sku,
        name: r.name,
        ...(rows.some(({ picture }) => picture !== null) && { picture: r.picture }),
        note: [
          r.sale_rate === null ? '' : `₹ ${rateText(Number(r.sale_rate))}`,
          r.stocked ? `${quantityText(Number(r.on_hand ?? 0))} ${r.unit} in stock` : '',
        ]
          .filter(Boolean)
          .join(' · '),
      })),
      total: Number(rows[0]?.total ?? 0),
    };
  });

export const lookupHandlers: Calls = {
  GetStates: async () => activeStates.map(({ code, name }) => ({ code, name })),
  GetCountries: async () => countries.map(([code, name]) => ({ code, name })),
  // number 1 is the rupee, as the general configuration has it
  GetCurrencies: async () =>
    ['INR', ...Object.keys(currencyNames).filter((code) => code !== 'INR')].map((code, at) => ({
      id: at + 1,
      code,
      name: currencyNames[code] ?? code,
    })),
  GetScreenList: screenMenu,
  GetScreenListByUser: grantsOfUser,
  GetGeneralConfigDetails: generalConfigurationNow,
  SaveGeneralConfigDetails: saveConfiguration,
  GetTransactionExist: (_, context) =>
    context.inTransaction(async (trx) => ({
      exists:
        (
          await sql<{
            exists: boolean;
          }>`select exists (select from documents where organisation = ${context.organisation}) as exists`.execute(trx)
        ).rows[0]?.exists ?? false,
    })),
  GetOrgDetails: organisationDetails,
  SaveOrganisation: saveOrganisation,
  GetLocationListByUserId: locationsOfUser,
  ...helpHandlers,
  GetPartyListForTransactions: partiesToChoose,
  GetItemListForTransactionsWithPagination: itemsToChoose,
};

/** A number means an item by its code or name, its whole barcode, or how its HSN begins: inside an HSN or a barcode it is chance. */
const meantByDigits = (organisation: number, like: string, digits: string) => sql`
  (
    lower(sku) like ${`%${like}%`}
    or lower(name) like ${`%${like}%`}
    or hsn like ${`${like}%`}
    or id in ${bearing(organisation, digits)}
  )
`;
/** The item that bears this very code. */
const bearing = (organisation: number, search: string) =>
  sql`(select item from item_barcodes where organisation = ${organisation} and barcode = ${scannedCode(search)})`;

async function configuration(trx: Trx, context: Context) {
  const { rows } = await sql<{
    settings: unknown;
    version: number;
  }>`select settings, version from organisations where organisation = ${context.organisation}`.execute(trx);
  return { ...generalConfiguration.parse(rows[0]?.settings ?? {}), version: rows[0]?.version ?? 1 };
}

/** Settings that may become fixed, in the words of their screen. */
const settingNames: Readonly<Record<string, string>> = {
  currencyCode: 'The base currency',
  stockAccounting: 'Stock accounting',
  valuation: 'The valuation of stock',
  trackInventory: 'Keeping stock',
  enableVariantsBasedSku: 'Variants',
  enableBarCode: 'Barcodes',
  enableBatch: 'Batches',
  enableSerialization: 'Serial numbers',
  enableShelfLife: 'Shelf life',
  isWarehouse: 'Stock rooms',
};

/** Reasons as they are shown in English. */
const inWords = (reasons: Readonly<Record<string, Said>>): Record<string, string> =>
  Object.fromEntries(Object.entries(reasons).map(([name, { message }]) => [name, message]));

/** Settings that can no longer change, each with its reason. */
async function fixed(trx: Trx, context: Context): Promise<Record<string, Said>> {
  const org = context.organisation;
  const { rows } = await sql<{
    moved: boolean;
    posted: boolean;
    template: string | null;
    coded: string | null;
    on: Record<string, unknown> | null;
    batched: string | null;
    serialised: string | null;
    keeping: string | null;
    room: string | null;
  }>`
    select
      exists (select from movements where organisation = ${org}) as moved,
      exists (select from documents where organisation = ${org}) as posted,
      (select name from items where organisation = ${org} and is_template order by lower(name) limit 1) as template,
      (
        select i.name
        from item_barcodes b
        join items i on i.organisation = b.organisation and i.id = b.item and i.active
        where b.organisation = ${org}
        order by lower(i.name)
        limit 1
      ) as coded,
      (
        select name
        from items
        where organisation = ${org} and active and body ->> 'batched' = 'true'
        order by lower(name)
        limit 1
      ) as batched,
      (
        select name
        from items
        where organisation = ${org} and active and body ->> 'serialised' = 'true'
        order by lower(name)
        limit 1
      ) as serialised,
      (
        select name
        from items
        where organisation = ${org} and active and body ->> 'hasShelfLife' = 'true'
        order by lower(name)
        limit 1
      ) as keeping,
      (
        select w.name
        from masters w
        where w.organisation = ${org} and w.master = 'warehouse' and w.active
        order by lower(w.name)
        limit 1
      ) as room,
      (select settings from organisations where organisation = ${org}) as on
  `.execute(trx);
  const [found] = rows;
  const [moved, posted] = [say('stock has moved already'), say('documents are posted in it already')];
  return {
    ...(found?.posted && { currencyCode: posted }),
    ...(found?.moved && { stockAccounting: moved, valuation: moved, trackInventory: moved }),
    ...(found?.template && { enableVariantsBasedSku: say('the item {{item}} has variants', { item: found.template }) }),
    // items may have codes before the module is subscribed to: that must not keep it from being turned on
    ...(found?.on?.enableBarCode === true &&
      found.coded && { enableBarCode: say('the item {{item}} has a barcode', { item: found.coded }) }),
    ...(found?.on?.enableBatch === true &&
      found.batched && { enableBatch: say('the item {{item}} is kept in batches', { item: found.batched }) }),
    ...(found?.on?.enableSerialization === true &&
      found.serialised && {
        enableSerialization: say('the item {{item}} has serial numbers', { item: found.serialised }),
      }),
    ...(found?.on?.enableShelfLife === true &&
      found.keeping && { enableShelfLife: say('the item {{item}} has a shelf life', { item: found.keeping }) }),
    ...(found?.on?.isWarehouse === true &&
      found.room && { isWarehouse: say('there is the stock room {{room}}', { room: found.room }) }),
  };
}
