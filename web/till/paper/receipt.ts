import type { z } from 'zod';
import type { DraftBody, pricedView } from '../../../contract/documents.ts';
import { millionths, moneyText, parseDecimal, percentText, quantityText } from '../../../domain/base/decimal.ts';
import { sum, zero } from '../../../domain/base/money.ts';
import type { BatchPart } from '../../../domain/document/document.ts';
import { hasGst } from '../../../domain/tax/gst/registration/registered.ts';
import { stateName } from '../../../domain/tax/gst/registration/states.ts';
import { showDate } from '../../kit/format.ts';
import type { Cart, Summed } from '../cart/cart.ts';
import { batchesOf } from '../cart/cart.ts';
import { linePrices } from '../cart/prices.ts';
import type { Counter } from '../counter.ts';
import { ownKind, ownOf } from '../counter.ts';
import { addressLines, addressOf, noAddress, onRecord } from '../selling/address.ts';

/** The content of a till receipt, as text: it is printed from this browser, also without the network. */
export interface ReceiptFacts {
  readonly title: string;
  /** The bill that a note is against. */
  readonly against?: string;
  readonly seller: string;
  readonly sellerLines: readonly string[];
  readonly till: string;
  readonly cashier: string;
  readonly customer: string;
  /** Address and GSTIN; a bill that an older page has kept has none. */
  readonly customerLines?: readonly string[];
  readonly lines: readonly {
    readonly name: string;
    readonly hsn: string;
    /** Batches or serial numbers. */
    readonly parts: string;
    readonly quantity: string;
    readonly rate: string;
    readonly off: string;
    readonly amount: string;
  }[];
  readonly sums: readonly { readonly label: string; readonly amount: string }[];
  readonly total: string;
  readonly taxes: readonly { readonly rate: string; readonly taxable: string; readonly tax: string }[];
  readonly paid: readonly { readonly label: string; readonly amount: string }[];
  readonly width: '80' | '58';
  /** What a payment app reads: for what is paid by UPI, or stays on account. */
  readonly upi: string | null;
}

const modeNames: Readonly<Record<string, string>> = { cash: 'Cash', card: 'Card', upi: 'UPI' };
export const modeName = (mode: string): string => modeNames[mode] ?? mode;

/** The link that asks a payment app for so much (NPCI's UPI linking specification). */
export const upiLink = (id: string, name: string, amount: string): string =>
  `upi://pay?${new URLSearchParams({ pa: id, pn: name, am: amount, cu: 'INR' }).toString().replaceAll('+', '%20')}`;

/** Batches with the day that they expire, or serial numbers, as people read them. */
export const partsRead = (serials: readonly string[], batches: readonly BatchPart[]): string =>
  [
    ...(serials.length ? [`Serial ${serials.join(', ')}`] : []),
    ...batches.map(
      ({ batch, quantity, expiry }) =>
        `Batch ${batch}${batches.length > 1 ? ` × ${quantityText(quantity)}` : ''}${expiry ? `, expires ${showDate(expiry)}` : ''}`,
    ),
  ].join('; ');

/** Where GST concerns nobody, papers know no codes of it. */
const hsnAt = (counter: Counter, hsn: string): string => (hasGst(ownKind(counter)) ? hsn : '');

/** Rules 46 and 49: seller, buyer, goods with HSN, taxable value and tax by rate. The number is put in when it is printed. */
export function receiptOf(cart: Cart, counter: Counter, { priced, settled }: Summed): ReceiptFacts {
  const { session, till, items } = counter;
  const taxed = priced.taxCharged && priced.lines.some((l) => l.cgst + l.sgst + l.igst + l.cess > 0);
  const rates = [...new Set(priced.lines.map((l) => l.gstRate))].sort((a, b) => a - b);
  const sums = [
    { label: 'Discount', amount: priced.discount },
    { label: 'Taxable value', amount: taxed ? priced.taxable : zero },
    { label: 'CGST', amount: priced.cgst },
    { label: 'SGST/UTGST', amount: priced.sgst },
    { label: 'IGST', amount: priced.igst },
    { label: 'Cess', amount: priced.cess },
    { label: 'Round off', amount: priced.roundOff },
  ];
  const batches = batchesOf(cart, counter);
  const prices = linePrices(cart.lines, counter);
  const wanted = sum([...settled.tenders.filter((t) => t.mode === 'upi').map((t) => t.amount), settled.onAccount]);
  return {
    title: !hasGst(ownKind(counter)) ? 'Invoice' : taxed ? 'Tax invoice' : 'Bill of supply',
    seller: till.seller.legalName,
    sellerLines: [
      ...till.seller.lines,
      ...(ownKind(counter) === 'composition'
        ? ['Composition taxable person, not eligible to collect tax on supplies']
        : []),
    ],
    ...{ till: till.name, cashier: session.name, width: till.printWidth },
    customerLines: buyerLines(cart, counter),
    customer: cart.party?.name ?? [cart.name.trim(), cart.phone.trim()].filter(Boolean).join(' · '),
    lines: priced.lines.map((l, at) => ({
      ...{
        name: items.get(cart.lines[at]?.item ?? '')?.name ?? l.description,
        hsn: hsnAt(counter, l.hsn),
        parts: partsRead(cart.lines[at]?.serials ?? [], batches[at] ?? []),
        rate: prices[at]?.rate ?? '',
      },
      ...{
        quantity: quantityText(l.quantity),
        off: cart.lines[at]?.discount ?? '',
        amount: moneyText(l.gross - l.discountAmount),
      },
    })),
    sums: sums.filter(({ amount }) => amount !== 0).map(({ label, amount }) => ({ label, amount: moneyText(amount) })),
    total: moneyText(priced.payable),
    taxes: taxed
      ? rates.map((rate) => {
          const lines = priced.lines.filter((l) => l.gstRate === rate);
          return {
            rate: percentText(rate),
            taxable: moneyText(sum(lines.map((l) => l.taxable))),
            tax: moneyText(sum(lines.flatMap((l) => [l.cgst, l.sgst, l.igst, l.cess]))),
          };
        })
      : [],
    paid: [
      ...settled.tenders.map((t) => ({
        label: modeName(t.mode ?? ''),
        amount: moneyText(t.mode === 'cash' ? sum([t.amount, settled.change]) : t.amount),
      })),
      ...(settled.onAccount > 0 ? [{ label: 'On account', amount: moneyText(settled.onAccount) }] : []),
      ...(settled.change > 0 ? [{ label: 'Change', amount: moneyText(settled.change) }] : []),
    ],
    upi: till.upiId && wanted > 0 ? upiLink(till.upiId, till.seller.legalName, moneyText(wanted)) : null,
  };
}

/** Rule 46(d) and (e): GSTIN and address of who is registered or on record, else the address that was typed. */
const buyerLines = (cart: Cart, counter: Counter): readonly string[] => {
  const typed = addressOf(cart.address ?? noAddress, ownOf(counter)?.state ?? '');
  const party = cart.party && counter.party?.id === cart.party.id ? counter.party : undefined;
  const address = typed ?? (party && onRecord(party));
  return [...(address ? addressLines(address, stateName) : []), ...(party?.gstin ? [`GSTIN ${party.gstin}`] : [])];
};

type Priced = z.output<typeof pricedView>;

/** Rule 53(1A): a credit note names the invoice it is against; amounts are those that the server will post. */
export function returnReceipt(
  counter: Counter,
  {
    lines,
    priced,
    against,
    paid,
    customer,
  }: {
    readonly lines: DraftBody['lines'];
    readonly priced: Priced;
    readonly against: string;
    readonly paid: ReceiptFacts['paid'][number];
    readonly customer: string;
  },
): ReceiptFacts {
  const { session, till, items } = counter;
  const taxed = [priced.cgst, priced.sgst, priced.igst, priced.cess].some((amount) => amount !== '0.00');
  const sums = [
    ['Taxable value', taxed ? priced.taxable : '0.00'],
    ['CGST', priced.cgst],
    ['SGST/UTGST', priced.sgst],
    ['IGST', priced.igst],
    ['Cess', priced.cess],
    ['Round off', priced.roundOff],
  ] as const;
  return {
    ...{ title: 'Credit note', against, seller: till.seller.legalName, sellerLines: till.seller.lines },
    ...{ till: till.name, cashier: session.name, customer, width: till.printWidth, upi: null, taxes: [] },
    lines: lines.map((line, at) => {
      const item = items.get(line.item ?? '');
      const own = priced.lines[at];
      return {
        ...{ name: item?.name ?? line.description ?? '', hsn: hsnAt(counter, item?.hsn ?? ''), off: '' },
        ...{ quantity: line.quantity ?? '0', rate: line.rate ?? '0', amount: own?.total ?? '0.00' },
        parts: partsRead(
          line.serials ?? [],
          (line.batches ?? []).map((b) => ({
            batch: b.batch,
            quantity: millionths(parseDecimal(b.quantity, 6) ?? 0),
            ...(b.expiry && { expiry: b.expiry }),
          })),
        ),
      };
    }),
    sums: sums.filter(([, amount]) => amount !== '0.00').map(([label, amount]) => ({ label, amount })),
    total: priced.payable,
    paid: [paid],
  };
}
