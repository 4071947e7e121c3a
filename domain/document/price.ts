import { HUNDRED_PERCENT, type Millionths, millionths, ONE } from '../base/decimal.ts';
import { apportion, minus, type Paise, paise, scale, sum, taxInRupees, zero } from '../base/money.ts';
import { isRegular } from '../tax/gst/registration/registered.ts';
import type {
  GstCategory,
  Priced,
  PricedLine,
  Pricing,
  PricingLine,
  SourceLeft,
  SupplyType,
  TdsTaken,
} from './document.ts';
import { amountsLeft, chargesOfGoods, partOf, sourceKey } from './sources.ts';

const registered: readonly GstCategory[] = [
  'registered',
  'composition',
  'uinHolder',
  'taxDeductor',
  'isd',
  'ecommerceOperator',
];
export const isSez = (category: GstCategory): boolean => category === 'sezUnit' || category === 'sezDeveloper';

interface Supply {
  readonly supply: Priced['supply'];
  /** Whether the document has tax; without it the rate stays on the line and the tax is zero. */
  readonly taxed: boolean;
  /** The tax is part of what the document adds up to. */
  readonly charged: boolean;
  /** Leaves the country with tax paid: the buyer does not pay it, the government gives it back. */
  readonly refundable: boolean;
}
const untaxed = { taxed: false, charged: false, refundable: false } as const;

/** Goods that a foreign buyer has delivered in India are no export (IGST Act section 2(5)). */
const isExport = (p: Pricing): boolean =>
  p.direction === 'output' && p.party.category === 'overseas' && p.placeOfSupply === '96';

/** Between states, or with a SEZ or abroad: one tax; within a state two halves (IGST Act sections 7 and 8). */
function supplyOf(p: Pricing): Supply {
  if (p.direction === 'none') return { supply: 'none', ...untaxed };
  const sez = isSez(p.party.category) || p.own.kind === 'sez';
  if (p.direction === 'output') {
    const exported = isExport(p);
    const supply = exported || sez || p.own.state !== p.placeOfSupply ? 'inter' : 'intra';
    // a composition dealer or an unregistered seller may not charge tax (section 10, section 31(3)(c))
    const mayCharge = isRegular(p.own.kind);
    const zeroRated = (exported || isSez(p.party.category)) && !p.withPayment;
    if (!mayCharge || zeroRated || p.withoutTax) return { supply, ...untaxed };
    return { supply, taxed: true, charged: !p.reverseCharge, refundable: exported };
  }
  const overseas = p.party.category === 'overseas';
  const supply =
    overseas || sez || (p.party.state !== undefined && p.party.state !== p.placeOfSupply) ? 'inter' : 'intra';
  if (p.withoutTax) return { supply, ...untaxed };
  const supplierCharges = !overseas && p.party.category !== 'composition' && p.party.category !== 'unregistered';
  return {
    supply,
    taxed: p.reverseCharge || supplierCharges,
    charged: supplierCharges && !p.reverseCharge,
    refundable: false,
  };
}

/** A part of an advance is taxed as the advance was, whatever its party has become since. */
function asTaxed(supply: Supply, lines: readonly PricingLine[]): Supply {
  const part = lines[0]?.part;
  if (!part) return supply;
  const own = part.igst > 0 ? 'inter' : part.cgst > 0 ? 'intra' : supply.supply;
  return { ...supply, supply: own, taxed: true, charged: true };
}
/** What corrects a supply bears the kind of tax that was on it (section 34); a note may leave the tax as it is. */
const asSupplied = ({ original, withoutTax }: Pricing, supply: Supply): Supply =>
  !original || withoutTax
    ? supply
    : { ...supply, supply: original.supply, taxed: supply.taxed || original.charged, charged: original.charged };

/** Which heads of tax a document bears: IGST, or CGST and SGST, or none. */
export const supplyOfPricing = (p: Pricing): Priced['supply'] => asSupplied(p, supplyOf(p)).supply;

interface OwnAmounts {
  readonly gross: Paise;
  readonly discount: Paise;
  readonly rupees?: Paise;
}

/** Amounts of a line in the document's currency, before document discount and charges. */
function ownAmounts(line: PricingLine, p: Pricing, part: SourceLeft | undefined): OwnAmounts {
  // a return keeps the amounts of its source, whatever the rate of the day
  if (part) return { gross: p.currency === 'INR' ? part.value : part.foreign, discount: zero, rupees: part.value };
  const gross = scale(line.quantity, line.rate, 10_000_000_000);
  const { percent, amount } = line.discount;
  return { gross, discount: percent !== undefined ? scale(gross, percent, HUNDRED_PERCENT) : (amount ?? zero) };
}

type Heads = Pick<PricedLine, 'cgst' | 'sgst' | 'igst' | 'cess'>;
const noTax: Heads = { cgst: zero, sgst: zero, igst: zero, cess: zero };

/** Each head from its own rate, halves away from zero; CGST and SGST each from half the rate. */
function taxOn(line: PricingLine, taxable: Paise, { supply, taxed }: Supply): Heads {
  if (!taxed || line.treatment !== 'taxable') return noTax;
  const cess = sum([scale(taxable, line.cessRate, HUNDRED_PERCENT), scale(line.cessPerUnit, line.quantity, ONE)]);
  if (supply === 'inter') return { cgst: zero, sgst: zero, igst: scale(taxable, line.gstRate, HUNDRED_PERCENT), cess };
  const half = scale(taxable, line.gstRate, 2 * HUNDRED_PERCENT);
  return { cgst: half, sgst: half, igst: zero, cess };
}

/** Rule 31D: the tax of goods valued on the retail price is inside that price; the basis is what is left of it. */
function retailTax(
  line: PricingLine,
  retailPrice: Paise,
  { supply }: Supply,
): { readonly taxable: Paise; readonly heads: Heads } {
  // goods that are given with them bear the same price, and are supplied for the same sum
  const retail = scale(retailPrice, line.quantity + line.freeQuantity, ONE);
  const whole = HUNDRED_PERCENT + line.gstRate;
  const heads =
    supply === 'inter'
      ? { ...noTax, igst: scale(retail, line.gstRate, whole) }
      : { ...noTax, cgst: scale(retail, line.gstRate, 2 * whole), sgst: scale(retail, line.gstRate, 2 * whole) };
  return { taxable: paise(retail - heads.cgst - heads.sgst - heads.igst), heads };
}

const less = (from: SourceLeft, taken: SourceLeft): SourceLeft =>
  amountsLeft((name) => paise(Math.max(0, from[name] - taken[name])));

/** Charges that were kept before go with the goods that they were kept of: nobody takes them any more. */
const withoutKept = ({ left, charges }: NonNullable<PricingLine['source']>): SourceLeft =>
  charges ? less(left, chargesOfGoods(charges, charges.kept)) : left;

/**
 * What each line that is priced from a source takes of it; of lines from one source each takes of what those before it leave.
 * Of a document that keeps the charges each takes its part without them, so that parts and charges kept add up to the whole.
 */
function partsTaken(lines: readonly PricingLine[]): readonly (SourceLeft | undefined)[] {
  const rest = new Map<string, { readonly quantity: Millionths; readonly left: SourceLeft }>();
  return lines.map(({ source, quantity, keepsCharges }) => {
    if (!source) return undefined;
    const key = sourceKey(source);
    const now = rest.get(key) ?? { quantity: source.leftQuantity, left: withoutKept(source) };
    const part = partOf(now.left, quantity, now.quantity);
    rest.set(key, { quantity: millionths(now.quantity - quantity), left: less(now.left, part) });
    const { charges, leftQuantity } = source;
    if (!keepsCharges || !charges) return part;
    // of the goods that lines before this one took they are kept too
    const before = charges.kept + leftQuantity - now.quantity;
    return less(part, less(chargesOfGoods(charges, before + quantity), chargesOfGoods(charges, before)));
  });
}

/**
 * A price cut bears no more tax than is left of what it cuts, and where it takes the whole value, all of it. One that takes more
 * than is left is a problem at its line; until it is corrected it is shown with the tax of its rate.
 */
const headsCut = (heads: Heads, taxable: Paise, { left }: NonNullable<PricingLine['cuts']>): Heads => {
  if (taxable > left.taxable) return heads;
  const whole = taxable === left.taxable;
  const most = (head: keyof Heads): Paise => (whole ? left[head] : paise(Math.min(heads[head], left[head])));
  return { cgst: most('cgst'), sgst: most('sgst'), igst: most('igst'), cess: most('cess') };
};

const taxSum = (heads: Heads): Paise => sum([heads.cgst, heads.sgst, heads.igst, heads.cess]);
/** What a certificate covers bears its rate, the rest that of the section. */
const deducted = ({ base, rate, lower }: TdsTaken): Paise =>
  taxInRupees(
    lower
      ? [
          [base - lower.base, rate],
          [lower.base, lower.rate],
        ]
      : [[base, rate]],
  );
/** What tax is collected on: the amount with GST, of goods above the value from which each bears it. */
function collectedOn(lines: readonly PricedLine[], eachAbove: Paise | undefined): Paise {
  const bears = ({ total, quantity }: PricedLine): boolean =>
    eachAbove === undefined || BigInt(total) * BigInt(ONE) > BigInt(eachAbove) * BigInt(quantity);
  return sum(lines.filter(bears).map(({ total }) => total));
}
const roundRupee = (amount: Paise): Paise => paise(scale(amount, 1, 100) * 100);

/**
 * What a document adds up to, in paise of rupees. The one place where totals are worked out: the editor calls it on every
 * key, the server once before posting. Sources: CGST Act sections 15 and 170, decisions on money.
 */
export function price(p: Pricing): Priced {
  const supply = asTaxed(asSupplied(p, supplyOf(p)), p.lines);
  const parts = partsTaken(p.lines);
  const own = p.lines.map((line, i) => ownAmounts(line, p, parts[i]));
  const nets = own.map((o) => paise(o.gross - o.discount));
  const goods = withoutCharges(p, nets);
  const subtotal = sum(goods);
  const documentDiscount =
    p.discount.percent !== undefined
      ? scale(subtotal, p.discount.percent, HUNDRED_PERCENT)
      : (p.discount.amount ?? zero);
  const discounts = documentDiscount === 0 ? undefined : apportion(documentDiscount, goods);
  const after = discounts ? nets.map((n, i) => paise(n - (discounts[i] ?? 0))) : nets;
  const shares = chargeShares(p, withoutCharges(p, after));
  const foreign = p.currency !== 'INR';
  const base = (amount: Paise): Paise => (foreign ? scale(amount, p.exchangeRate, ONE) : amount);
  // a price can hold only a tax that the buyer pays
  const inclusive = p.taxInclusive && supply.charged && !supply.refundable && !foreign;
  let leftOver = 0;

  const lines = p.lines.map((line, i): PricedLine => {
    const net = after[i] ?? zero;
    const share = shares?.[i] ?? zero;
    const part = parts[i];
    const onRetail =
      !part && line.retailPrice !== undefined && supply.taxed && line.treatment === 'taxable'
        ? retailTax(line, line.retailPrice, supply)
        : undefined;
    const before = inclusive && !line.source ? withoutInclusiveTax(line, net, onRetail?.heads) : net;
    const foreignValue = sum([before, share]);
    const stated = own[i]?.rupees;
    const value = line.part
      ? line.part.taxable
      : foreign && stated !== undefined
        ? sum([stated, base(share)])
        : base(foreignValue);
    // as much of its tax as of its value, unless a discount or a charge of the document makes it another value
    const isWholePart = part !== undefined && value === part.value;
    const found = line.part ?? (isWholePart ? part : (onRetail?.heads ?? taxOn(line, value, supply)));
    const heads = line.cuts && supply.taxed ? headsCut(found, onRetail?.taxable ?? value, line.cuts) : found;
    if (before !== net && !onRetail)
      leftOver += net - before - taxSum(share === 0 ? heads : taxOn(line, before, supply));
    // what is new stands before the line: behind it, each field costs V8 a thousand times more
    return {
      number: i + 1,
      gross: base(own[i]?.gross ?? zero),
      discountAmount: base(own[i]?.discount ?? zero),
      documentDiscount: base(discounts?.[i] ?? zero),
      chargeShare: base(share),
      taxable: isWholePart ? part.taxable : (onRetail?.taxable ?? value),
      value,
      cgst: heads.cgst,
      sgst: heads.sgst,
      igst: heads.igst,
      cess: heads.cess,
      foreignValue,
      total: sum([value, ...(supply.charged ? [taxSum(heads)] : [])]),
      ...line,
    };
  });
  return totals(p, supply, lines, paise(leftOver));
}

const withoutInclusiveTax = (line: PricingLine, net: Paise, retail: Heads | undefined): Paise => {
  if (line.treatment !== 'taxable') return net;
  if (retail) return paise(net - taxSum(retail));
  const specific = scale(line.cessPerUnit, line.quantity, ONE);
  return scale(paise(net - specific), HUNDRED_PERCENT, HUNDRED_PERCENT + line.gstRate + line.cessRate);
};

/** What is charged for goods whose tax is inside their retail price (rule 31D): the taxable value is another sum then. */
export const chargedOf = ({ lines }: Pick<Priced, 'lines'>): Paise | undefined =>
  lines.some(({ retailPrice }) => retailPrice !== undefined) ? sum(lines.map(({ value }) => value)) : undefined;

/** Charges that are lines stand last; nothing is shared over them. */
const withoutCharges = (p: Pricing, nets: readonly Paise[]): readonly Paise[] =>
  p.lines.at(-1)?.charge ? nets.map((net, i) => (p.lines[i]?.charge ? zero : net)) : nets;

/** Charges before tax belong to the goods they go with (section 15(2)(c)) and are shared over the lines. */
function chargeShares(p: Pricing, nets: readonly Paise[]): Paise[] | undefined {
  if (p.charges.length === 0) return undefined;
  const shares = p.lines.map(() => 0);
  for (const charge of p.charges) {
    const byQuantity = charge.apportion === 'quantity' || nets.every((net) => net === 0);
    const weights = byQuantity ? p.lines.map((l) => (l.charge ? 0 : l.quantity)) : nets;
    apportion(charge.amount, weights).forEach((part, i) => {
      shares[i] = (shares[i] ?? 0) + part;
    });
  }
  return shares.map(paise);
}

function totals(p: Pricing, supply: Supply, lines: readonly PricedLine[], leftOver: Paise): Priced {
  const of = (pick: (line: PricedLine) => Paise): Paise => sum(lines.map(pick));
  const heads = { cgst: of((l) => l.cgst), sgst: of((l) => l.sgst), igst: of((l) => l.igst), cess: of((l) => l.cess) };
  const value = of((l) => l.value);
  const tax = supply.charged ? taxSum(heads) : zero;
  // income-tax collected at source is on the amount with GST and is no part of the value of supply
  const back = tcsGivenBack(p, lines);
  const tcs = p.tcs
    ? scale(collectedOn(lines, p.tcs.eachAbove), p.tcs.rate, HUNDRED_PERCENT)
    : sum(Object.values(back ?? {}));
  const tds = p.tds ? deducted(p.tds) : zero;
  const adjustments = p.adjustments?.map(({ sign, amount, ...rest }) => {
    const rupees = p.currency === 'INR' ? amount : scale(amount, p.exchangeRate, ONE);
    return { amount: sign === 'less' ? minus(rupees) : rupees, ...rest };
  });
  const adjusted = adjustments ? sum(adjustments.map((a) => a.amount)) : zero;
  const exact = sum([value, tax, tcs, adjusted]);
  const sticker = sum([exact, leftOver]);
  const rest = roundingLeft(p, lines);
  const rounded = p.roundTotal && p.currency === 'INR' ? roundRupee(sticker) : sticker;
  const total = rest === undefined ? rounded : sum([exact, rest]);
  const refundable = supply.refundable ? tax : zero;
  const vat = vatOn(p, lines);
  const payable = paise(total - tds - refundable + (vat?.amount ?? 0));
  // as rupees the charges add up to what the lines carry of them
  const amounts = p.charges.map((c) => c.amount);
  const inRupees =
    p.currency === 'INR'
      ? amounts
      : apportion(
          of((l) => l.chargeShare),
          amounts,
        );
  const charges = p.charges.map((c, i) => ({
    name: c.name,
    amount: inRupees[i] ?? zero,
    ...(c.ledger !== undefined && { ledger: c.ledger }),
  }));
  const priced: Priced = {
    supply: supply.supply,
    supplyType: supplyType(p, supply, total),
    taxCharged: supply.charged,
    lines,
    charges,
    gross: of((l) => l.gross),
    discount: sum([of((l) => l.discountAmount), of((l) => l.documentDiscount)]),
    chargeTotal: sum(charges.map((c) => c.amount)),
    taxable: of((l) => l.taxable),
    value,
    ...heads,
    tcs,
    ...(back && { tcsBack: back }),
    tds,
    roundOff: sum([total, minus(exact)]),
    total,
    ...(vat && { vat }),
    payable,
    foreignTotal:
      p.currency === 'INR'
        ? payable
        : paise(
            of((l) => l.foreignValue) +
              (supply.refundable || !supply.charged ? 0 : scale(tax, ONE, p.exchangeRate)) +
              adjustedBy(p),
          ),
  };
  return adjustments ? { adjustments, ...priced } : priced;
}

/** The tax collected with each source, by the value that is taken back of what is left; who takes all of that takes the rest of the tax. */
function tcsGivenBack({ closes }: Pricing, lines: readonly PricedLine[]): Priced['tcsBack'] {
  if (!closes?.tcs?.length) return undefined;
  const taken = (document: string): Paise =>
    sum(lines.flatMap(({ source, cuts, value }) => ((source ?? cuts)?.document === document ? [value] : [])));
  const given = closes.tcs.flatMap(({ document, left }): [string, Paise][] => {
    const value = taken(document);
    const whole = sum(closes.lines.flatMap((line) => (line.document === document ? [line.left.value] : [])));
    const part = value >= whole ? left : scale(left, value, whole);
    return part > 0 ? [[document, part]] : [];
  });
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** The rest of the rounding of its sources, for a document that takes all that is left of them. */
function roundingLeft({ closes }: Pricing, lines: readonly PricedLine[]): Paise | undefined {
  if (!closes) return undefined;
  const taken = new Map<string, number>();
  for (const { source, cuts, value } of lines) {
    const from = source ?? cuts;
    if (from) taken.set(sourceKey(from), (taken.get(sourceKey(from)) ?? 0) + value);
  }
  return closes.lines.every((line) => (taken.get(sourceKey(line)) ?? 0) === line.left.value)
    ? closes.roundOff
    : undefined;
}

/** What comes on top after tax less what comes off, in the document's currency. */
const adjustedBy = ({ adjustments = [] }: Pick<Pricing, 'adjustments'>): number =>
  adjustments.reduce((total, { sign, amount }) => total + (sign === 'less' ? -amount : amount), 0);

/** Tax abroad is on the value in the document's own currency, line by line. */
function vatOn(p: Pricing, lines: readonly PricedLine[]): Priced['vat'] {
  if (!p.vat) return undefined;
  const { rate } = p.vat;
  const foreign = sum(lines.map((l) => scale(l.foreignValue, rate, HUNDRED_PERCENT)));
  return { rate, foreign, amount: scale(foreign, p.exchangeRate, ONE) };
}

/** Inter-state invoices to consumers above this are listed one by one: 2.5 lakh, from August 2024 1 lakh (GSTR-1 table 5). */
const largeFrom = (date: string): number => (date >= '2024-08-01' ? 10_000_000 : 25_000_000);

function supplyType(p: Pricing, { supply }: Supply, total: Paise): SupplyType {
  if (p.direction !== 'output') return 'NONE';
  const { category } = p.party;
  if (isExport(p)) return p.withPayment ? 'EXPWP' : 'EXPWOP';
  if (isSez(category)) return p.withPayment ? 'SEZWP' : 'SEZWOP';
  // notification 48/2017-CT: deemed exports are goods
  if (category === 'deemedExport') return p.lines.some(({ charge, service }) => !charge && !service) ? 'DEXP' : 'B2B';
  if (registered.includes(category)) return 'B2B';
  // a note on a large invoice is listed as that one is, however small it is itself
  const type = p.original?.type;
  if (type === 'B2CL' || type === 'B2CS') return type;
  return supply === 'inter' && total > largeFrom(p.date) ? 'B2CL' : 'B2CS';
}
