import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { reportCalls } from '../../contract/report-calls.ts';
import { type OwnFormat, periodProblem, type Report, type ReportName, reportOf } from '../../contract/reports.ts';
import { isDay } from '../../domain/base/dates.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { kindNames } from '../../domain/document/kinds/index.ts';
import { taxPeriodProblem } from '../../domain/tax/gst/returns/tax-period.ts';
import { allowCost, isCostHidden, seesCost, tellsCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import { acceptedWarnings } from './accepted.ts';
import { bankReconciliation } from './bank.ts';
import { countSheet } from './count-sheet.ts';
import { type Exported, MOST_ROWS, writers } from './export.ts';
import { gstr1, gstr1File } from './gstr1.ts';
import { journalFile } from './journal-file.ts';
import { cashAndBank, dayBook, generalLedger, trialBalance } from './ledgers.ts';
import { outstandingCreditors, outstandingDebtors, payablesAgeing, receivablesAgeing } from './outstanding.ts';
import { customerStatement, supplierStatement } from './party.ts';
import { userDirectory } from './people.ts';
import { reorder } from './reorder.ts';
import type { Answer, Asked, Query } from './report.ts';
import { securityLog } from './security.ts';
import { balanceGroup, balanceSheet, profitAndLoss } from './statements.ts';
import { stockLedger, stockOnHand } from './stock.ts';
import { form16a, taxStatement, tcsCollected, tdsDeducted } from './withheld.ts';

export { ledgerBalances } from './balances.ts';
export * from './filed.ts';
export { iffDocuments } from './gstr1.ts';
export { stockWorth } from './stock.ts';

/** One query per report, named as in the contract: leave one out and it does not compile. */
const queries: Readonly<Record<ReportName, Query>> = {
  trialBalance,
  generalLedger,
  dayBook,
  acceptedWarnings,
  cashAndBank,
  bankReconciliation,
  profitAndLoss,
  balanceSheet,
  balanceGroup,
  stockOnHand,
  countSheet,
  reorder,
  stockLedger,
  receivablesAgeing,
  payablesAgeing,
  outstandingDebtors,
  outstandingCreditors,
  customerStatement,
  supplierStatement,
  gstr1,
  tdsDeducted,
  tcsCollected,
  taxStatement,
  form16a,
  userDirectory,
  securityLog,
};

const PAGE = 200;

/** A report and its filters, once they are allowed and in order. Throws `Problems`, or a refusal. */
async function allowed(
  name: string,
  filters: Readonly<Record<string, string>>,
  context: Context,
): Promise<{ readonly report: Report; readonly given: Readonly<Record<string, string>> }> {
  const report = reportOf(name);
  if (!report) throw new Refusal('notFound');
  if (report.cost) allowCost(context);
  const given = Object.fromEntries(
    Object.entries(filters).filter(([key, value]) => key in report.filters && value !== ''),
  );
  const unknown = Object.keys(filters)
    .filter((key) => !(key in report.filters))
    .map((field) => ({ field, ...say('{{field}} is not a filter of this report', { field }) }));
  const problems = Object.entries(report.filters).flatMap(([key, filter]) => {
    const value = given[key];
    if (value === undefined)
      return filter.required ? [{ field: key, ...say('{{filter}} is required', { filter: filter.label }) }] : [];
    if (filter.type === 'day' && !isDay(value)) return [{ field: key, ...say('This is not a date') }];
    // whether it is a quarter's, the report knows: it tells a month that is still to come
    const month = filter.type === 'period' ? taxPeriodProblem(value, context.today, true) : undefined;
    if (month) return [{ field: key, ...month }];
    return filter.type === 'pick' && !/^[0-9a-f-]{36}$/.test(value)
      ? [{ field: key, ...say('Choose from the list') }]
      : [];
  });
  problems.push(...unknown);
  const period = periodProblem(report, given);
  if (period) problems.push(period);
  if (problems.length > 0) throw new Problems(problems);
  // what they may not see answers like what does not exist
  if (given.location && context.locations.length > 0 && !context.locations.includes(given.location))
    throw new Refusal('notFound');
  if (given.registration && !(await mayAskFor(given.registration, context))) throw new Refusal('notFound');
  return { report, given };
}

async function run(
  name: string,
  filters: Readonly<Record<string, string>>,
  context: Context,
  limit: number,
  after?: string,
): Promise<{ readonly report: Report; readonly answer: Answer }> {
  const { report, given } = await allowed(name, filters, context);
  const query = queries[name as ReportName];
  const answer = await context.inTransaction((trx) =>
    query(trx, {
      organisation: context.organisation,
      filters: given,
      after,
      today: context.today,
      places: given.location ? [given.location] : context.locations,
      locations: context.locations,
      settings: context.settings,
      ...(context.sees({ report: name }) === 'own' && { author: context.user, ...toldKinds(context) }),
      ...(isCostHidden(context) && toldKinds(context)),
      limit,
    }),
  );
  const hidden = seesCost(context) ? [] : report.columns.flatMap(({ key, cost }) => (cost ? [key] : []));
  return hidden.length > 0
    ? {
        report: { ...report, columns: report.columns.filter(({ key }) => !hidden.includes(key)) },
        answer: without(answer, hidden),
      }
    : { report, answer };
}

/**
 * Who sees only their own entries sees what goods cost as in the documents themselves: those of customers do not say it, others to
 * who may view their kind.
 */
const toldKinds = (context: Context): Pick<Asked, 'tells'> =>
  seesCost(context)
    ? {}
    : {
        tells: kindNames.filter((kind) => tellsCost(context, kind)),
      };

/** Whether one of a person's locations belongs to a registration. */
const mayAskFor = (registration: Id, { organisation, locations, inTransaction }: Context): Promise<boolean> =>
  locations.length === 0
    ? Promise.resolve(true)
    : inTransaction(async (trx) => {
        const { rows } = await sql`
          select from locations
           where organisation = ${organisation}
             and id = any(${[...locations]}::uuid[])
             and registration = ${registration}::uuid
           limit 1`.execute(trx);
        return rows.length > 0;
      });

/** The answer without these columns. */
const without = (answer: Answer, keys: readonly string[]): Answer => {
  const shown = <T extends object>(row: T): T =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key))) as T;
  return { ...answer, rows: answer.rows.map(shown), totals: shown(answer.totals) };
};

/** Files of their own that reports have, by format. */
const ownFiles: Readonly<
  Record<OwnFormat, (context: Context, filters: Readonly<Record<string, string>>) => Promise<Exported>>
> = { json: gstr1File, journal: journalFile };

export const reportHandlers: Handlers<typeof reportCalls, Context> = {
  RunReport: async ({ report, filters, after }, context) => {
    const { answer } = await run(report, filters, context, PAGE, after);
    return {
      rows: answer.rows.map((r) => ({ ...r })),
      totals: { ...answer.totals },
      after: answer.after,
      notes: [...answer.notes],
    };
  },
  ExportReport: async ({ report: name, filters, format }, context) => {
    if (format === 'json' || format === 'journal') {
      const { report, given } = await allowed(name, filters, context);
      if (report.file?.format !== format) throw new Refusal('notFound');
      return ownFiles[format](context, given);
    }
    const { report, answer } = await run(name, filters, context, MOST_ROWS);
    if (answer.none !== undefined) throw new Refusal('noReturn', { reason: answer.none });
    if (answer.after !== null) throw new Refusal('tooLong', { rows: String(MOST_ROWS) });
    const period = [filters.from, filters.to ?? filters.asOf].filter(Boolean).join(' to ');
    const file = `${name}-${(filters.to ?? filters.asOf ?? context.today).replaceAll('-', '')}`;
    return writers[format](report, answer, {
      organisation: context.organisationCode,
      subtitle: [answer.about, period].filter(Boolean).join(', '),
      file,
    });
  },
};
