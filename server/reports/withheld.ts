import { type QueryExecutorProvider, sql } from 'kysely';
import { financialYearOf, quarterOf } from '../../domain/base/dates.ts';
import { HUNDRED_PERCENT, moneyText, percentText } from '../../domain/base/decimal.ts';
import { scale } from '../../domain/base/money.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { otherStatements, type Withholding } from '../../domain/facts/deposits.ts';
import { leftOf, paymentCodeOf, sectionOf, statementOf, taxQuarterOf } from '../../domain/tax/deposits.ts';
import {
  type Deduction,
  type DepositedPart,
  deductions as deductionsOf,
  deductorOf,
  deposits,
} from '../withheld/index.ts';
import type { Asked, Query, Row } from './report.ts';

/** What tax was deducted from, or collected on, document by document. */
const deductions = (
  db: QueryExecutorProvider,
  tax: Withholding,
  { organisation, filters, places, limit }: Asked,
): Promise<Deduction[]> =>
  deductionsOf(db, {
    organisation,
    tax,
    from: filters.from,
    to: filters.to,
    party: filters.party,
    places,
    spared: true,
    limit,
  });

/** The certificate, and how much of the amount it covers where that is not all. */
const certificateText = ({ lower, amount }: Deduction): string =>
  lower === null ? '' : lower.base === amount ? lower.number : `${lower.number}: ${moneyText(lower.base)}`;

/** Documents whose tax was typed, and is no rate of the section on the document. */
const typed = (all: readonly Deduction[]): string[] =>
  all
    .filter(({ byHand }) => byHand)
    .map(
      ({ number }) =>
        `${number}: the tax was typed, and is no rate of the section on the document: check amount and rate`,
    );

const sums = (rows: readonly Deduction[]) => ({
  amount: moneyText(rows.reduce((t, r) => t + r.amount, 0)),
  tds: moneyText(rows.reduce((t, r) => t + r.withheld, 0)),
  paid: moneyText(rows.reduce((t, r) => t + r.paid, 0)),
});

const cut = (all: readonly unknown[], { limit }: Asked): string[] =>
  all.length === limit ? [`Only the first ${limit} are listed: choose a shorter time`] : [];

const withheldBy =
  (tax: Withholding): Query =>
  async (db, asked) => {
    const all = await deductions(db, tax, asked);
    const rows = all.filter(({ section }) => !asked.filters.section || section === asked.filters.section);
    return {
      rows: rows.map((r): Row => {
        const { newAct } = sectionOf(tax, r.named);
        return {
          document: r.document,
          kind: r.kind,
          date: r.date,
          number: r.number,
          kindLabel: kindLabel(r.kind),
          party: r.name,
          pan: r.pan ?? 'Not known',
          section: r.named,
          newAct,
          amount: moneyText(r.amount),
          rate: r.rate === undefined ? '' : percentText(r.rate),
          tds: moneyText(r.withheld),
          paid: moneyText(r.paid),
          certificate: certificateText(r),
        };
      }),
      totals: sums(rows),
      after: null,
      notes: [...typed(rows), ...cut(all, asked)],
    };
  };
export const tdsDeducted = withheldBy('tds');
export const tcsCollected = withheldBy('tcs');

/** A quarter of the tax year, as the certificate names it. */
const quarterText = (date: string): string => `Q${quarterOf(date).number} ${financialYearOf(date).label}`;

/**
 * What a certificate of tax deducted states of one deductee (rule 31; Form 131 under the Act of 2025): who, from whom,
 * what, quarter by quarter.
 */
export const form16a: Query = async (db, asked) => {
  const { organisation, filters } = asked;
  const rows = await deductions(db, 'tds', asked);
  const deductor = await deductorOf(db, organisation);
  const party = await sql<{ name: string; pan: string | null; address: string | null }>`
    select
      p.name, p.pan,
      (
        select concat_ws(', ', a ->> 'line1', a ->> 'city', a ->> 'pincode')
        from jsonb_array_elements(
          case jsonb_typeof(p.body -> 'addresses') when 'array' then p.body -> 'addresses' else '[]' end
        ) a
        limit 1
      ) as address
    from parties p
    where p.organisation = ${organisation} and p.id = surviving_party(${organisation}, ${filters.party ?? ''}::uuid)
  `.execute(db);
  const [deductee] = party.rows;
  return {
    rows: rows.map((r): Row => {
      const { newAct, name } = sectionOf('tds', r.named);
      return {
        document: r.document,
        kind: r.kind,
        quarter: quarterText(r.date),
        section: r.named,
        newAct,
        nature: name,
        date: r.date,
        number: r.number,
        amount: moneyText(r.amount),
        tds: moneyText(r.withheld),
        paid: moneyText(r.paid),
        certificate: certificateText(r),
      };
    }),
    totals: sums(rows),
    after: null,
    ...(deductee && { about: deductee.name }),
    notes: [
      noteOf('Deductor', [
        deductor.name,
        deductor.tan ? `TAN ${deductor.tan}` : 'TAN not entered: it belongs to the registration',
        deductor.pan ? `PAN ${deductor.pan}` : '',
        deductor.address,
      ]),
      ...(deductee
        ? [
            noteOf('Deductee', [
              deductee.name,
              deductee.pan ? `PAN ${deductee.pan}` : 'PAN not known',
              deductee.address,
            ]),
          ]
        : []),
      'The certificate itself is drawn from TRACES once the quarterly statement is filed: these are the figures it must show',
    ],
  };
};

const taxOf = (text: string | undefined): Withholding => (text === 'tcs' ? 'tcs' : 'tds');
/** Why less or more than the usual rate was taken, as the statement codes it. */
const remarkOf = ({ lower, pan }: Deduction): string => (lower ? 'A' : pan ? '' : 'C');

/**
 * The figures of a quarterly statement (26Q and 27EQ, 140 and 143): each deduction with the challan that paid it, what
 * is not paid by itself.
 */
export const taxStatement: Query = async (db, asked) => {
  const tax = taxOf(asked.filters.tax);
  const other = asked.filters.tax === 'salary' || asked.filters.tax === 'nonResidents' ? asked.filters.tax : undefined;
  const found = (await deductions(db, tax, asked)).filter(
    ({ named }) => tax === 'tcs' || statementOf(named) === (other ?? 'residents'),
  );
  const parts = await deposits(
    db,
    asked.organisation,
    tax,
    found.map(({ document }) => document),
  );
  const by = new Map<string, DepositedPart[]>();
  for (const part of parts) by.set(part.document, [...(by.get(part.document) ?? []), part]);
  const row = (d: Deduction, part: DepositedPart | undefined, first: boolean): Row => {
    const { newAct } = sectionOf(tax, d.named);
    // what a certificate covers in part has no rate of its own
    const rate =
      d.lower === null || d.lower.base === d.amount
        ? d.rate
        : d.amount === 0
          ? undefined
          : scale(d.withheld, HUNDRED_PERCENT, d.amount);
    return {
      document: d.document,
      kind: d.kind,
      date: d.date,
      number: d.number,
      party: d.name,
      pan: d.pan ?? 'PANNOTAVBL',
      head: d.head,
      section: d.section,
      newAct,
      code: paymentCodeOf(tax, d.named, d.pan, d.date),
      certificate: d.lower?.number ?? '',
      remark: remarkOf(d),
      // amounts of a deduction that several challans paid stand once, so that the columns add up
      amount: first ? moneyText(d.amount) : '',
      tds: first ? moneyText(d.withheld) : '',
      rate: rate === undefined || !first ? '' : percentText(rate),
      paid: part ? moneyText(part.amount) : '',
      bsr: part?.bsr ?? '',
      challanDate: part?.date ?? '',
      serial: part?.serial ?? '',
      left: first && leftOf(d) > 0 ? moneyText(leftOf(d)) : '',
    };
  };
  const deductor = await deductorOf(db, asked.organisation);
  const { terms, statementDue } = taxQuarterOf(tax, asked.filters.to ?? asked.today);
  const statement = other ? otherStatements[other][terms.year === 'tax' ? 'now' : 'before'] : terms.statement;
  const salary =
    other === 'salary' ? [`${statement} asks for the salary of each employee too, which is not kept here`] : [];
  return {
    rows: found.flatMap((d) => {
      const own = by.get(d.document) ?? [];
      return own.length > 0 ? own.map((part, at) => row(d, part, at === 0)) : [row(d, undefined, true)];
    }),
    totals: { ...sums(found), left: moneyText(found.reduce((t, d) => t + leftOf(d), 0)) },
    after: null,
    about: statement,
    notes: [
      ...salary,
      `${statement}, due on ${statementDue.split('-').reverse().join('-')} for the quarter of the last day`,
      `${deductor.name}: ${deductor.tan ? `TAN ${deductor.tan}` : 'TAN not entered: it belongs to the registration'}`,
      ...typed(found),
      ...cut(found, asked),
    ],
  };
};

const noteOf = (label: string, parts: readonly (string | null | undefined)[]): string =>
  `${label}: ${parts.filter(Boolean).join(' · ')}`;
