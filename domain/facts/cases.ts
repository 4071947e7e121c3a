import { money, percentage, quantity } from '../base/decimal.ts';
import { paise } from '../base/money.ts';
import type { Draft, DraftLine, GstCategory, RegistrationKind, StateCode, Treatment } from '../document/document.ts';
import type { KindName } from '../document/kinds/index.ts';

/** A worked case as its file has it; amounts are decimal text in rupees, accounts are codes of the chart. */
export interface CaseFile {
  readonly id: string;
  readonly title: string;
  readonly input: CaseInput;
  readonly expected: {
    readonly supply?: string;
    readonly lines?: readonly Readonly<Record<string, string>>[];
    readonly totals?: Readonly<Record<string, string>>;
    readonly entries: readonly CaseVoucher[];
    readonly [other: string]: unknown;
  };
}
export interface CaseVoucher {
  readonly date: string;
  readonly lines: readonly { readonly account: string; readonly dr: string; readonly cr: string }[];
}
interface CaseLine {
  readonly id: string;
  readonly qty: string;
  readonly rate: string;
  readonly gst_rate: string;
  readonly treatment?: Treatment;
  readonly discount?: { readonly value: string };
  readonly cess?: { readonly ad_valorem?: string; readonly specific_per_unit?: string };
  readonly rsp?: string;
}
interface CaseInput {
  readonly date?: string;
  readonly supplier?: { readonly state: string; readonly registration: RegistrationKind };
  readonly recipient?: { readonly state: string; readonly registration: RegistrationKind };
  readonly from?: { readonly state: string; readonly registration: RegistrationKind };
  readonly to?: { readonly state: string; readonly registration: RegistrationKind };
  readonly party?: { readonly kind: string; readonly state?: string };
  readonly pos?: string;
  readonly tax_mode?: string;
  readonly price_mode?: string;
  readonly round_to_rupee?: boolean;
  readonly reverse_charge?: boolean;
  readonly currency?: string;
  readonly exchange_rate?: string;
  readonly lines?: readonly CaseLine[];
  readonly charges?: readonly { readonly name: string; readonly amount: string }[];
  readonly document_discount?: { readonly value: string };
  readonly tenders?: readonly { readonly kind: string; readonly amount: string }[];
}

/** An item of a case. Ledgers are account codes. */
export interface CaseItem {
  readonly sku: string;
  readonly service: boolean;
  /** Left out: a code of its sort. */
  readonly hsn?: string;
  readonly stocked: boolean;
  readonly gstRate: string;
  readonly treatment: Treatment;
  readonly cessRate: string;
  readonly cessPerUnit: string;
  readonly retailPrice?: string;
  readonly scrap?: boolean;
  readonly creditBlocked?: boolean;
  readonly expenseLedger?: string;
}

/**
 * One document of a case. Its draft names things by symbols instead of ids: party `party`, items by SKU, ledgers by
 * account code, other documents by the key of their step, registrations `own` and `other`, locations `here` and `there`.
 */
export interface CaseStep {
  readonly key: string;
  readonly kind: KindName;
  readonly draft: Draft;
  /** Which vouchers of the case this document posts; none when the case only takes it for granted. */
  readonly vouchers: readonly number[];
  /** It carries the figures of the case's `expected.lines` and `expected.totals`. */
  readonly figures?: true;
  /** Posted by the registration at the other end. */
  readonly atOther?: true;
}

export interface WorkedCase {
  readonly own: { readonly state: StateCode; readonly kind: RegistrationKind };
  readonly other?: { readonly state: StateCode; readonly kind: RegistrationKind };
  readonly party: { readonly category: GstCategory; readonly state: StateCode; readonly country: string };
  readonly items: readonly CaseItem[];
  readonly roundTotal: boolean;
  /** Perpetual books with this method; otherwise periodic. */
  readonly valuation?: 'fifo';
  readonly tds?: { readonly section: string; readonly rate: string; readonly base: string };
  readonly tcs?: { readonly section: string; readonly rate: string };
  readonly steps: readonly CaseStep[];
}

const categories: Readonly<Record<string, GstCategory>> = {
  registered: 'registered',
  unregistered: 'unregistered',
  overseas: 'overseas',
  sez: 'sezUnit',
};
const tenderLedgers: Readonly<Record<string, string>> = { cash: '1110', upi: '1130' };

const itemOf = (line: CaseLine, more: Partial<CaseItem> = {}): CaseItem => ({
  sku: line.id,
  service: false,
  stocked: false,
  gstRate: line.gst_rate,
  treatment: line.treatment ?? 'taxable',
  cessRate: line.cess?.ad_valorem ?? '0',
  cessPerUnit: line.cess?.specific_per_unit ?? '0',
  ...(line.rsp !== undefined && { retailPrice: line.rsp }),
  ...more,
});

const lineOf = (line: Pick<CaseLine, 'id' | 'qty' | 'rate' | 'discount'>): DraftLine => ({
  item: line.id,
  quantity: quantity(line.qty),
  rate: quantity(line.rate),
  ...(line.discount && { discount: { percent: percentage(line.discount.value) } }),
});

const start = (kind: KindName, date: string): Draft => ({
  kind,
  date,
  registration: 'own',
  location: 'here',
  currency: 'INR',
  exchangeRate: quantity('1'),
  lines: [],
});

/** A draft of the case's own document, with everything its input says. */
const typed = (kind: KindName, { input }: CaseFile): Draft => ({
  ...start(kind, input.date ?? ''),
  ...(input.party && input.party.kind !== 'unregistered' && { party: 'party' }),
  ...(input.pos !== undefined && { placeOfSupply: input.pos }),
  ...(input.price_mode === 'inclusive' && { taxInclusive: true }),
  ...(input.tax_mode === 'with_payment' && { withPayment: true }),
  ...(input.reverse_charge && { reverseCharge: true }),
  ...(input.currency !== undefined && { currency: input.currency }),
  ...(input.exchange_rate !== undefined && { exchangeRate: quantity(input.exchange_rate) }),
  ...(input.document_discount && { discount: { percent: percentage(input.document_discount.value) } }),
  ...(input.charges && {
    charges: input.charges.map((c) => ({ name: c.name, amount: money(c.amount), apportion: 'value' as const })),
  }),
  ...(input.tenders && {
    tenders: input.tenders.map((t) => ({ ledger: tenderLedgers[t.kind] ?? '', amount: money(t.amount) })),
  }),
  lines: (input.lines ?? []).map(lineOf),
});

const setting = ({ input }: CaseFile): Omit<WorkedCase, 'items' | 'steps'> => {
  const own = input.supplier ?? input.recipient ?? input.from ?? { state: '27', registration: 'regular' as const };
  const overseas = input.party?.kind === 'overseas';
  return {
    own: { state: own.state, kind: own.registration },
    party: {
      category: categories[input.party?.kind ?? 'registered'] ?? 'registered',
      state: overseas ? '96' : (input.party?.state ?? '27'),
      country: overseas ? 'US' : 'IN',
    },
    roundTotal: input.round_to_rupee ?? false,
  };
};

/** A case that is one document with its own lines. */
const single =
  (kind: KindName, item: Partial<CaseItem> = {}, more: Partial<Draft> = {}, rest: Partial<WorkedCase> = {}) =>
  (file: CaseFile): WorkedCase => ({
    ...setting(file),
    items: (file.input.lines ?? []).map((line) => itemOf(line, item)),
    steps: [{ key: 'document', kind, draft: { ...typed(kind, file), ...more }, vouchers: [0], figures: true }],
    ...rest,
  });

const goods = (id: string, gst_rate: string, more: Partial<CaseItem> = {}): CaseItem =>
  itemOf({ id, qty: '1', rate: '0', gst_rate }, more);
const one = (sku: string, rate: string, qty = '1'): DraftLine[] => [lineOf({ id: sku, qty, rate })];
const leg = (ledger: string, debit: string, credit = '0'): DraftLine => ({
  ledger,
  ...(debit === '0' ? { credit: money(credit) } : { debit: money(debit) }),
});

const journal = (
  kind: KindName,
  key: string,
  date: string,
  voucher: number,
  lines: readonly DraftLine[],
): CaseStep => ({
  key,
  kind,
  draft: { ...start(kind, date), lines },
  vouchers: [voucher],
});

const money2 = (step: Omit<CaseStep, 'draft'>, date: string, draft: Partial<Draft>): CaseStep => ({
  ...step,
  draft: { ...start(step.kind, date), party: 'party', moneyLedger: '1121', ...draft },
});

/** Which documents each case is, by its id. The cases name transactions of the trade, not kinds. */
export const documentsOfCase: Readonly<Record<string, (file: CaseFile) => WorkedCase>> = {
  '01-intra-b2b-single-rate': single('saleInvoice'),
  '02-inter-multirate-line-discount': single('saleInvoice'),
  '03-half-paise': single('saleInvoice'),
  '04-pos-inclusive-18': single('posSale'),
  '05-inclusive-ad-valorem-cess': single('cashSale'),
  '06-inclusive-specific-cess': single('saleInvoice'),
  '07-freight-apportioned': single('saleInvoice'),
  '08-partial-return-multirate': (file) => ({
    ...setting(file),
    items: [goods('L1', '18'), goods('L2', '5'), goods('L3', '0', { treatment: 'exempt' })],
    steps: [
      {
        key: 'invoice',
        kind: 'saleInvoice',
        draft: {
          ...start('saleInvoice', '2026-11-05'),
          party: 'party',
          placeOfSupply: '27',
          lines: [...one('L1', '1000', '10'), ...one('L2', '1250', '4'), ...one('L3', '100', '20')],
          charges: [{ name: 'Freight', amount: money('1000'), apportion: 'value' }],
        },
        vouchers: [],
      },
      {
        key: 'return',
        kind: 'saleReturn',
        draft: {
          ...typed('saleReturn', file),
          against: 'invoice',
          reason: 'Sales return',
          lines: [
            { item: 'L1', quantity: quantity('2'), source: { document: 'invoice', line: 1 } },
            { item: 'L2', quantity: quantity('1'), source: { document: 'invoice', line: 2 } },
          ],
        },
        vouchers: [0],
        figures: true,
      },
    ],
  }),
  '09-rcm-gta-intra': single('purchaseBill', { service: true, hsn: '996791', expenseLedger: '5210' }),
  '10-rcm-import-service': (file) => {
    const bill = single('overseasPurchase', { service: true, expenseLedger: '6445' })(file);
    const paid = money2({ key: 'payment', kind: 'payment', vouchers: [1] }, '2026-09-05', {
      currency: 'USD',
      exchangeRate: quantity('89.10'),
      amount: money('1000'),
      allocations: [{ document: 'document', amount: money('1000') }],
    });
    return { ...bill, steps: [...bill.steps, paid] };
  },
  '11-import-goods-boe': (file) => ({
    ...setting(file),
    items: [goods('L1', '18')],
    steps: [
      {
        key: 'bill',
        kind: 'overseasPurchase',
        draft: {
          ...start('overseasPurchase', '2026-09-01'),
          party: 'party',
          currency: 'USD',
          exchangeRate: quantity('88'),
          lines: one('L1', '10000'),
        },
        vouchers: [0],
      },
      {
        key: 'entry',
        kind: 'billOfEntry',
        draft: {
          ...start('billOfEntry', '2026-09-12'),
          against: 'bill',
          reference: '4125873',
          referenceDate: '2026-09-12',
          customs: {
            assessable: money('885000'),
            basic: money('88500'),
            surcharge: money('8850'),
            igst: money('176823'),
          },
        },
        vouchers: [1],
      },
      journal('journalVoucher', 'duty', '2026-09-12', 2, [leg('2250', '274173'), leg('1121', '0', '274173')]),
    ],
  }),
  '12-export-lut-fx-gain': (file) => {
    const sale = single('overseasSale')(file);
    const received = money2({ key: 'receipt', kind: 'saleReceipt', vouchers: [1] }, '2026-09-20', {
      currency: 'USD',
      exchangeRate: quantity('88.15'),
      amount: money('25000'),
      bankCharges: money('1000'),
      bankChargesGstRate: percentage('18'),
      allocations: [{ document: 'document', amount: money('25000') }],
    });
    return { ...sale, steps: [...sale.steps, received] };
  },
  '13-export-with-igst': single('overseasSale'),
  '14-sez-without-payment': single('saleInvoice'),
  '15-sez-with-payment': single('saleInvoice'),
  '16-tds-on-advance-contractor': (file) => ({
    ...setting(file),
    items: [goods('L1', '18', { service: true, expenseLedger: '5240' })],
    steps: [
      money2({ key: 'advance', kind: 'advancePayment', vouchers: [0] }, '2026-10-05', {
        amount: money('98000'),
        tdsSection: '194C',
        tdsAmount: money('2000'),
      }),
      {
        key: 'bill',
        kind: 'purchaseBill',
        draft: {
          ...start('purchaseBill', '2026-10-28'),
          party: 'party',
          placeOfSupply: '27',
          // two per cent of what the advance did not cover yet
          tdsSection: '194C',
          tdsAmount: money('3000'),
          lines: one('L1', '250000'),
        },
        vouchers: [1],
      },
      {
        key: 'adjustment',
        kind: 'supplierAllocation',
        draft: {
          ...start('supplierAllocation', '2026-10-28'),
          party: 'party',
          against: 'advance',
          amount: money('100000'),
          allocations: [{ document: 'bill', amount: money('100000') }],
        },
        vouchers: [2],
      },
    ],
  }),
  '17-tds-professional': (file) => {
    const { recipient } = file.input;
    return {
      ...setting(file),
      own: { state: recipient?.state ?? '27', kind: 'regular' },
      items: [],
      tds: { section: '194J', rate: '10', base: '60000' },
      steps: [
        {
          key: 'document',
          kind: 'expense',
          draft: {
            ...typed('expense', file),
            tdsSection: '194J',
            lines: [{ ledger: '6435', rate: quantity('60000'), gstRate: percentage('18') }],
          },
          vouchers: [0],
          figures: true,
        },
      ],
    };
  },
  // one tenth of a per cent of what goes above fifty lakh
  '18-tds-purchase-goods': single('purchaseBill', {}, { tdsSection: '194Q', tdsAmount: paise(30_000) }),
  '19-tcs-scrap': single(
    'saleInvoice',
    { scrap: true },
    { tcsSection: '206C-scrap' },
    { tcs: { section: '206C-scrap', rate: '2' } },
  ),
  '20-gst-tds-s51-receipt': (file) => ({
    ...setting(file),
    items: [goods('L1', '18')],
    steps: [
      {
        key: 'invoice',
        kind: 'saleInvoice',
        draft: {
          ...start('saleInvoice', '2026-11-20'),
          party: 'party',
          placeOfSupply: '27',
          lines: one('L1', '300000'),
        },
        vouchers: [],
      },
      money2({ key: 'receipt', kind: 'saleReceipt', vouchers: [0] }, '2026-11-20', {
        amount: money('348000'),
        gstTdsAmount: money('6000'),
        allocations: [{ document: 'invoice', amount: money('354000') }],
      }),
    ],
  }),
  '21-advance-service-and-adjustment': (file) => ({
    ...setting(file),
    items: [goods('L1', '18', { service: true })],
    steps: [
      money2({ key: 'advance', kind: 'advanceReceipt', vouchers: [0, 1] }, '2026-09-28', {
        amount: money('50000'),
        advanceRate: percentage('18'),
        placeOfSupply: '27',
      }),
      {
        key: 'invoice',
        kind: 'saleInvoice',
        draft: {
          ...start('saleInvoice', '2026-10-15'),
          party: 'party',
          placeOfSupply: '27',
          lines: one('L1', '120000'),
        },
        vouchers: [2],
      },
      {
        key: 'adjustment',
        kind: 'allocationVoucher',
        draft: {
          ...start('allocationVoucher', '2026-10-15'),
          party: 'party',
          placeOfSupply: '27',
          against: 'advance',
          amount: money('50000'),
          advanceRate: percentage('18'),
          allocations: [{ document: 'invoice', amount: money('50000') }],
        },
        vouchers: [3, 4],
      },
    ],
  }),
  '22-branch-transfer-distinct': (file) => ({
    ...setting(file),
    other: { state: file.input.to?.state ?? '', kind: file.input.to?.registration ?? 'regular' },
    items: [goods('L1', '18')],
    steps: [
      {
        key: 'dispatch',
        kind: 'branchTransfer',
        draft: { ...typed('branchTransfer', file), toRegistration: 'other', toLocation: 'there' },
        vouchers: [0],
        figures: true,
      },
      {
        key: 'arrival',
        kind: 'transferReceipt',
        draft: {
          ...start('transferReceipt', '2026-11-11'),
          registration: 'other',
          location: 'there',
          toRegistration: 'own',
          toLocation: 'there',
          against: 'dispatch',
          lines: [{ item: 'L1', quantity: quantity('400'), source: { document: 'dispatch', line: 1 } }],
        },
        vouchers: [1],
        atOther: true,
      },
    ],
  }),
  '23-composition-bill-of-supply': (file) => ({
    ...setting(file),
    items: [goods('L1', '18')],
    steps: [
      {
        key: 'bill',
        kind: 'cashSale',
        draft: { ...start('cashSale', '2026-10-20'), lines: one('L1', '33333') },
        vouchers: [0],
      },
      // one per cent of the quarter's turnover of 12.5 lakh
      journal('gstAdjustment', 'quarter', '2026-12-31', 1, [leg('6525', '12500'), leg('2225', '0', '12500')]),
    ],
  }),
  '24-doc-discount-apportioned': single('saleInvoice'),
  '25-round-half-rupee': single('cashSale'),
  '26-rsp-valuation-rule31d': single('saleInvoice'),
  '27-fifo-vs-average-cogs': (file) => ({
    ...setting(file),
    items: [goods('L1', '18', { stocked: true })],
    valuation: 'fifo',
    steps: [
      ...[
        ['first', '2026-11-01', '100'],
        ['second', '2026-11-05', '120'],
      ].map(
        ([key = '', date = '', rate = '']): CaseStep => ({
          key,
          kind: 'purchaseBill',
          draft: { ...start('purchaseBill', date), party: 'party', lines: one('L1', rate, '10') },
          vouchers: [],
        }),
      ),
      {
        key: 'sale',
        kind: 'saleInvoice',
        draft: {
          ...start('saleInvoice', '2026-11-08'),
          party: 'party',
          placeOfSupply: '27',
          lines: one('L1', '200', '15'),
        },
        vouchers: [0, 1],
      },
    ],
  }),
  '28-blocked-credit': single('purchaseBill', { creditBlocked: true, expenseLedger: '1750' }),
  '29-setoff-rule-88a': (file) => ({
    ...setting(file),
    items: [],
    steps: [
      // what there is to set off, and in the electronic cash ledger
      {
        ...journal('openingBalance', 'there', '2026-11-01', 0, [
          leg('2213', '0', '50000'),
          leg('2211', '0', '40000'),
          leg('2212', '0', '40000'),
          leg('1413', '70000'),
          leg('1411', '10000'),
          leg('1412', '25000'),
          leg('1421', '10000'),
          leg('1422', '15000'),
        ]),
        vouchers: [],
      },
      journal('gstAdjustment', 'setoff', '2026-11-20', 0, [
        leg('2213', '50000'),
        leg('2211', '40000'),
        leg('2212', '40000'),
        leg('1413', '0', '70000'),
        leg('1411', '0', '10000'),
        leg('1412', '0', '25000'),
        leg('1421', '0', '10000'),
        leg('1422', '0', '15000'),
      ]),
    ],
  }),
  '30-bad-debt-and-recovery': (file) => ({
    ...setting(file),
    items: [],
    steps: [
      journal('journalVoucher', 'written-off', '2027-03-31', 0, [
        leg('1290', '20000'),
        leg('6500', '39000'),
        // a control ledger is written with its party
        { ...leg('1210', '0', '59000'), party: 'party' },
      ]),
      journal('journalVoucher', 'recovered', '2027-06-10', 1, [leg('1121', '11800'), leg('4250', '0', '11800')]),
    ],
  }),
};
