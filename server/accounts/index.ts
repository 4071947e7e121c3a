import { sql } from 'kysely';
import type { accountCalls } from '../../contract/accounts.ts';
import type { Handlers } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import { Refusal } from '../../contract/errors.ts';
import { allows } from '../../contract/levels.ts';
import type { masterCalls } from '../../contract/master-calls.ts';
import type { reportCalls } from '../../contract/report-calls.ts';
import { addDays, addMonths, financialYearOf } from '../../domain/base/dates.ts';
import { moneyText, percentText } from '../../domain/base/decimal.ts';
import { groupBy } from '../../domain/base/group.ts';
import { say } from '../../domain/base/say.ts';
import { type Effect, effectNames, effects } from '../../domain/books/effects.ts';
import type { Day, Id } from '../../domain/document/document.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { tcsChoices, tdsChoices } from '../../domain/tax/withheld.ts';
import { isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import { every } from '../masters/index.ts';
import { ledgerBalances } from '../reports/index.ts';
import { pairsOfDocument, settle, settleOldestFirst, standing } from './allocate.ts';

/** The engines that these calls are rows over. */
export interface Engines {
  readonly masters: Handlers<typeof masterCalls, Context>;
  readonly reports: Handlers<typeof reportCalls, Context>;
  readonly post: Handlers<typeof documents, Context>['PostTransactionCalls'];
  readonly banks: Handlers<typeof import('../../contract/named.ts').namedCalls, Context>['GetBankDetails'];
}

interface Saved {
  readonly values: Record<string, unknown>;
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}
interface Node {
  id: Id;
  code: string;
  name: string;
  parent: Id | null;
  isGroup: boolean;
  nature: string;
  active: boolean;
}

/** The kind whose lines are the bills that the books begin with. */
const opening = kindNames.find((name) => kindOf(name).books.opensByLine === 'bills') ?? '';

type Calls = Handlers<typeof accountCalls, Context>;
type Filters = Readonly<Record<string, string | undefined>>;

/** The filters of a report that were given. */
const given = (filters: Filters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

const runReport =
  (reports: Engines['reports']) => (report: string, filters: Filters, context: Context, after?: string) =>
    reports.RunReport({ report, filters: given(filters), ...(after !== undefined && { after }) }, context);

const saveLedger =
  (masters: Engines['masters']) =>
  ({ values, id, version }: Saved, context: Context) =>
    masters.SaveMaster(
      { master: 'ledger', values, ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
      context,
    );

const ledgerList =
  (masters: Engines['masters']): Calls['GetLedgerList'] =>
  async ({ search, after }, context) => {
    const page = await masters.ListMasters(
      { master: 'ledger', ...(search !== undefined && { search }), ...(after !== undefined && { after }) },
      context,
    );
    return { rows: page.rows, after: page.after };
  };

const ledgerEffects =
  (masters: Engines['masters']): Calls['GetLedgerEffects'] =>
  async (_, context) =>
    (await every(masters, 'ledgerPosting', context)).map((posting) => ({
      ...posting,
      ledgerEffect: String(posting.values.effect ?? posting.id),
      transactionName: String(posting.values.label ?? ''),
    }));

const withholdingChoices: Calls['GetTdsTcsMaster'] = async ({ date }, { today }) => [
  ...tdsChoices(date ?? today).map((choice) => ({ type: 'TDS' as const, ...choice, rate: percentText(choice.rate) })),
  ...tcsChoices(date ?? today).map((choice) => ({ type: 'TCS' as const, ...choice, rate: percentText(choice.rate) })),
];

/** A statement for each quarter of the financial year that has begun. */
const profitAndLossByQuarters =
  (run: ReturnType<typeof runReport>): Calls['GetProfitAndLossByQuarters'] =>
  async ({ date, location }, context) => {
    const { start } = financialYearOf(date ?? context.today);
    const begun = [0, 3, 6, 9]
      .map((months, n) => ({
        quarter: `Q${n + 1}`,
        from: addMonths(start, months),
        to: addDays(addMonths(start, months + 3), -1),
      }))
      .filter(({ from }) => from <= context.today);
    return Promise.all(
      begun.map(async (quarter) => ({
        ...quarter,
        statement: await run('profitAndLoss', { from: quarter.from, to: quarter.to, location }, context),
      })),
    );
  };

const allocateCredits: Calls['SavePartyCreditsAllocation'] = ({ party, allocations }, context) =>
  context.inTransaction(async (trx) => {
    await settle(trx, context, party, allocations);
    return standing(trx, context, party);
  });

const allocateOldestFirst: Calls['AllcoateCreditsByTransactionId'] = ({ TransactionId, line }, context) =>
  context.inTransaction(async (trx) => {
    const party = await settleOldestFirst(trx, context, TransactionId, line);
    return party === null ? { credits: [], dues: [], allocations: [] } : standing(trx, context, party);
  });

/** The calls about accounts: rows over masters, reports and posting, and settling. */
export const accountHandlers = ({ masters, reports, post, banks }: Engines): Calls => {
  const run = runReport(reports);
  const save = saveLedger(masters);
  return {
    SaveAccountMaster: save,
    SaveLedger: save,
    GetAccountMaster: ({ Id: id }, context) => masters.GetMaster({ master: 'ledger', id }, context),
    DeactivateAccountMaster: ({ Id: id, version, active }, context) =>
      masters.RetireMaster({ master: 'ledger', id, version, active }, context),
    GetGLList: (_, context) => every(masters, 'ledger', context),
    GetLedgerList: ledgerList(masters),
    SaveOpeningBalance: ({ document }, context) => post({ document: { ...document, kind: opening } }, context),
    GetOrgBankData: banks,
    GetLedgerEffects: ledgerEffects(masters),
    AddAccountingEffects: ({ effect, ledger, version }, context) =>
      masters.SaveMaster({ master: 'ledgerPosting', id: effect, version, values: { ledger } }, context),
    DeletePostings: ({ effects: named }, context) => putBack(masters, named, context),
    GetChartOfAccounts: ({ asOf }, context) => chart(context, asOf ?? context.today),
    GetTdsTcsMaster: withholdingChoices,
    GetGLReport: ({ ledger, FromDate, ToDate, location, party, after }, context) =>
      run('generalLedger', { ledger, from: FromDate, to: ToDate, location, party }, context, after),
    GetSundryDebtorsOutstanding: ({ asOf, party }, context) =>
      run('outstandingDebtors', { asOf: asOf ?? context.today, party }, context),
    GetSundryCreditorsOutstanding: ({ asOf, party }, context) =>
      run('outstandingCreditors', { asOf: asOf ?? context.today, party }, context),
    GetProfitAndLossByQuarters: profitAndLossByQuarters(run),
    GetOpeningStockValues: ({ date, location, after }, context) =>
      run('stockOnHand', { asOf: addDays(date ?? financialYearOf(context.today).start, -1), location }, context, after),
    GetCreditsListAganistParty: ({ party }, context) => context.inTransaction((trx) => standing(trx, context, party)),
    SavePartyCreditsAllocation: allocateCredits,
    AllcoateCreditsByTransactionId: allocateOldestFirst,
    GetLedgerAllocationList: ({ TransactionId }, context) =>
      context.inTransaction((trx) => pairsOfDocument(trx, context, TransactionId)),
  };
};

/** Each effect named goes to the account that the default chart has for it. */
async function putBack(
  masters: Engines['masters'],
  named: readonly string[],
  context: Context,
): Promise<{ deleted: number }> {
  const unknown = named.filter((name) => !effectNames.includes(name as Effect));
  if (unknown.length > 0) throw new Refusal('notFound');
  const codes = named.map((name) => effects[name as Effect][1]);
  const found = await context.inTransaction(
    async (trx) =>
      (
        await sql<{
          id: Id;
          code: string;
        }>`
          select id, code
          from ledgers
          where organisation = ${context.organisation} and code = any(${codes}::text[]) and not is_group and active
        `.execute(trx)
      ).rows,
  );
  let deleted = 0;
  for (const name of new Set(named)) {
    const usual = found.find((ledger) => ledger.code === effects[name as Effect][1]);
    if (!usual)
      throw new Refusal('cannotChange', {
        name: effects[name as Effect][0],
        reason: say('the ledger of the default chart is not in use'),
      });
    const { version, values } = await masters.GetMaster({ master: 'ledgerPosting', id: name }, context);
    if (values.ledger === usual.id) continue;
    await masters.SaveMaster({ master: 'ledgerPosting', id: name, version, values: { ledger: usual.id } }, context);
    deleted += 1;
  }
  return { deleted };
}

/** Every account after the group that it stands under, groups with the sum of theirs. A debit balance is positive. */
async function chart(context: Context, asOf: Day) {
  // the balances of groups have those of stock in them
  const mayRead =
    !isCostHidden(context) &&
    ['ChartOfAccounts', 'TrialBalance', 'General Ledger'].some((screen) => allows(context.grants.get(screen), 'view'));
  const { nodes, balances } = await context.inTransaction(async (trx) => ({
    nodes: (
      await sql<Node>`
        select id, code, name, "group" as parent, is_group as "isGroup", nature, active
        from ledgers
        where organisation = ${context.organisation}
        order by code, id
      `.execute(trx)
    ).rows,
    balances: mayRead
      ? await ledgerBalances(trx, context.organisation, {
          from: financialYearOf(asOf).start,
          to: asOf,
          places: context.locations,
        })
      : [],
  }));
  const own = new Map(balances.map((b) => [b.ledger, b.openingDebit - b.openingCredit + b.debit - b.credit]));
  const under = groupBy(nodes, (node) => node.parent);
  const placed = new Set<Id>();
  const listed = (
    node: Node,
    depth: number,
  ): { readonly rows: (Node & { depth: number; balance: string | null })[]; readonly sum: number } => {
    placed.add(node.id);
    const below = (under.get(node.id) ?? [])
      .filter((child) => !placed.has(child.id))
      .map((child) => listed(child, depth + 1));
    const sum = below.reduce((total, child) => total + child.sum, own.get(node.id) ?? 0);
    return {
      rows: [{ ...node, depth, balance: mayRead ? moneyText(sum) : null }, ...below.flatMap((child) => child.rows)],
      sum,
    };
  };
  return nodes.filter((node) => node.parent === null).flatMap((node) => listed(node, 0).rows);
}
