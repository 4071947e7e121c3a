import { moneyText, parseDecimal, percentText, quantityText } from '../../base/decimal.ts';
import { apportion, paise } from '../../base/money.ts';
import { uqcNames } from '../../facts/uqc.ts';
import { gstinProblem, stateOfGstin } from '../../tax/gst/registration/gstin.ts';
import { stateName } from '../../tax/gst/registration/states.ts';
import { billsOf, type Company, ownLedger } from './company.ts';
import {
  isYes,
  keyOf,
  latestOf,
  listOf,
  plain,
  type TallyFields,
  type TallyObject,
  textOf,
  textsOf,
} from './object.ts';
import type { TallyName } from './order.ts';
import { amountOf, creditDays, dayOf, dueOf, figureOf } from './values.ts';

/** The cells of a line by the columns that they are in, as a mapping names them. */
type Line = Readonly<Record<string, string>>;

/** What an import takes from a Tally file: which objects, the columns, and the lines that an object makes. */
export interface TallySheet {
  readonly types: readonly string[];
  readonly columns: readonly string[];
  readonly linesOf: (object: TallyObject, company: Company) => readonly Line[];
}

const isIn = (object: TallyObject, company: Company, side: 'customer' | 'supplier'): boolean =>
  company.placeOf(object)?.sort === side;
const isParty = (object: TallyObject, company: Company): boolean =>
  isIn(object, company, 'customer') || isIn(object, company, 'supplier');

const unitCode = (symbol: string): string => symbol.toUpperCase().replace(/[^A-Z0-9]+/g, '');
const unit = ({ name, fields }: TallyObject): Line => {
  const code = unitCode(name);
  const latest = latestOf(fields, 'REPORTINGUQCDETAILS');
  const said = (textOf(latest ?? {}, 'REPORTINGUQCNAME') || textOf(fields, 'GSTREPUOM')).split('-')[0]?.trim() ?? '';
  const uqc = [said.toUpperCase(), code].find((each) => Object.hasOwn(uqcNames, each)) ?? '';
  return {
    code,
    name: textOf(fields, 'ORIGINALNAME') || name,
    uqc,
    decimals: textOf(fields, 'DECIMALPLACES') || '0',
  };
};

const kinds: readonly (readonly [words: RegExp, category: string])[] = [
  [/sez/i, 'sezUnit'],
  [/composition/i, 'composition'],
  [/deemed export/i, 'deemedExport'],
  [/unregistered|consumer/i, 'unregistered'],
];

/** Who a party is for GST: the row in force of the new lists, else the older fields. */
function registrationOf(fields: TallyFields): { readonly gstin: string; readonly category: string } {
  const latest = latestOf(fields, 'LEDGSTREGDETAILS') ?? {};
  const typed = (textOf(latest, 'GSTIN') || textOf(fields, 'PARTYGSTIN', 'GSTIN')).toUpperCase();
  const kind = textOf(latest, 'GSTREGISTRATIONTYPE') || textOf(fields, 'GSTREGISTRATIONTYPE');
  const country = textOf(latestOf(fields, 'LEDMAILINGDETAILS') ?? {}, 'COUNTRY') || countryOf(fields);
  if (country !== '' && !/^india$/i.test(country)) return { gstin: '', category: 'overseas' };
  const found = kinds.find(([words]) => words.test(kind))?.[1];
  return { gstin: typed, category: found ?? (typed === '' ? 'unregistered' : 'registered') };
}
const countryOf = (fields: TallyFields): string => textOf(fields, 'COUNTRYOFRESIDENCE', 'COUNTRYNAME');

function party(object: TallyObject): Line {
  const { name, fields } = object;
  const mailing = latestOf(fields, 'LEDMAILINGDETAILS') ?? {};
  const written = [mailing, fields].map((from) => listOf(from, 'ADDRESS').flatMap((list) => textsOf(list, 'ADDRESS')));
  const [first = '', ...rest] = written.find((lines) => lines.length > 0) ?? [];
  const city = rest.at(-1) ?? '';
  const { gstin, category } = registrationOf(fields);
  const typed = textOf(mailing, 'STATE') || textOf(fields, 'LEDSTATENAME', 'PRIORSTATENAME');
  // where they differ, the first two digits of a valid GSTIN are the state
  const state = gstin !== '' && gstinProblem(gstin) === undefined ? (stateName(stateOfGstin(gstin)) ?? typed) : typed;
  const pincode = textOf(mailing, 'PINCODE') || textOf(fields, 'PINCODE');
  const isAbroad = category === 'overseas';
  return {
    name,
    gstin,
    category,
    pan: textOf(fields, 'INCOMETAXNUMBER'),
    state: isAbroad ? '' : state,
    ...(isAbroad && { country: textOf(mailing, 'COUNTRY') || countryOf(fields) }),
    creditDays: creditDays(textOf(fields, 'BILLCREDITPERIOD')),
    creditLimit: amountOf(textOf(fields, 'CREDITLIMIT'))?.amount ?? '',
    phone: textOf(fields, 'LEDGERMOBILE', 'LEDGERPHONE'),
    email: textOf(fields, 'EMAIL'),
    ...(first !== '' &&
      pincode !== '' && {
        'addresses.billing.line1': first,
        'addresses.billing.line2': rest.slice(0, -1).join(', '),
        'addresses.billing.city': city || state,
        'addresses.billing.state': state,
        'addresses.billing.pincode': pincode,
      }),
  };
}
const partyColumns = [
  ...['name', 'gstin', 'category', 'pan', 'state', 'country', 'creditDays', 'creditLimit', 'phone', 'email'],
  ...['line1', 'line2', 'city', 'state', 'pincode'].map((part) => `addresses.billing.${part}`),
];

const treatments: Readonly<Record<string, string>> = {
  taxable: 'taxable',
  exempt: 'exempt',
  'nil rated': 'nil',
  'non-gst': 'nonGst',
};

interface ItemTax {
  readonly treatment: string;
  readonly rate: string;
  readonly cess: string;
}
const head = (rates: readonly TallyFields[], words: RegExp): string =>
  figureOf(textOf(rates.find((each) => words.test(textOf(each, 'GSTRATEDUTYHEAD'))) ?? {}, 'GSTRATE'));

/** The rate that an item or a stock group says itself; undefined: it takes that of its group, or of the company. */
function taxSaid(fields: TallyFields): ItemTax | undefined {
  const latest = latestOf(fields, 'GSTDETAILS');
  if (!latest || /^as per/i.test(textOf(latest, 'SRCOFGSTDETAILS'))) return undefined;
  const treatment = treatments[textOf(latest, 'TAXABILITY').toLowerCase()];
  if (treatment === undefined) return undefined;
  const rates = listOf(latest, 'STATEWISEDETAILS').flatMap((state) => listOf(state, 'RATEDETAILS'));
  const whole = head(rates, /^(igst|integrated tax)$/i);
  const halves = [/^(cgst|central tax)$/i, /^(sgst|state tax)/i].map(
    (words) => parseDecimal(head(rates, words), 4) ?? 0,
  );
  const sum = halves.every((half) => half > 0) ? percentText(halves.reduce((total, half) => total + half, 0)) : '';
  const rate = treatment === 'taxable' ? whole || sum : '0';
  return rate === '' ? undefined : { treatment, rate, cess: head(rates, /^cess$/i) };
}

/** What an item says, else its stock group, else the group above that. */
function inherited<T>(
  { fields }: TallyObject,
  company: Company,
  said: (fields: TallyFields) => T | undefined,
): T | undefined {
  const seen = new Set<string>();
  let at: TallyFields | undefined = fields;
  while (at) {
    const own = said(at);
    if (own !== undefined) return own;
    const parent = textOf(at, 'PARENT');
    if (parent === '' || seen.has(keyOf(parent))) return undefined;
    seen.add(keyOf(parent));
    at = company.stockGroup(parent)?.fields;
  }
  return undefined;
}
const hsnSaid = (fields: TallyFields): string | undefined => {
  const found =
    textOf(latestOf(fields, 'HSNDETAILS') ?? {}, 'HSNCODE') || textOf(latestOf(fields, 'GSTDETAILS') ?? {}, 'HSNCODE');
  return found || undefined;
};
const latestRate = (fields: TallyFields, name: string): string => {
  const [last] = [...listOf(fields, name)].sort((a, b) => textOf(b, 'DATE').localeCompare(textOf(a, 'DATE')));
  return figureOf(textOf(last ?? {}, 'RATE'));
};
const mrpOf = (fields: TallyFields): string => {
  const rows = listOf(latestOf(fields, 'MRPDETAILS') ?? {}, 'MRPRATEDETAILS');
  return figureOf(textOf(rows.at(-1) ?? {}, 'MRPRATE'));
};

function item(object: TallyObject, company: Company): Line {
  const { name, fields } = object;
  const tax = inherited(object, company, taxSaid);
  const isService = /service/i.test(textOf(fields, 'GSTTYPEOFSUPPLY'));
  return {
    sku: company.codeOf('item', name),
    name,
    type: isService ? 'service' : 'stock',
    unit: unitCode(textOf(fields, 'BASEUNITS')),
    category: textOf(fields, 'PARENT'),
    batched: !isService && isYes(textOf(fields, 'ISBATCHWISEON')) ? 'Yes' : '',
    description: textOf(fields, 'DESCRIPTION'),
    hsn: inherited(object, company, hsnSaid) ?? '',
    treatment: tax?.treatment ?? '',
    gstRate: tax?.rate ?? '',
    cessRate: tax?.cess ?? '',
    saleRate: latestRate(fields, 'STANDARDPRICELIST'),
    purchaseRate: latestRate(fields, 'STANDARDCOSTLIST'),
    mrp: mrpOf(fields),
  };
}

const coded =
  (sort: string) =>
  ({ name }: TallyObject, company: Company): readonly Line[] => [{ code: company.codeOf(sort, name), name }];

function ledger(object: TallyObject, company: Company): readonly Line[] {
  const place = company.placeOf(object);
  if (isParty(object, company) || ownLedger(object) !== undefined) return [];
  if (place?.sort === 'stock' && company.itemsHaveValues) return [];
  const { name } = object;
  return [
    {
      code: company.codeOf('ledger', name),
      name,
      group: place?.group ?? '',
      isBank: place?.sort === 'bank' ? 'Yes' : '',
    },
  ];
}

function openingLedger(object: TallyObject, company: Company): readonly Line[] {
  const balance = amountOf(textOf(object.fields, 'OPENINGBALANCE'));
  if (!balance || isParty(object, company)) return [];
  if (company.placeOf(object)?.sort === 'stock' && company.itemsHaveValues) return [];
  return [
    {
      ledger: ownLedger(object) ?? company.codeOf('ledger', object.name),
      ...(balance.debit ? { debit: balance.amount } : { credit: balance.amount }),
    },
  ];
}

/** Paise with a sign: below zero it is a debit. */
const signed = (text: string): number => {
  const found = amountOf(text);
  const whole = parseDecimal(found?.amount ?? '0', 2) ?? 0;
  return found?.debit ? -whole : whole;
};
const sideOf = (amount: number): Line => (amount < 0 ? { debit: moneyText(-amount) } : { credit: moneyText(amount) });

function openingBills(object: TallyObject, company: Company): readonly Line[] {
  if (!isParty(object, company)) return [];
  const { name, fields } = object;
  const bills = billsOf(fields);
  const lines = bills.map((bill): Line => {
    const billed = dayOf(textOf(bill, 'BILLDATE'));
    return {
      party: name,
      reference: textOf(bill, 'NAME'),
      referenceDate: billed ?? '',
      dueDate: dueOf(billed, textOf(bill, 'BILLCREDITPERIOD')) ?? '',
      ...sideOf(signed(textOf(bill, 'OPENINGBALANCE'))),
    };
  });
  const rest =
    signed(textOf(fields, 'OPENINGBALANCE')) -
    bills.reduce((sum, bill) => sum + signed(textOf(bill, 'OPENINGBALANCE')), 0);
  return rest === 0 ? lines : [...lines, { party: name, ...sideOf(rest) }];
}

interface Batch {
  readonly batch: string;
  /** Millionths. */
  readonly quantity: number;
  readonly expiry: string;
  readonly manufactured: string;
}

/** The batches of all places of an item together; none where they do not say all that is there of it. */
function batchesOf(fields: TallyFields, quantity: number): readonly Batch[] {
  const batches = new Map<string, Batch>();
  for (const row of listOf(fields, 'BATCHALLOCATIONS')) {
    const batch = textOf(row, 'BATCHNAME');
    const known = batches.get(batch);
    batches.set(batch, {
      batch,
      quantity: (known?.quantity ?? 0) + (parseDecimal(figureOf(textOf(row, 'OPENINGBALANCE')), 6) ?? 0),
      expiry: known?.expiry || (dayOf(textOf(row, 'EXPIRYPERIOD')) ?? ''),
      manufactured: known?.manufactured || (dayOf(textOf(row, 'MFDON')) ?? ''),
    });
  }
  const all = [...batches.values()].filter((row) => row.quantity !== 0);
  const total = all.reduce((sum, row) => sum + row.quantity, 0);
  const isWhole = total === quantity && all.every((row) => row.quantity > 0 && !isNoBatch(row.batch));
  return isWhole ? all : [];
}
const isNoBatch = (batch: string): boolean => batch === '' || /^primary batch$/i.test(batch);

/** What a stock item begins with: each batch of it, or all of it where it has none. The value of the item is authoritative. */
function openingStock({ name, fields }: TallyObject, company: Company): readonly Line[] {
  const figure = figureOf(textOf(fields, 'OPENINGBALANCE'));
  const quantity = parseDecimal(figure, 6) ?? 0;
  if (figure === '' || figure.startsWith('-')) return [];
  const value = amountOf(textOf(fields, 'OPENINGVALUE'))?.amount ?? '';
  const rate = figureOf(textOf(fields, 'OPENINGRATE')) || latestRate(fields, 'STANDARDCOSTLIST');
  const own = { item: company.codeOf('item', name), unit: unitCode(textOf(fields, 'BASEUNITS')) };
  const batches = isYes(textOf(fields, 'ISBATCHWISEON')) ? batchesOf(fields, quantity) : [];
  if (batches.length === 0) return [{ ...own, quantity: figure, ...(value === '' ? { rate } : { value }) }];
  const worth = parseDecimal(value, 2);
  const shares =
    worth === undefined
      ? undefined
      : apportion(
          paise(worth),
          batches.map((each) => each.quantity),
        );
  return batches.map(({ quantity: part, ...batch }, at) => ({
    ...own,
    ...batch,
    quantity: quantityText(part),
    ...(shares ? { value: moneyText(shares[at] ?? 0) } : { rate }),
  }));
}

/** What each import takes from the masters of a Tally file. */
const sheets: Readonly<Record<TallyName, TallySheet>> = {
  unit: { types: ['UNIT'], columns: ['code', 'name', 'uqc', 'decimals'], linesOf: (object) => unitsOf(object) },
  costCentre: { types: ['COSTCENTRE'], columns: ['code', 'name'], linesOf: coded('costCentre') },
  ledger: { types: ['LEDGER'], columns: ['code', 'name', 'group', 'isBank'], linesOf: ledger },
  customer: {
    types: ['LEDGER'],
    columns: partyColumns,
    linesOf: (object, company) => (isIn(object, company, 'customer') ? [party(object)] : []),
  },
  supplier: {
    types: ['LEDGER'],
    columns: partyColumns,
    linesOf: (object, company) => (isIn(object, company, 'supplier') ? [party(object)] : []),
  },
  category: { types: ['STOCKGROUP'], columns: ['code', 'name'], linesOf: coded('category') },
  item: {
    types: ['STOCKITEM'],
    columns: [
      ...['sku', 'name', 'type', 'unit', 'category', 'batched', 'description', 'hsn', 'treatment', 'gstRate'],
      ...['cessRate', 'saleRate', 'purchaseRate', 'mrp'],
    ],
    linesOf: (object, company) => [item(object, company)],
  },
  openingLedgers: { types: ['LEDGER'], columns: ['ledger', 'debit', 'credit'], linesOf: openingLedger },
  openingBills: {
    types: ['LEDGER'],
    columns: ['party', 'reference', 'referenceDate', 'dueDate', 'debit', 'credit'],
    linesOf: openingBills,
  },
  openingItems: {
    types: ['STOCKITEM'],
    columns: ['item', 'quantity', 'unit', 'rate', 'value', 'batch', 'expiry', 'manufactured'],
    linesOf: openingStock,
  },
};

/** What an import of this name takes; undefined: nothing. */
export const tallySheet = (name: string): TallySheet | undefined =>
  Object.hasOwn(sheets, name) ? sheets[name as TallyName] : undefined;

/** A compound unit, `Doz of 12 Nos`, is no unit of its own: it is entered as a conversion. */
const unitsOf = (object: TallyObject): readonly Line[] =>
  plain(object.name) === '' || textOf(object.fields, 'ISSIMPLEUNIT').toLowerCase() === 'no' ? [] : [unit(object)];
