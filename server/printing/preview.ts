import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import { masters } from '../../contract/masters.ts';
import { shapeOf } from '../../contract/shapes.ts';
import { upiLink } from '../../domain/banking/upi.ts';
import { paise } from '../../domain/base/money.ts';
import { amountInWords } from '../../domain/base/words.ts';
import type { RegistrationKind } from '../../domain/document/document.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { paperColumns, readTemplate } from '../../domain/paper/paper-template.ts';
import { hasGst, isRegular } from '../../domain/tax/gst/registration/registered.ts';
import type { Context } from '../context.ts';
import { refuseUnknown } from '../kit/input.ts';
import { type Paper, type PaperColumn, printPaper } from '../paper/index.ts';
import { styleOf, tableOf } from './template.ts';

const figure = (label: string): PaperColumn => ({ label, width: 'auto', right: true });
const word = (label: string): PaperColumn => ({ label, width: 'auto' });
/** Two lines of no document: ten bulbs and a day's work. */
const lines = {
  number: { column: figure('#'), cells: ['1', '2'] },
  description: {
    column: { label: 'Description', width: '*' } as const,
    cells: ['LED-9W · LED bulb 9 W, warm white', 'Fitting, one day'],
  },
  hsn: { column: word('HSN/SAC'), cells: ['85395000', '998739'] },
  quantity: { column: figure('Qty'), cells: ['10', '1'] },
  unit: { column: word('Unit'), cells: ['NOS', 'DAY'] },
  rate: { column: figure('Rate'), cells: ['95.00', '1,500.00'] },
  discount: { column: figure('Discount'), cells: ['', '5%'] },
  gstRate: { column: figure('GST %'), cells: ['18', '18'] },
  taxable: { column: figure('Taxable (₹)'), cells: ['950.00', '1,425.00'] },
};
const totalOf = (taxed: boolean) => paise(taxed ? 280_250 : 237_500);

/** What is being typed may be wrong yet, and is shown as far as it can be. */
const templateShape = shapeOf(masters.paperTemplate.fields);

/** The first kind of those that the template is for that is no supply of ours: its paper is shown then. */
const ourOwn = (kinds: unknown): string | undefined => {
  const named = Array.isArray(kinds) ? kinds.flatMap((name) => kindCalled(String(name)) ?? []) : [];
  return named.length > 0 && named.every((kind) => kind.gst.tax === 'input') ? named[0]?.label : undefined;
};

interface Own {
  readonly legal_name: string;
  readonly gstin: string | null;
  readonly city: string | null;
  readonly status: RegistrationKind;
}

/** The first registration, as it stands today. */
const firstRegistration = async (context: Context): Promise<Own | undefined> => {
  const { organisation, today } = context;
  const { rows } = await context.inTransaction((trx) =>
    sql<Own>`
      select
        legal_name,
        case when registration_status(organisation, id, ${today}::date) <> 'unregistered' then gstin end as gstin,
        body ->> 'city' as city,
        registration_status(organisation, id, ${today}::date) as status
      from registrations
      where organisation = ${organisation} and active
      order by gstin nulls last
      limit 1
    `.execute(trx),
  );
  return rows[0];
};

/** What the sample is: `bought` is the kind that the template is for, where it is for what we buy. */
interface Sample {
  readonly bought: string | undefined;
  readonly registered: boolean;
  readonly taxed: boolean;
}

const titleOf = ({ bought, registered, taxed }: Sample): string =>
  bought ?? (!registered ? 'Invoice' : taxed ? 'Tax invoice' : 'Bill of supply');

const factsOf = ({ bought, registered, taxed }: Sample, monthFirst: boolean): Paper['facts'] => [
  { label: 'Number', value: bought ? 'SAMPLE/0001' : 'INV/SAMPLE/0001' },
  { label: 'Date', value: monthFirst ? '04-30-2026' : '30-04-2026' },
  ...(bought ? [{ label: 'Expected', value: monthFirst ? '05-07-2026' : '07-05-2026' }] : []),
  ...(!bought && registered ? [{ label: 'Place of supply', value: '29 – Karnataka' }] : []),
  ...(!bought && taxed ? [{ label: 'Reverse charge', value: 'No' }] : []),
];

/** The columns of lines that the sample has. */
const columnsOf = ({ registered, taxed }: Sample) => {
  const { hsn, gstRate, taxable, ...plain } = lines;
  return {
    ...plain,
    ...(registered && { hsn }),
    ...(taxed && { gstRate }),
    taxable: taxed ? taxable : { ...taxable, column: figure('Value (₹)') },
  };
};

const taxes: NonNullable<Paper['taxes']> = {
  columns: [{ label: 'GST %', width: '*' }, figure('Taxable (₹)'), figure('CGST (₹)'), figure('SGST (₹)')],
  rows: [['18', '2,375.00', '213.75', '213.75']],
  totals: ['Total', '2,375.00', '213.75', '213.75'],
};

const sumsOf = (taxed: boolean): Paper['sums'] =>
  taxed
    ? [
        { label: 'Taxable value', amount: '2,375.00' },
        { label: 'CGST', amount: '213.75' },
        { label: 'SGST', amount: '213.75' },
        { label: 'Total ₹', amount: '2,802.50', strong: true },
      ]
    : [
        { label: 'Value', amount: '2,375.00' },
        { label: 'Total ₹', amount: '2,375.00', strong: true },
      ];

/**
 * An invented invoice, or an order where the template is for what we buy, in the organisation's own name, on the paper
 * of a template that is being typed.
 */
export async function previewPaper(
  context: Context,
  values: Readonly<Record<string, unknown>>,
): Promise<Answer<(typeof documents)['PreviewPaper']>> {
  refuseUnknown(templateShape, values);
  const template = readTemplate(values);
  const own = await firstRegistration(context);
  const name = own?.legal_name ?? '';
  const bought = ourOwn(values['kinds']);
  // the papers of the first registration today; what is bought bears the tax of its supplier
  const status = own?.status ?? 'unregistered';
  const sample: Sample = { bought, registered: hasGst(status), taxed: bought !== undefined || isRegular(status) };
  const { registered, taxed } = sample;
  const total = totalOf(taxed);
  const link = upiLink({ id: 'sample@bank', name, amount: total, reference: 'INV/SAMPLE/0001' });
  const paper: Paper = {
    title: titleOf(sample),
    ...(bought === undefined && registered && { copy: 'Original for recipient' }),
    notices:
      registered && !taxed && bought === undefined
        ? ['Composition taxable person, not eligible to collect tax on supplies']
        : [],
    watermark: 'Sample',
    seller: {
      heading: 'From',
      lines: [name, own?.city ?? '', own?.gstin ? `GSTIN ${own.gstin}` : 'Not registered under GST'].filter(Boolean),
    },
    facts: factsOf(sample, context.settings.dateFormat === 1),
    parties: [
      {
        heading: bought ? 'Supplier' : 'To',
        lines: ['Asha Traders', '14 Market Road', 'Bengaluru 560001', 'GSTIN 29AABCA1234F1Z5', 'State 29 – Karnataka'],
      },
    ],
    table: tableOf(template, columnsOf(sample), (column) => paperColumns[column].label),
    ...(taxed && { taxes }),
    sums: sumsOf(taxed),
    words: amountInWords(total),
    ...(template.bank &&
      !bought && { bank: { heading: 'Bank', lines: ['Your bank', 'Account 000000000000', 'IFSC BANK0000000'] } }),
    ...(template.upi && !bought && link && { upi: { link, id: 'sample@bank' } }),
    ...(template.terms && { terms: template.terms }),
    signatory: name,
    style: await styleOf(context, template),
  };
  return {
    name: 'sample.pdf',
    type: 'application/pdf',
    content: Buffer.from(await printPaper(paper)).toString('base64'),
  };
}
