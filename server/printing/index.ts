import type { Handlers } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import type { Session } from '../../contract/session.ts';
import { upiLink } from '../../domain/banking/upi.ts';
import { shownDay } from '../../domain/base/dates.ts';
import { grouped, money, moneyText, ONE, parseDecimal, percentage, percentText } from '../../domain/base/decimal.ts';
import { type Paise, scale } from '../../domain/base/money.ts';
import { amountInWords } from '../../domain/base/words.ts';
import { comesThroughBank, goesThroughBank } from '../../domain/books/legs.ts';
import type { AdditionalType } from '../../domain/document/additional.ts';
import type { Draft } from '../../domain/document/document.ts';
import { type Kind, type KindName, kindLabel, kindOf } from '../../domain/document/kinds/index.ts';
import { dayOfOriginal, typedOriginal } from '../../domain/document/originals.ts';
import { reasonInWords } from '../../domain/document/reasons.ts';
import { returnsWithoutSource } from '../../domain/document/sources.ts';
import { type PaperColumnName, type PaperTemplate, paperColumns } from '../../domain/paper/paper-template.ts';
import { chargesUnionTerritoryTax, stateName } from '../../domain/tax/gst/states.ts';
import { allowCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { viewDocument } from '../documents/index.ts';
import { type Paper, type PaperColumn, printPaper } from '../paper/index.ts';
import { withArabic } from './arabic.ts';
import { type Around, around, type View } from './around.ts';
import { previewPaper } from './preview.ts';
import { styleOf, tableOf, templateFor } from './template.ts';

const isZero = (text: string): boolean => money(text) === 0;

const notes = { INV: undefined, CRN: 'Credit note', DBN: 'Debit note' } as const;
const vouchers: Readonly<Record<string, string>> = { advance: 'Receipt voucher', advanceRefunded: 'Refund voucher' };
interface Nature {
  readonly registered: boolean;
  readonly billOfSupply: boolean;
  readonly taxed: boolean;
}
/** What the law calls it: rules 46, 49, 50, 51, 53 and 55. Goods that go to another registration of one's own are a supply. */
const titles: Readonly<Record<Kind['paper'], (kind: Kind, nature: Nature) => string>> = {
  taxInvoice: (_, { registered, billOfSupply }) =>
    !registered ? 'Invoice' : billOfSupply ? 'Bill of supply' : 'Tax invoice',
  billOfSupply: (_, { registered }) => (registered ? 'Bill of supply' : 'Invoice'),
  note: (k) => (k.gst.irp && notes[k.gst.irp]) ?? k.label,
  order: (k) => k.label,
  voucher: (k) => vouchers[k.gst.gstr1 ?? ''] ?? k.label,
  challan: (_, { taxed }) => (taxed ? 'Tax invoice' : 'Delivery challan'),
  none: (k) => k.label,
};
/** Rules 48 and 55. */
const copies = {
  original: 'Original for recipient',
  duplicate: 'Duplicate for transporter',
  triplicate: 'Triplicate for supplier',
  extra: 'Extra copy',
} as const;
const challanCopies: Readonly<Record<keyof typeof copies, string>> = {
  original: 'Original for consignee',
  duplicate: 'Duplicate for transporter',
  triplicate: 'Triplicate for consigner',
  extra: 'Extra copy',
};

/** Endorsements of rule 46 and the Act, by what the supply is. */
const endorsements: Readonly<Record<string, string>> = {
  EXPWP: 'Supply meant for export on payment of integrated tax',
  EXPWOP: 'Supply meant for export under bond or letter of undertaking without payment of integrated tax',
  SEZWP: 'Supply to SEZ unit or developer for authorised operations on payment of integrated tax',
  SEZWOP:
    'Supply to SEZ unit or developer for authorised operations under bond or letter of undertaking without payment of integrated tax',
};

type Table = NonNullable<Paper['table']>;
type Typed = NonNullable<Draft['lines']>[number];

/** Stock room, batches and serial numbers under the description of their line. */
const marks = (
  line: Typed | undefined,
  { room, expiries }: View['lines'][number],
  day: (text: string) => string,
): string =>
  [
    ...(room ? [`Room ${room}`] : []),
    ...(line?.batches ?? []).map(
      ({ batch, quantity, expiry = expiries.find((known) => known.batch === batch)?.expiry }, _, all) =>
        `Batch ${batch}${all.length > 1 ? ` × ${grouped(String(quantity))}` : ''}${expiry ? `, expires ${day(expiry)}` : ''}`,
    ),
    ...(line?.serials?.length ? [`Serial ${line.serials.join(', ')}`] : []),
  ]
    .map((text) => `\n${text}`)
    .join('');

function goodsTable(
  view: View,
  draft: Draft,
  valued: string,
  { rated, coded, described }: { readonly rated: boolean; readonly coded: boolean; readonly described: string },
  template: PaperTemplate,
  day: (text: string) => string,
): Table {
  // what the wire holds is decimal text
  const discounts = view.lines
    .map((_, index) => (view.priced?.atCost ? undefined : draft.lines[index]?.discount))
    .map((discount) =>
      discount?.percent ? `${discount.percent}%` : discount?.amount ? grouped(String(discount.amount)) : '',
    );
  const text = (label: string, cells: readonly string[]) => ({ column: { label, width: 'auto' } as const, cells });
  const figure = (label: string, cells: readonly string[]) => ({
    column: { label, width: 'auto', right: true } as const,
    cells,
  });
  const of = (cell: (line: View['lines'][number]) => string) => view.lines.map(cell);
  return tableOf(
    template,
    {
      number: figure(
        '#',
        of((l) => String(l.number)),
      ),
      description: {
        column: { label: 'Description', width: '*' },
        cells: view.lines.map(
          (l, i) =>
            `${[l.sku, [l.description, described].filter(Boolean).join(': ')].filter(Boolean).join(' · ')}${marks(draft.lines[i], l, day)}`,
        ),
      },
      ...(coded && {
        hsn: text(
          'HSN/SAC',
          of((l) => l.hsn),
        ),
      }),
      // of stock that is put right, what is taken away is less than nothing
      quantity: figure(
        'Qty',
        view.lines.map((l, i) => grouped(String(draft.lines[i]?.delta ?? l.quantity))),
      ),
      unit: text(
        'Unit',
        of((l) => l.unit),
      ),
      rate: figure(
        draft.currency === 'INR' ? (draft.taxInclusive ? 'Rate incl. tax' : 'Rate') : `Rate (${draft.currency})`,
        of((l) => grouped(l.rate ?? '')),
      ),
      ...(discounts.some(Boolean) && { discount: figure('Discount', discounts) }),
      ...(rated && {
        gstRate: figure(
          'GST %',
          of((l) => l.gstRate),
        ),
      }),
      taxable: figure(
        `${valued} (₹)`,
        of((l) => grouped(l.taxable ?? '')),
      ),
    },
    usualLabel,
  );
}
const usualLabel = (name: PaperColumnName): string => paperColumns[name].label;

/** Rule 46 asks for the rate and the amount under each head: a row for each rate. */
function taxTable(view: View, intra: boolean, state: string): Paper['taxes'] {
  const half = (rate: string) => percentText(percentage(rate) / 2);
  const cess = view.lines.some((line) => !isZero(line.cess));
  const heads = [
    'taxable',
    ...(intra ? (['cgst', 'sgst'] as const) : (['igst'] as const)),
    ...(cess ? (['cess'] as const) : []),
  ] as const;
  const words = { taxable: 'Taxable', cgst: 'CGST', sgst: state, igst: 'IGST', cess: 'Cess' } as const;
  const rates = [...new Set(view.lines.map((line) => line.gstRate))].sort((a, b) => percentage(a) - percentage(b));
  const amount = (lines: View['lines'], head: (typeof heads)[number]) =>
    grouped(moneyText(lines.reduce((sum, line) => sum + money(line[head] ?? '0'), 0)));
  const ratedHead = (head: string) => head === 'cgst' || head === 'sgst' || head === 'igst';
  const row = (lines: View['lines'], rate: string | undefined) =>
    heads.flatMap((head) => [
      ...(ratedHead(head) ? [rate === undefined ? '' : head === 'igst' ? rate : half(rate)] : []),
      amount(lines, head),
    ]);
  return {
    columns: [
      { label: 'GST %', width: '*' },
      ...heads.flatMap((head): PaperColumn[] => [
        ...(ratedHead(head) ? [{ label: `${words[head]} %`, width: 'auto', right: true } as const] : []),
        { label: `${words[head]} (₹)`, width: 'auto', right: true },
      ]),
    ],
    rows: rates.map((rate) => [
      rate,
      ...row(
        view.lines.filter((line) => line.gstRate === rate),
        rate,
      ),
    ]),
    totals: ['Total', ...row(view.lines, undefined)],
  };
}

/** What a receipt or payment is for; what no document has taken is on account. */
function settledTable(view: View, currency: string): Table | undefined {
  const foreign = currency !== 'INR';
  const settled = view.links.filter((link) => link.role === 'allocation' && link.amount !== null);
  if (settled.length === 0 || !view.priced) return undefined;
  const left =
    money(foreign ? view.priced.foreignTotal : view.priced.total) -
    settled.reduce((sum, { amount }) => sum + money(amount ?? '0'), 0);
  return {
    columns: [
      { label: 'Settled', width: '*' },
      { label: 'Number', width: 'auto' },
      { label: foreign ? `Amount (${currency})` : 'Amount (₹)', width: 'auto', right: true },
    ],
    rows: [
      ...settled.map((link) => [kindLabel(link.kind), link.number, grouped(link.amount ?? '')]),
      ...(left > 0 ? [['On account', '', grouped(moneyText(left))]] : []),
    ],
  };
}

const entriesTable = (view: View): Table => ({
  columns: [
    { label: 'Ledger', width: '*' },
    { label: 'Debit (₹)', width: 'auto', right: true },
    { label: 'Credit (₹)', width: 'auto', right: true },
  ],
  rows: view.entries.map((e) => [
    `${e.code} ${e.name}`,
    isZero(e.debit) ? '' : grouped(e.debit),
    isZero(e.credit) ? '' : grouped(e.credit),
  ]),
});

/** What a party keeps back or is given beside the money, by the direction of the money. */
const besideMoney = [
  ['tdsAmount', 'TDS'],
  ['gstTdsAmount', 'GST TDS'],
  ['discountAmount', 'Discount'],
  ['writeOff', 'Written off'],
] as const;

/** The money of a receipt or payment in rupees, where it has no lines of its own; what the wire holds is decimal text. */
function moneyMoved(kind: Kind, { amount, currency, exchangeRate }: Draft): Paise | undefined {
  if (kind.lines !== 'none' || !kind.fields.includes('moneyLedger') || amount === undefined) return undefined;
  const whole = money(String(amount));
  const isForeign = currency !== undefined && currency !== 'INR';
  return isForeign ? scale(whole, parseDecimal(String(exchangeRate), 6) ?? ONE, ONE) : whole;
}

/** What was received or paid, and what settles beside it: each by itself, for only the money came or went. */
function moneySums(kind: Kind, draft: Draft): Paper['sums'] {
  if (moneyMoved(kind, draft) === undefined) return [];
  const beside = besideMoney.flatMap(([name, label]) => {
    const amount = String(draft[name] ?? '0');
    return isZero(amount) ? [] : [{ label, amount: grouped(amount) }];
  });
  if (beside.length === 0) return [];
  const foreign = draft.currency !== undefined && draft.currency !== 'INR' ? ` ${draft.currency}` : '';
  const moved = comesThroughBank(kind) && !goesThroughBank(kind) ? 'Received' : 'Paid';
  return [
    { label: `${moved}${foreign}`, amount: grouped(String(draft.amount)) },
    ...beside.map(({ label, amount }) => ({ label: `${label}${foreign}`, amount })),
  ];
}

/** Cash, or which bank, with the number of the cheque or transfer. */
const modeOf = ({ entries }: View, { moneyLedger, fields }: Draft): string =>
  moneyLedger
    ? [entries.find(({ ledger }) => ledger === moneyLedger)?.name, fields?.['instrument']].filter(Boolean).join(', ')
    : '';

/** What an advance is received for (rule 50(d)): the goods or services of its order, or what its narration says. */
const advanceFor = ({ ordered }: Around, { narration }: Draft): string =>
  ordered.length > 0 ? [...new Set(ordered)].slice(0, 6).join(', ') : (narration ?? '');

/** Charges that are shared over the lines stand by themselves too, so that the value of the lines can be followed (rule 46). */
function chargeSums({ charges = [], currency }: Draft, p: NonNullable<View['priced']>, of: string): Paper['sums'] {
  const shared = charges.filter(({ gstRate }) => gstRate === undefined);
  if (shared.length === 0 || isZero(p.chargeTotal)) return [];
  const own =
    currency === undefined || currency === 'INR'
      ? shared.map(({ name, amount }) => [name, String(amount)] as const)
      : [[shared.map(({ name }) => name).join(', '), p.chargeTotal] as const];
  return own.map(([name, amount]) => ({ label: `${name}, part of the ${of}`, amount: grouped(amount) }));
}

const printedValue = (type: AdditionalType, text: string, day: (text: string) => string): string =>
  type === 'date' && text ? day(text) : type === 'yesNo' ? text && (text === 'yes' ? 'Yes' : 'No') : text;

/** A code with the exact amount that is open: what leaves a customer something to pay in rupees. */
function upiOf(view: View, kind: Kind, { upi, legalName }: Pick<Around, 'upi' | 'legalName'>): Pick<Paper, 'upi'> {
  const foreign = ((view.body as unknown as Draft).currency ?? 'INR') !== 'INR';
  if (
    !upi ||
    foreign ||
    view.draft ||
    view.cancelled ||
    view.open === null ||
    kind.books.opens !== 'receivable' ||
    kind.tax !== 'output'
  )
    return {};
  const link = upiLink({ id: upi, name: legalName, amount: money(view.open), reference: view.number });
  return link ? { upi: { link, id: upi } } : {};
}

/** What a paper without the IRN that the law asks for says; a second language has its words for the whole sentence. */
export const WITHOUT_IRN = 'Not a valid tax invoice: no IRN (rule 48(5) of the CGST Rules)';
const TRIAL = 'Trial: the portals of this installation are stand-ins. This paper is not valid.';

/** The paper of a document: rule 46 contents from what was posted. `trial`: the portals of this installation are stand-ins. */
export async function paperOf(
  context: Context,
  id: string,
  copy: keyof typeof copies,
  wanted?: string,
  trial = false,
): Promise<Paper> {
  const view = await viewDocument(context, { id });
  // the paper of goods that move has to say what they are worth (rule 55)
  allowCost(context, view.kind);
  const kind = kindOf(view.kind as KindName);
  const template = await templateFor(context, view.kind, wanted);
  const facts = await around(context, view, kind);
  const draft = view.body as unknown as Draft;
  const p = view.priced;
  const day = (text: string) => shownDay(text, context.settings.dateFormat);
  const intra = p?.supply === 'intra';
  const fact = (label: string, value: string | undefined | null | false) => (value ? [{ label, value }] : []);
  const sum = (label: string, amount: string | undefined, strong?: true) =>
    amount && (strong || !isZero(amount)) ? [{ label, amount: grouped(amount), ...(strong && { strong }) }] : [];
  const goods = view.lines.length > 0 && kind.lines !== 'ledgers';
  const taxed = p !== null && [p.cgst, p.sgst, p.igst, p.cess].some((amount) => !isZero(amount));
  // goods taxed on their retail price: what is charged for them is another figure than what their tax is on
  const charged = taxed && goods ? p?.charged : undefined;
  const supplied = kind.paper === 'taxInvoice' && kind.tax === 'output';
  // rule 49: nothing but exempt supplies, or a seller who may not collect tax; exports and supplies to SEZ are zero-rated, not exempt
  // without registration the paper is a plain invoice: no rates, codes, place of supply
  const plain = !facts.registered && kind.tax !== 'input';
  const exempt =
    supplied &&
    facts.registered &&
    goods &&
    !endorsements[p?.supplyType ?? ''] &&
    view.lines.every((line) => percentage(line.gstRate) === 0);
  const billOfSupply = exempt || (supplied && facts.composition);
  const withoutTax = p?.supplyType.endsWith('WOP') === true;
  // a financial note changes a price and no taxable value
  const isUntaxed = kind.tax === 'none' || billOfSupply || plain || draft.withoutTax === true;
  const isAdvance = kind.gst.gstr1 === 'advance' || kind.gst.gstr1 === 'advanceRefunded';
  const state = chargesUnionTerritoryTax(facts.place ?? view.registration.state) ? 'UTGST' : 'SGST';
  const taxSums = (of: NonNullable<View['priced']>, note = '') => [
    ...(intra ? [...sum(`CGST${note}`, of.cgst), ...sum(`${state}${note}`, of.sgst)] : sum(`IGST${note}`, of.igst)),
    ...sum(`Cess${note}`, of.cess),
  ];
  const foreign = draft.currency !== undefined && draft.currency !== 'INR';
  const own = kind.paper === 'challan' && !taxed ? challanCopies : copies;
  const table = goods
    ? goodsTable(
        view,
        draft,
        isUntaxed ? 'Value' : 'Taxable',
        { rated: !isUntaxed && !withoutTax, coded: !plain, described: isAdvance ? advanceFor(facts, draft) : '' },
        template,
        day,
      )
    : (settledTable(view, draft.currency ?? 'INR') ?? (view.entries.length > 0 ? entriesTable(view) : undefined));
  const taxes = goods && taxed ? taxTable(view, intra, state) : undefined;
  const original = typedOriginal(draft);
  const originalOn = dayOfOriginal(draft);
  const paper: Paper = {
    title: titles[kind.paper](kind, { registered: facts.registered, billOfSupply, taxed }),
    ...(kind.gstNumber && !plain && { copy: own[copy] }),
    notices: [
      ...(p && endorsements[p.supplyType] ? [endorsements[p.supplyType] ?? ''] : []),
      ...(charged ? ['Tax is inside the retail sale price (rule 31D)'] : []),
      ...(draft.withoutTax ? ['Without GST: this note changes no taxable value and no tax'] : []),
      ...(supplied && facts.composition ? ['Composition taxable person, not eligible to collect tax on supplies'] : []),
      ...(draft.reverseCharge
        ? [
            draft.fields?.ecommerceGstin
              ? 'Tax is payable by the e-commerce operator (section 9(5) of the CGST Act)'
              : 'Tax is payable on reverse charge',
          ]
        : []),
      ...(view.einvoice?.state === 'registered' && view.einvoice.signedQr === null
        ? ['The signed QR code of this e-invoice is missing']
        : []),
      ...(kind.paper === 'taxInvoice' && kind.tax === 'input'
        ? ['Issued by the recipient under section 31(3)(f) of the CGST Act']
        : []),
      ...(lacksIrn(view) ? [WITHOUT_IRN] : []),
      ...(view.einvoice?.pretended
        ? ['Trial: this IRN and QR code come from a stand-in of the invoice portal. This is not a valid e-invoice.']
        : trial
          ? [TRIAL]
          : []),
    ],
    seller: facts.own,
    facts: [
      ...fact('Number', view.number || 'Draft'),
      ...fact('Date', day(view.date)),
      ...fact('Supplied on', draft.fields?.suppliedOn && day(draft.fields.suppliedOn)),
      ...fact('Due', view.dueDate && day(view.dueDate)),
      ...fact(
        'Reference',
        [draft.reference, draft.referenceDate && day(draft.referenceDate)].filter(Boolean).join(' of '),
      ),
      // rule 53: a note names its invoices with their dates
      ...(kind.paper === 'note' || kind.paper === 'voucher'
        ? facts.sources.slice(0, 6).flatMap((s) => fact('Against', `${s.number} of ${day(s.date)}`))
        : []),
      ...fact('Against', original && [original.number, originalOn && day(originalOn)].filter(Boolean).join(' of ')),
      ...fact('Reason', draft.reason && reasonInWords(draft.reason)),
      ...fact(
        'No document, because',
        returnsWithoutSource(kind, draft) &&
          draft.accepted?.find(({ warning }) => warning === 'returnWithoutSource')?.reason,
      ),
      ...fact('Input tax credit', draft.fields?.creditReversal),
      ...(kind.tax === 'output' && facts.registered && facts.place
        ? fact('Place of supply', `${facts.place} – ${stateName(facts.place) ?? ''}`)
        : []),
      // rules 46(p), 50(h) and 51(i)
      ...((supplied && !billOfSupply && !plain) || (isAdvance && facts.registered)
        ? fact('Reverse charge', draft.reverseCharge ? 'Yes' : 'No')
        : []),
      ...fact('Mode of payment', modeOf(view, draft)),
      ...facts.additional.flatMap(({ label, type, key }) =>
        fact(label, printedValue(type, draft.additional?.[key] ?? '', day)),
      ),
      ...fact('E-commerce operator', draft.fields?.ecommerceGstin),
      ...fact('VAT number, seller', draft.fields?.vatNumber),
      ...fact('VAT number, buyer', draft.fields?.buyerVatNumber),
      ...(foreign ? [...fact('Currency', draft.currency), ...fact('Exchange rate', `₹ ${draft.exchangeRate}`)] : []),
      ...fact('TDS certificate (s. 197)', draft.tdsLower?.number),
      // the rate that customs notified is not the books'
      ...fact(
        'Assessed on',
        draft.customs?.currency &&
          draft.customs.rate !== undefined &&
          `${draft.customs.currency} ${grouped(String(draft.customs.invoice ?? ''))} at the customs rate ${draft.customs.rate}`,
      ),
    ],
    parties: facts.parties,
    ...(table && { table }),
    ...(taxes && { taxes }),
    sums:
      p && goods
        ? [
            ...sum('Discount', p.discount),
            ...chargeSums(draft, p, isUntaxed ? 'value' : 'taxable value'),
            ...(charged ? sum('Value charged', charged) : sum(isUntaxed ? 'Value' : 'Taxable value', p.taxable)),
            ...(draft.reverseCharge ? [] : taxSums(p)),
            ...sum('TCS', p.tcs),
            ...(p.adjustments ?? []).flatMap(({ name, amount }) => sum(name, amount)),
            ...sum('Round off', p.roundOff),
            ...sum(p.atCost === 'estimated' ? 'Estimated value ₹' : 'Total ₹', p.total, true),
            // below the total, of which it is no part: the column above adds up
            ...(charged ? sum('Deemed taxable value (rule 31D)', p.taxable) : []),
            ...(draft.reverseCharge ? taxSums(p, ' payable by recipient under reverse charge') : []),
            // the buyer abroad owes no tax: who exports pays it and claims it back
            ...(foreign
              ? sum(`Total ${draft.currency}${p.supplyType === 'EXPWP' ? ' without IGST' : ''}`, p.foreignTotal, true)
              : []),
            ...(p.vat
              ? [
                  ...sum(`VAT ${p.vat.rate} % ${draft.currency}`, p.vat.foreign, true),
                  ...sum(`To pay ${draft.currency}`, moneyText(money(p.foreignTotal) + money(p.vat.foreign)), true),
                ]
              : []),
          ]
        : p
          ? [...moneySums(kind, draft), ...sum('Total ₹', p.total, true)]
          : [],
    ...(view.vatQr && { code: { text: view.vatQr, says: 'VAT in Saudi Arabia' } }),
    ...(p && { words: amountInWords(moneyMoved(kind, draft) ?? money(p.total)) }),
    ...(facts.bank && template.bank && kind.tax === 'output' && { bank: facts.bank }),
    ...(template.upi && upiOf(view, kind, facts)),
    ...((draft.terms || (goods && template.terms)) && { terms: draft.terms || template.terms }),
    style: await styleOf(context, template),
    ...(draft.narration && { narration: draft.narration }),
    signatory: facts.legalName,
    ...irnBlock(view),
    ...marked([view.draft ? 'Draft' : view.cancelled ? 'Cancelled' : irnMark(view), trial ? 'Trial' : '']),
  };
  // a note on an invoice that bears the tax of that country speaks its language too
  return kind.alsoIn === 'ar' || p?.vat ? withArabic(paper) : paper;
}

/** The IRN as the portal has it now. Without its signed copy there is no QR code, and the paper says why. */
const irnBlock = ({ einvoice }: View): Pick<Paper, 'einvoice'> =>
  einvoice?.state === 'registered' && einvoice.irn
    ? {
        einvoice: {
          irn: einvoice.irn,
          ackNo: einvoice.ackNo ?? '',
          ackDate: einvoice.ackDate ?? '',
          ...(einvoice.signedQr && { qr: einvoice.signedQr }),
        },
      }
    : {};

/** Whether the law asks for an IRN, and the portal has given none: no tax invoice is issued by that (rule 48(5)). */
const lacksIrn = ({ einvoice, draft, cancelled }: View): boolean =>
  !draft && !cancelled && einvoice !== null && einvoice.irn === null && einvoice.state !== 'registered';

/** An invoice without IRN, or whose IRN is, or may be, cancelled is none (rule 48(5)): its paper says so. */
const irnMark = (view: View): string =>
  lacksIrn(view)
    ? 'Not a valid tax invoice: no IRN'
    : view.einvoice?.irn == null || view.einvoice.state === 'registered'
      ? ''
      : view.einvoice.state === 'cancelled'
        ? 'IRN cancelled'
        : 'IRN not confirmed';

/** All that is said across a paper. */
const marked = (marks: readonly string[]): Pick<Paper, 'watermark'> => {
  const watermark = marks.filter(Boolean).join(' · ');
  return watermark ? { watermark } : {};
};

/** The calls that print; `portal` tells whether the portals of this installation are stand-ins, which their papers say. */
export const printHandlers = (
  portal: Session['installation']['portal'],
): Handlers<Pick<typeof documents, 'PrintDocument' | 'PreviewPaper'>, Context> => ({
  PreviewPaper: ({ values }, context) => previewPaper(context, values),
  PrintDocument: async ({ id, copy, template }, context) => {
    const paper = await paperOf(context, id, copy, template, portal === 'standIn');
    const bytes = await printPaper(paper);
    return {
      name: `${(paper.facts[0]?.value ?? 'document').replaceAll('/', '-')}.pdf`,
      type: 'application/pdf',
      content: Buffer.from(bytes).toString('base64'),
    };
  },
});
