import { grouped } from '../../domain/base/decimal.ts';
import type { AdditionalType } from '../../domain/document/additional.ts';
import type { Draft } from '../../domain/document/document.ts';
import { dayOfOriginal, typedOriginal } from '../../domain/document/originals.ts';
import { reasonInWords } from '../../domain/document/reasons.ts';
import { returnsWithoutSource } from '../../domain/document/sources.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import type { Paper } from '../paper/index.ts';
import type { View } from './around.ts';
import type { Printed } from './nature.ts';

type Facts = Paper['facts'];

const fact = (label: string, value: string | undefined | null | false): Facts => (value ? [{ label, value }] : []);
const ofDay = (text: string | undefined, day: string | undefined): string => [text, day].filter(Boolean).join(' of ');

/** Cash, or which bank, with the number of the cheque or transfer. */
const modeOf = ({ entries }: View, { moneyLedger, fields }: Draft): string =>
  moneyLedger
    ? [entries.find(({ ledger }) => ledger === moneyLedger)?.name, fields?.['instrument']].filter(Boolean).join(', ')
    : '';

const printedValue = (type: AdditionalType, text: string, day: (text: string) => string): string =>
  type === 'date' && text ? day(text) : type === 'yesNo' ? text && (text === 'yes' ? 'Yes' : 'No') : text;

/** The documents and reasons that it refers to. */
function references({ view, draft, kind, around, day }: Printed): Facts {
  const original = typedOriginal(draft);
  const originalOn = dayOfOriginal(draft);
  const withoutSource =
    returnsWithoutSource(kind, draft) &&
    draft.accepted?.find(({ warning }) => warning === 'returnWithoutSource')?.reason;
  return [
    ...fact('Number', view.number || 'Draft'),
    ...fact('Date', day(view.date)),
    ...fact('Supplied on', draft.fields?.suppliedOn && day(draft.fields.suppliedOn)),
    ...fact('Due', view.dueDate && day(view.dueDate)),
    ...fact('Reference', ofDay(draft.reference, draft.referenceDate && day(draft.referenceDate))),
    // rule 53: a note names its invoices with their dates
    ...(kind.paper.form === 'note' || kind.paper.form === 'voucher'
      ? around.sources.slice(0, 6).flatMap((s) => fact('Against', `${s.number} of ${day(s.date)}`))
      : []),
    ...fact('Against', original && ofDay(original.number, originalOn && day(originalOn))),
    ...fact('Reason', draft.reason && reasonInWords(draft.reason)),
    ...fact('No document, because', withoutSource),
  ];
}

/** What rules 46, 50 and 51 ask for of the supply. */
const supplyFacts = ({ draft, kind, around, nature }: Printed): Facts => [
  ...fact('Input tax credit', draft.fields?.creditReversal),
  ...(kind.gst.tax === 'output' && nature.registered && around.place
    ? fact('Place of supply', `${around.place} – ${stateName(around.place) ?? ''}`)
    : []),
  // rules 46(p), 50(h) and 51(i)
  ...((nature.supplied && !nature.billOfSupply && !nature.plain) || (nature.advance && nature.registered)
    ? fact('Reverse charge', draft.reverseCharge ? 'Yes' : 'No')
    : []),
];

/** The rate of an import: the one that customs notified is not the books'. */
function assessedOn({ customs }: Draft): Facts {
  if (!customs?.currency || customs.rate === undefined) return [];
  const invoice = grouped(String(customs.invoice ?? ''));
  return fact('Assessed on', `${customs.currency} ${invoice} at the customs rate ${customs.rate}`);
}

/** What is printed next to the title: number, day, references, and what the law asks for of the supply and the payment. */
export function factsOf(printed: Printed): Facts {
  const { view, draft, around, nature, day } = printed;
  return [
    ...references(printed),
    ...supplyFacts(printed),
    ...fact('Mode of payment', modeOf(view, draft)),
    ...around.additional.flatMap(({ label, type, key }) =>
      fact(label, printedValue(type, draft.additional?.[key] ?? '', day)),
    ),
    ...fact('E-commerce operator', draft.fields?.ecommerceGstin),
    ...fact('VAT number, seller', draft.fields?.vatNumber),
    ...fact('VAT number, buyer', draft.fields?.buyerVatNumber),
    ...(nature.foreign
      ? [...fact('Currency', draft.currency), ...fact('Exchange rate', `₹ ${draft.exchangeRate}`)]
      : []),
    ...fact('TDS certificate (s. 197)', draft.tdsLower?.number),
    ...assessedOn(draft),
  ];
}
