import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { masterCalls } from '../../contract/master-calls.ts';
import type { MasterName } from '../../contract/masters.ts';
import type { namedCalls } from '../../contract/named.ts';
import { rateText } from '../../domain/base/decimal.ts';
import { kindByCode } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { staleOf } from '../kit/database/stale.ts';
import { itemView } from './item-view.ts';
import { asked, type RecordView, scope } from './records.ts';
import { checkedPattern, metElsewhere, numbersGiven } from './series.ts';
import { fillers } from './special.ts';

type Named =
  | 'AddLocation'
  | 'EditLocation'
  | 'AddNewUser'
  | 'UpdateUser'
  | 'DeleteUser'
  | 'AddGroups'
  | 'GetGroupDetails'
  | 'GetUserList'
  | 'GetUserDetails'
  | 'GetRolesbyOrgId'
  | 'GetUsersFromRoleId'
  | 'GetBranchDetails'
  | 'GetBankDetails'
  | 'SaveDocNumber'
  | 'UpdateDocNumber'
  | 'GetDocNumberById'
  | 'GetDocNumList'
  | 'CheckDocNumFormatExistence'
  | 'DeleteDocnumSeries'
  | 'DocPatternValidations'
  | 'GetNumbersGiven'
  | 'GetTermsAndConditionsList'
  | 'GetTermsAndConditionsById'
  | 'SaveTermsAndConditions'
  | 'GetLocationBranchDetailsByPartyId'
  | 'GetItemListForBarcodeWithPagination'
  | 'GetItemView';

interface Changed {
  readonly values: Record<string, unknown>;
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}
type Family = Handlers<typeof masterCalls, Context>;
type Calls = Handlers<Pick<typeof namedCalls, Named>, Context>;
const MOST = 5000;
const PAGE = 200;
/** Every record of a small master, page by page. */
export async function every(masterHandlers: Family, master: MasterName, context: Context): Promise<RecordView[]> {
  const found: RecordView[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof masterHandlers.ListMasters>> = await masterHandlers.ListMasters(
      { master, limit: 200, ...(after !== null && { after }) },
      context,
    );
    found.push(...page.rows);
    after = page.after;
  } while (after !== null && found.length < MOST);
  return found;
}

const branchByCode =
  (masterHandlers: Family): Calls['GetBranchDetails'] =>
  async ({ code }, context) => {
    const id = await context.inTransaction(
      async (trx) =>
        (
          await sql<{
            id: string;
          }>`
            select id
            from locations
            where organisation = ${context.organisation} and upper(code) = upper(${code}) and not is_transit
          `.execute(trx)
        ).rows[0]?.id,
    );
    if (id === undefined || (context.locations.length > 0 && !context.locations.includes(id)))
      throw new Refusal('notFound');
    return masterHandlers.GetMaster({ master: 'location', id }, context);
  };

const banksDefaultFirst =
  (masterHandlers: Family): Calls['GetBankDetails'] =>
  async (_, context) => {
    const banks = (await every(masterHandlers, 'bank', context)).sort(
      (a, b) => Number(isDefault(b)) - Number(isDefault(a)),
    );
    const shown = banks.map((bank) => ({
      ...bank,
      bankName: String(bank.values.bankName ?? ''),
      isDefaultBank: isDefault(bank),
    }));
    return shown.length > 0
      ? shown
      : [{ id: 0, version: 0, active: true, values: {}, names: {}, bankName: 'N.A', isDefaultBank: true }];
  };

const usersOfRole =
  (masterHandlers: Family): Calls['GetUsersFromRoleId'] =>
  async ({ RoleId }, context) => {
    await masterHandlers.GetMaster({ master: 'role', id: RoleId }, context);
    return (await every(masterHandlers, 'user', context)).filter(
      (user) => Array.isArray(user.values.roles) && user.values.roles.includes(RoleId),
    );
  };

const numberFormatExists: Calls['CheckDocNumFormatExistence'] = (
  { Type, Id, registration, prefix, suffix, padding, start, reset },
  context,
) =>
  context.inTransaction(async (trx) => {
    const kind = kindByCode(Type) ?? Type;
    const { problems = [] } =
      (await fillers.numberSeries?.(trx, context, { kind, registration, prefix, suffix, padding, start, reset }, Id)) ??
      {};
    const [problem] = problems;
    return {
      exists: problem !== undefined,
      reason:
        problem?.message ??
        (await metElsewhere(trx, context, {
          ...(Id !== undefined && { Id }),
          ...{ kind, registration, prefix, suffix, padding, start, reset },
        })),
    };
  });

const deleteNumberSeries: Calls['DeleteDocnumSeries'] = ({ Id, version }, context) =>
  context.inTransaction(async (trx) => {
    const which = asked('numberSeries');
    const { rows } = await sql<{
      name: string;
      version: number;
      used: boolean;
    }>`
      select
        t.name, t.version,
        exists (select from series_counters c where c.organisation = t.organisation and c.series = t.id)
          or exists (
            select from till_sessions o where o.organisation = t.organisation and o.series = t.id
          ) as used
      from number_series t
      where ${scope(context, which)} and t.id = ${Id}::uuid
      for update of t
    `.execute(trx);
    const [series] = rows;
    if (!series) throw new Refusal('notFound');
    if (series.used) throw new Refusal('inUse', { name: series.name });
    if (series.version !== version) throw await staleOf(trx, context.organisation, 'number_series', Id);
    await sql`delete from number_series as t where ${scope(context, which)} and t.id = ${Id}::uuid`.execute(trx);
    return { deleted: true };
  });

const addressesOfParty: Calls['GetLocationBranchDetailsByPartyId'] = ({ partyId }, context) =>
  context.inTransaction(async (trx) => {
    const { rows } = await sql<{
      addresses: Record<string, string>[] | null;
      gstin: string | null;
    }>`
      select body -> 'addresses' as addresses, gstin
      from parties
      where organisation = ${context.organisation} and id = ${partyId}::uuid
    `.execute(trx);
    const [party] = rows;
    if (!party) throw new Refusal('notFound');
    return (party.addresses ?? []).map((a) => ({
      type: a.type ?? 'both',
      line1: a.line1 ?? '',
      line2: a.line2 ?? '',
      city: a.city ?? '',
      state: a.state ?? '',
      pincode: a.pincode ?? '',
      country: a.country ?? 'IN',
      gstin: a.gstin || party.gstin,
      phone: a.phone ?? '',
      email: a.email ?? '',
    }));
  });

const itemsWithBarcode: Calls['GetItemListForBarcodeWithPagination'] = ({ search, after, LStart, LEnd }, context) =>
  context.inTransaction(async (trx) => {
    const size = after ? PAGE : Math.max(0, LEnd - LStart);
    const [name = '', last = ''] = after?.split('\u001f') ?? [];
    const like = `%${search.toLowerCase().replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
    const { rows } = await sql<{
      id: string;
      sku: string;
      name: string;
      place: string;
      barcode: string;
      unit: string;
      mrp: string | null;
      sale_rate: string | null;
    }>`
      select id, sku, name, lower(name) as place, barcode, unit, body ->> 'mrp' as mrp, sale_rate
      from items
      where organisation = ${context.organisation}
        and active
        and barcode is not null
        and barcode <> ''
        and search like ${like}
        and ${last ? sql`(lower(name), id) > (${name}, ${last}::uuid)` : sql`true`}
      order by lower(name), id
      offset ${after ? 0 : LStart}
      limit ${size + 1}
    `.execute(trx);
    const page = rows.slice(0, size);
    const end = rows.length > size ? page.at(-1) : undefined;
    return {
      rows: page.map((r) => ({
        id: r.id,
        sku: r.sku,
        name: r.name,
        barcode: r.barcode,
        unit: r.unit,
        mrp: r.mrp,
        saleRate: r.sale_rate === null ? null : rateText(Number(r.sale_rate)),
      })),
      after: end ? `${end.place}\u001f${end.id}` : null,
    };
  });

/** The calls that the specification names one by one, each by the family of its master. */
export const named = (masterHandlers: Family): Calls => {
  const save =
    (master: MasterName) =>
    ({ values, id, version }: Changed, context: Context) =>
      masterHandlers.SaveMaster(
        { master, values, ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
        context,
      );
  const open =
    (master: MasterName) =>
    ({ Id }: { readonly Id: string }, context: Context) =>
      masterHandlers.GetMaster({ master, id: Id }, context);
  const all = (master: MasterName, context: Context) => every(masterHandlers, master, context);
  const list = (master: MasterName) => (_: unknown, context: Context) => all(master, context);
  return {
    AddLocation: save('location'),
    EditLocation: save('location'),
    GetBranchDetails: branchByCode(masterHandlers),
    GetBankDetails: banksDefaultFirst(masterHandlers),
    AddNewUser: save('user'),
    UpdateUser: save('user'),
    AddGroups: save('group'),
    GetGroupDetails: open('group'),
    GetUserList: list('user'),
    GetUserDetails: open('user'),
    DeleteUser: ({ Id, version }, context) =>
      masterHandlers.RetireMaster({ master: 'user', id: Id, version, active: false }, context),
    GetRolesbyOrgId: async ({ Typename }, context) =>
      (await every(masterHandlers, 'role', context)).filter(
        (role) => Typename === undefined || String(role.values.typeName ?? '').toLowerCase() === Typename.toLowerCase(),
      ),
    GetUsersFromRoleId: usersOfRole(masterHandlers),
    SaveDocNumber: save('numberSeries'),
    UpdateDocNumber: save('numberSeries'),
    GetDocNumberById: open('numberSeries'),
    GetDocNumList: list('numberSeries'),
    CheckDocNumFormatExistence: numberFormatExists,
    DocPatternValidations: ({ Type, registration, ...pattern }, context) =>
      context.inTransaction((trx) => checkedPattern(trx, context, kindByCode(Type) ?? Type, registration, pattern)),
    GetNumbersGiven: ({ Id }, context) => context.inTransaction((trx) => numbersGiven(trx, context, Id)),
    DeleteDocnumSeries: deleteNumberSeries,
    GetTermsAndConditionsList: async (_, context) =>
      (await all('terms', context)).map((terms) => ({ ...terms, ...termsNames(terms) })),
    GetTermsAndConditionsById: async (input, context) => {
      const terms = await open('terms')(input, context);
      return { ...terms, ...termsNames(terms) };
    },
    SaveTermsAndConditions: save('terms'),
    GetLocationBranchDetailsByPartyId: addressesOfParty,
    GetItemView: ({ id }, context) => context.inTransaction((trx) => itemView(trx, context, id)),
    GetItemListForBarcodeWithPagination: itemsWithBarcode,
  };
};

const termsNames = ({ values }: Pick<RecordView, 'values'>) => ({
  trnTypeId: String(values.kind ?? ''),
  termsAndConditions: String(values.text ?? ''),
});
const isDefault = ({ values }: RecordView): boolean => values.isDefault === true || values.isDefault === 'true';
