import { z } from 'zod';
import { withholdings } from '../domain/facts/deposits.ts';
import { operation } from './contract.ts';
import { acceptedWarnings, warningView } from './documents.ts';
import { addresses, subject } from './mail.ts';
import { chosen, day, decimalText, id, money, required, text, whole } from './wire.ts';

const tax = z.enum(withholdings);
const head = z.enum(['0020', '0021']);
const year = z.string().regex(/^\d{4}-\d{2}$/, 'A financial year is written 2025-26');
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A month is written 2026-10');
const quarter = whole.pipe(z.int().min(1).max(4));
const amount = money.refine((n) => n >= 0, 'An amount is not negative');
/** What the bank tells of a challan; both or neither. */
const identity = {
  bsr: z
    .string()
    .regex(/^(\d{7})?$/, 'A BSR code has seven digits')
    .default(''),
  serial: z
    .string()
    .regex(/^(\d{5})?$/, 'A challan serial number has five digits')
    .default(''),
};
const whichCertificate = { ...chosen, tax, party: id, year, quarter };
const paper = z.object({ name: z.string(), type: z.string(), content: z.string() });

const deduction = z.object({
  document: id,
  kind: z.string(),
  number: z.string(),
  date: day,
  party: z.string(),
  pan: z.string().nullable(),
  head,
  section: z.string(),
  name: z.string(),
  newAct: z.string(),
  amount: decimalText,
  withheld: decimalText,
  paid: decimalText,
  left: decimalText,
  due: day,
});

/** Tax deducted and collected at source on its way to the government, and the certificates of it. */
export const taxCalls = {
  GetTaxWithheld: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary:
      'What was deducted or collected in a tax year, paid to the government and still due, by section and month; ' +
      'with the balance due of earlier years',
    input: z.object({ ...chosen, tax, year }),
    details: z.object({
      rows: z.array(
        z.object({
          section: z.string(),
          name: z.string(),
          newAct: z.string(),
          month,
          documents: z.int(),
          withheld: decimalText,
          paid: decimalText,
          left: decimalText,
          due: day,
          late: z.boolean(),
        }),
      ),
      withheld: decimalText,
      paid: decimalText,
      left: decimalText,
      late: decimalText,
    }),
  }),
  ListTaxDeductions: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary: 'The documents that deducted or collected tax under a section in a month, and how much of each is paid',
    input: z.object({ ...chosen, tax, section: z.string().max(40), month }),
    details: z.array(deduction),
  }),
  ListTaxChallans: operation({
    service: 'accounts',
    method: 'GET',
    summary: 'The challans of a financial year, the latest first',
    input: z.object({ ...chosen, tax, year }),
    details: z.array(
      z.object({
        id,
        kind: z.string(),
        number: z.string(),
        date: day,
        section: z.string(),
        head,
        bsr: z.string(),
        serial: z.string(),
        amount: decimalText,
        interest: decimalText,
        fee: decimalText,
        total: decimalText,
        deductions: z.int(),
        cancelled: z.boolean(),
        version: z.int(),
      }),
    ),
  }),
  PostTaxChallan: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary:
      'Pays tax that was deducted or collected to the government: posts the payment, and says which deductions it is for',
    input: z.object({
      ...chosen,
      tax,
      section: required(40, 'Section'),
      head,
      date: day,
      ...identity,
      moneyLedger: id,
      registration: id,
      location: id,
      interest: amount.prefault('0'),
      fee: amount.prefault('0'),
      parts: z
        .array(z.object({ document: id, amount: money }))
        .min(1, 'Choose the dues that this challan pays')
        .max(1000, 'A challan pays at most 1,000 deductions'),
      narration: text(500).default(''),
      accepted: acceptedWarnings.optional(),
    }),
    details: z.object({ TransactionId: id, TransactionNumber: z.string(), warnings: z.array(warningView) }),
  }),
  SaveChallanDetails: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Enters what the bank gave for a paid challan: its BSR code and serial number',
    input: z.object({ ...chosen, id, version: z.int(), ...identity }),
    details: z.object({ version: z.int() }),
  }),
  ListTaxCertificates: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary:
      'From whom tax was deducted or collected in a quarter, whether all of it is deposited, and the certificate of each',
    input: z.object({ ...chosen, tax, year, quarter }),
    details: z.object({
      certificate: z.string(),
      statement: z.string(),
      statementDue: day,
      certificateDue: day,
      from: day,
      to: day,
      named: z.string(),
      tan: z.string().nullable(),
      pan: z.string().nullable(),
      rows: z.array(
        z.object({
          party: id.nullable(),
          name: z.string(),
          pan: z.string().nullable(),
          email: z.string(),
          sections: z.array(z.string()),
          amount: decimalText,
          withheld: decimalText,
          deposited: decimalText,
          obstacle: z.string().nullable(),
          number: z.string(),
          signedBy: z.string(),
          capacity: z.string(),
          version: z.int(),
          mailed: z.object({ to: z.string(), at: z.string(), state: z.string() }).nullable(),
        }),
      ),
    }),
  }),
  SaveTaxCertificate: operation({
    service: 'accounts',
    method: 'POST',
    summary: 'Keeps the number that TRACES gave a certificate, and who answers for it',
    input: z.object({
      ...whichCertificate,
      number: text(20).default(''),
      signedBy: text(100).default(''),
      capacity: text(100).default(''),
      version: z.int().optional(),
    }),
    details: z.object({ version: z.int() }),
  }),
  PrintTaxCertificate: operation({
    service: 'accounts',
    method: 'GET',
    load: 'report',
    summary:
      'The certificate of tax deducted (16A, 131) or collected (27D, 133) of one payee and quarter as PDF, ' +
      'base64; refused until all of it is deposited',
    input: z.object(whichCertificate),
    details: paper,
  }),
  MailTaxCertificate: operation({
    service: 'accounts',
    method: 'POST',
    idempotent: true,
    summary: 'Mails the certificate to the payee',
    input: z.object({
      ...whichCertificate,
      to: addresses.min(1, 'Give an e-mail address'),
      cc: addresses.default([]),
      subject,
      message: text(10_000).default(''),
    }),
    details: z.object({ mail: id }),
  }),
} as const;
