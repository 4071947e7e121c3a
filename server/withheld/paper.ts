import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { shownDay } from '../../domain/base/dates.ts';
import { grouped, moneyText } from '../../domain/base/decimal.ts';
import { amountInWords } from '../../domain/base/words.ts';
import type { Address } from '../../domain/document/document.ts';
import { dueOf, sectionOf } from '../../domain/tax/deposits.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import type { Context } from '../context.ts';
import { type Paper, printPaper } from '../paper/index.ts';
import {
  type Asked,
  amountOf,
  type Certificate,
  certificatesOfQuarter,
  type Deductor,
  depositedOf,
  quarterAsked,
  type Typed,
  typedOf,
  untyped,
  withheldOf,
} from './certificates.ts';
import type { DepositedPart } from './deductions.ts';

const amount = (paise: number): string => grouped(moneyText(paise));
const words = {
  tds: {
    title: 'Certificate of tax deducted at source',
    own: 'Deductor',
    other: 'Deductee',
    of: 'Paid or credited',
    did: 'deducted',
  },
  tcs: {
    title: 'Certificate of tax collected at source',
    own: 'Collector',
    other: 'Collectee',
    of: 'Received or debited',
    did: 'collected',
  },
} as const;

/**
 * The certificate of one payee and quarter as a PDF; refused as long as not all of its tax is deposited. `trial`: the
 * portals of this installation are stand-ins, and the paper says so.
 */
export async function taxCertificate(
  asked: Asked,
  context: Context,
  trial = false,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const paper = await context.inTransaction(async (trx) => {
    const quarter = quarterAsked(asked.tax, asked.year, asked.quarter);
    const { deductor, all } = await certificatesOfQuarter(trx, context, quarter, asked);
    const [one] = all;
    if (!one?.party) throw new Refusal('notFound');
    if (one.obstacle) throw new Refusal('cannotCertify', { name: one.name, reason: one.obstacle });
    const typed = (await typedOf(trx, context.organisation, asked.tax, quarter)).get(one.party) ?? untyped;
    const { rows } = await sql<{
      address: Partial<Address> | null;
    }>`
      select (
        select a
        from jsonb_array_elements(
          case jsonb_typeof(p.body -> 'addresses') when 'array' then p.body -> 'addresses' else '[]' end
        ) a
        limit 1
      ) as address
      from parties p
      where p.organisation = ${context.organisation} and p.id = ${one.party}
    `.execute(trx);
    const made = paperOf(one, deductor, typed, addressOf(rows[0]?.address ?? undefined), { asked, quarter, context });
    return trial ? { ...made, watermark: 'Trial' } : made;
  });
  const { certificate } = quarterAsked(asked.tax, asked.year, asked.quarter).terms;
  const payee = (paper.parties[0]?.lines[0] ?? '').replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40);
  return {
    name: `${certificate.replace(' ', '-')}-${asked.year}-Q${asked.quarter}-${payee}.pdf`,
    bytes: Buffer.from(await printPaper(paper)),
  };
}

const addressOf = (address: Partial<Address> | undefined): string[] =>
  [
    address?.line1,
    address?.line2,
    [address?.city, address?.pincode].filter(Boolean).join(' '),
    address?.state && stateName(address.state),
  ].filter((line): line is string => Boolean(line));

interface About {
  readonly asked: Asked;
  readonly quarter: ReturnType<typeof quarterAsked>;
  readonly context: Context;
}

function paperOf(
  one: Certificate,
  deductor: Deductor,
  typed: Typed,
  address: readonly string[],
  { asked, quarter, context }: About,
): Paper {
  const { tax } = asked;
  const says = words[tax];
  const day = (text: string) => shownDay(text, context.settings.dateFormat);
  const [withheld, deposited] = [withheldOf(one), depositedOf(one)];
  return {
    title: `${quarter.terms.certificate} – ${says.title}`,
    notices: [
      `Under ${quarter.terms.under}`,
      ...(typed.number
        ? []
        : ['Drawn from the books: the certificate itself is the one of TRACES, whose number was not entered']),
    ],
    seller: {
      heading: says.own,
      lines: [
        deductor.name,
        deductor.address,
        `TAN ${deductor.tan ?? ''}`,
        deductor.pan ? `PAN ${deductor.pan}` : 'PAN not known',
      ],
    },
    parties: [
      {
        heading: says.other,
        lines: [one.name, ...address, one.pan ? `PAN ${one.pan}` : `PAN not known: ${without[tax]}`],
      },
    ],
    facts: [
      ...(typed.number ? [{ label: 'Certificate number', value: typed.number }] : []),
      {
        label: quarter.terms.year === 'tax' ? 'Tax year' : 'Assessment year',
        value: quarter.named.replace(/^\D+/, ''),
      },
      { label: 'Quarter', value: `Q${quarter.number} of ${quarter.year}` },
      { label: 'From', value: day(quarter.start) },
      { label: 'To', value: day(quarter.end) },
      { label: 'Drawn on', value: day(context.today) },
    ],
    table: {
      columns: [
        { label: 'Section and nature', width: '*' },
        { label: 'Document', width: 'auto' },
        { label: says.of, width: 'auto' },
        { label: 'Amount (₹)', width: 'auto', right: true },
        { label: `Tax ${says.did} (₹)`, width: 'auto', right: true },
        { label: 'Deposited (₹)', width: 'auto', right: true },
      ],
      rows: one.deductions.map((d) => {
        const { section, newAct, name } = sectionOf(tax, d.named);
        const law = quarter.terms.year === 'tax' && newAct ? `${newAct} (${section})` : section;
        const lower = d.lower ? `, certificate ${d.lower.number} (s. 197)` : '';
        return [`${law} ${name}${lower}`, d.number, day(d.date), amount(d.amount), amount(dueOf(d)), amount(d.paid)];
      }),
      totals: ['Total', '', '', amount(amountOf(one)), amount(withheld), amount(deposited)],
    },
    sums: [
      { label: `Tax ${says.did} ₹`, amount: amount(withheld) },
      { label: 'Deposited ₹', amount: amount(deposited), strong: true },
    ],
    words: amountInWords(deposited),
    taxes: {
      columns: [
        { label: 'Challan', width: '*' },
        { label: 'BSR code', width: 'auto' },
        { label: 'Deposited on', width: 'auto' },
        { label: 'Serial number', width: 'auto' },
        { label: 'Of this certificate (₹)', width: 'auto', right: true },
      ],
      rows: byChallan(one.deposits).map((c) => [c.number, c.bsr ?? '', day(c.date), c.serial ?? '', amount(c.amount)]),
      totals: ['Total', '', '', '', amount(deposited)],
    },
    narration: [
      `Verification. I, ${typed.signedBy || BLANK}, working in the capacity of ${typed.capacity || BLANK}, certify that`,
      `a sum of ₹ ${amount(withheld)} (${amountInWords(withheld)}) has been ${says.did} and`,
      `a sum of ₹ ${amount(deposited)} (${amountInWords(deposited)}) deposited to the credit of the Central Government.`,
      'The information given above is true, complete and correct, and is based on the books of account, documents,',
      'statements and deposits and other available records.',
    ].join(' '),
    signatory: deductor.name,
  };
}

/** Left to be filled in by hand. */
const BLANK = '____________________';

/** What it costs that a payee gave no PAN. */
const without = {
  tds: 'deducted at the higher rate of section 206AA',
  tcs: 'collected at the higher rate of section 206CC',
} as const;

/** Each challan once, with all that it paid of this certificate. */
function byChallan(parts: readonly DepositedPart[]): {
  readonly number: string;
  readonly bsr: string | null;
  readonly serial: string | null;
  readonly date: string;
  readonly amount: number;
}[] {
  const all = new Map<string, DepositedPart & { amount: number }>();
  for (const part of parts)
    all.set(part.challan, { ...part, amount: (all.get(part.challan)?.amount ?? 0) + part.amount } as DepositedPart);
  return [...all.values()];
}
