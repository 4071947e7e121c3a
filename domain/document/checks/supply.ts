import { dayInWords } from '../../base/dates.ts';
import { type Said, say } from '../../base/say.ts';
import { usesAdvance } from '../../tax/advances.ts';
import { hasGst, isRegular, statusLabels, statusOn, stopText } from '../../tax/gst/registration/registered.ts';
import { stateName } from '../../tax/gst/registration/states.ts';
import { takesBack } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { originalToFind } from '../originals.ts';
import { isSez } from '../price.ts';
import { bearsTaxOf, isPricedFromSource, sourceIds, sourceKey } from '../sources.ts';
import {
  type Checking,
  type CheckingPriced,
  type Finding,
  type PricedCheck,
  placeField,
  type TypedCheck,
} from './check.ts';

/**
 * A document of a supply with tax: what only asks for one declares nothing, nor what moves within a registration. What goes to
 * another registration of ours is a supply (section 25(4)).
 */
export const isDeclared = ({ kind, pricing }: Pick<CheckingPriced, 'kind' | 'pricing'>): boolean =>
  kind.gst.tax !== 'none' &&
  kind.life.cycle !== 'ordered' &&
  pricing.direction !== 'none' &&
  (kind.lines.of === 'items' || kind.lines.of === 'expenses');
const isOwnSupply = (checking: CheckingPriced): boolean => checking.kind.gst.tax === 'output' && isDeclared(checking);

/** Whether the supply of a document may be zero rated. A supplier’s to a SEZ of ours, and what comes from abroad, is as they say. */
export const mayBeZeroRated = ({ kind, pricing, priced }: CheckingPriced): boolean => {
  const { category } = pricing.party;
  if (isSez(category)) return true;
  if (kind.gst.tax === 'input') return pricing.own.kind === 'sez' || category === 'overseas';
  return priced.supplyType.startsWith('EXP');
};

/** Zero rated are exports and supplies to SEZ units and developers, nothing else. */
export const zeroRated: PricedCheck = {
  code: 'zeroRated',
  weight: 'law',
  source: 'IGST Act section 16(1)',
  find: (checking) => {
    const { kind, draft, pricing } = checking;
    if (!isDeclared(checking) || isPricedFromSource(kind, draft) || mayBeZeroRated(checking)) return [];
    return pricing.lines.flatMap(({ treatment, sku }, row): Finding[] => {
      if (treatment !== 'zeroRated' || draft.lines[row]?.source !== undefined) return [];

      const field = draft.lines[row]?.treatment === undefined ? 'lines.item' : 'lines.treatment';
      return [
        {
          field,
          row,
          ...(sku
            ? say(
                '{{sku}} is zero rated, but only exports and supplies to SEZ units are zero rated (section 16 of the IGST Act): ' +
                  'choose another treatment',
                { sku },
              )
            : say(
                'Only exports and supplies to SEZ units are zero rated (section 16 of the IGST Act): choose another treatment',
              )),
        },
      ];
    });
  },
};

/** From this day on the composition scheme bears no service to another state either; before it no goods. */
const SERVICES_TOO = '2021-01-01';

/** A composition dealer makes no inter-state supply, neither of goods nor of services. */
export const compositionWithinState: PricedCheck = {
  code: 'compositionInterState',
  weight: 'problem',
  source:
    'CGST Act sections 10(2)(c) and 10(2A)(c); “or services” by section 119 of the Finance Act 2020, from ' +
    '01-01-2021 by notification 92/2020-CT',
  find: (checking) => {
    const { kind, draft, pricing, facts } = checking;
    if (!isOwnSupply(checking) || isPricedFromSource(kind, draft) || facts.own.kind !== 'composition') return [];
    const { own, placeOfSupply, lines } = pricing;
    const goods = lines.some(({ service, charge }) => !service && !charge);
    if (placeOfSupply === own.state || !(goods || draft.date >= SERVICES_TOO)) return [];
    const place = stateName(placeOfSupply) ?? placeOfSupply;
    return [
      {
        field: placeField(kind),
        ...say(
          'A composition dealer may not supply to another state (section 10(2)(c)): the place of supply is {{place}}',
          { place },
        ),
      },
    ];
  },
};

/** Nobody supplies to their own registration: goods between its places go on a challan without tax. */
export const ownRegistration: TypedCheck = {
  code: 'ownRegistration',
  weight: 'problem',
  source: 'CGST Act section 7; portal code 2211; GSTR-1 checks before upload',
  find: ({ kind, draft: { billTo }, facts: { own, party } }) => {
    if (kind.gst.tax === 'none' || !own.gstin) return [];
    const at = (field: string, who: string | Said): Finding[] => [
      {
        field,
        ...say('{{who}} has a GSTIN of this organisation: goods between its own places move by a branch transfer', {
          who,
        }),
      },
    ];
    const ours = new Set([own.gstin, ...(own.others ?? [])]);
    if (party?.gstin && ours.has(party.gstin)) return at('party', party.name);
    return ours.has(billTo?.gstin?.trim().toUpperCase() ?? '')
      ? at('billTo.gstin', billTo?.name ?? say('This buyer'))
      : [];
  },
};

/**
 * Goods that are delivered elsewhere take the whole document to that place. A service to a registered buyer is supplied where
 * the buyer is: it may be part of a composite supply of the goods, but by itself it belongs on an invoice of its own.
 */
export const serviceElsewhere: PricedCheck = {
  code: 'serviceElsewhere',
  weight: 'warning',
  source: 'IGST Act sections 10(1)(a) and 12(2)(a); CGST Act section 8',
  find: (checking) => {
    const { kind, draft, facts, pricing } = checking;
    const { party } = facts;
    if (!isOwnSupply(checking) || isPricedFromSource(kind, draft) || kind.paper.form === 'note' || !party?.gstin)
      return [];
    const { placeOfSupply, lines, own } = pricing;
    if (draft.placeOfSupply !== undefined || placeOfSupply === party.state || !isRegular(own.kind)) return [];
    if (mayBeZeroRated(checking) || !lines.some(({ service, charge }) => !service && !charge)) return [];
    const [there, here] = [placeOfSupply, party.state].map((code) => stateName(code) ?? code);
    return lines.flatMap(({ service, charge, treatment }, row): Finding[] =>
      service && !charge && treatment === 'taxable'
        ? [
            {
              field: 'lines.item',
              row,
              ...say(
                'The goods are supplied in {{there}}. A separate service to a registered buyer is supplied in {{here}} (section ' +
                  '12(2)(a) of the IGST Act): make two invoices, unless it is part of the supply of the goods',
                { there, here },
              ),
            },
          ]
        : [],
    );
  },
};

/** Documents by which a registration makes a supply, or says that it owes tax: an adjustment or refund only takes back. */
const supplies: ReadonlySet<string | undefined> = new Set(['invoice', 'creditNote', 'debitNote', 'advance']);
/** Table 13 of GSTR-1: invoices and vouchers that a recipient issues under reverse charge. */
const ownPapers: ReadonlySet<number | undefined> = new Set([2, 7]);

/** Whether it bears GST: goods of which nothing is taxable may be sold all the same. */
const bearsGst = ({ kind, draft, facts }: Checking): boolean => {
  if (draft.withoutTax) return false;
  if (kind.lines.of === 'none') return (draft.advanceRate ?? 0) > 0 || !supplies.has(kind.gst.gstr1);
  return draft.lines.some(({ treatment, item, source }) => {
    const own = source && facts.sources.get(sourceKey(source))?.treatment;
    const what = own ?? treatment ?? facts.items.get(item ?? '')?.treatment ?? 'taxable';
    return what === 'taxable' || what === 'zeroRated';
  });
};

/** A GSTIN that is suspended or cancelled makes no supply with tax, and issues no paper of one. */
export const registrationStopped: TypedCheck = {
  code: 'registrationStopped',
  weight: 'problem',
  source: 'CGST Act section 29, rule 21A(3) and (5); portal codes 3028 and 3029',
  find: (checking) => {
    const { kind, draft, facts } = checking;
    const { stop, gstin } = facts.own;
    if (!stop || !gstin) return [];
    const isTransfer = kind.stock.effect === 'transferOut';
    // goods that stay within the registration are no supply
    const issues = isTransfer
      ? facts.other !== undefined && facts.other.registration !== facts.own.registration
      : supplies.has(kind.gst.gstr1) || ownPapers.has(kind.gst.issued?.nature);
    if (!issues || !bearsGst(checking)) return [];
    const values = {
      stopped: stopText(gstin, stop),
      kind: kind.label.toLowerCase(),
      date: dayInWords(draft.date),
    };
    const message = mayBeWithoutTax(kind)
      ? say(
          '{{stopped}}: no {{kind}} with GST is made from it on {{date}}. Choose another registration, or make it without GST',
          values,
        )
      : say('{{stopped}}: no {{kind}} with GST is made from it on {{date}}. Choose another registration', values);
    return [{ field: 'registration', ...message }];
  },
};

/** Who may be charged in reverse: not abroad, not a deemed export, not an input service distributor. */
export const reverseChargeBuyer: TypedCheck = {
  code: 'reverseChargeBuyer',
  weight: 'problem',
  source: 'GSTR-1 checks before upload (DE forbids reverse charge); portal codes 2297 and 2232',
  find: ({ kind, draft, facts: { party } }) => {
    if (kind.gst.tax !== 'output' || !draft.reverseCharge || !party) return [];
    const all = {
      deemedExport: say('A deemed export is never under reverse charge'),
      overseas: say('An export is never under reverse charge'),
      isd: say('A supply to an input service distributor is never under reverse charge'),
    };
    const message = (all as Partial<Record<typeof party.category, Said>>)[party.category];
    return message ? [{ field: 'reverseCharge', ...message }] : [];
  },
};

/** Deemed exports are goods: a service on the same paper would be listed with them. */
export const deemedExportOfGoods: PricedCheck = {
  code: 'deemedExportOfGoods',
  weight: 'problem',
  source: 'CGST Act section 147; notification 48/2017-CT; GSTR-1 table 6C',
  find: (checking) => {
    const { kind, priced } = checking;
    if (!isOwnSupply(checking) || kind.paper.form === 'note' || priced.supplyType !== 'DEXP') return [];
    return priced.lines.flatMap(({ charge, service, number }): Finding[] => {
      if (charge || !service) return [];
      const message = say('A deemed export is one of goods (section 147): invoice the service by itself');
      return [{ field: 'lines.item', row: number - 1, ...message }];
    });
  },
};

/** The portal takes a shipping bill number of three to seven digits. */
export const shippingBillNumber: TypedCheck = {
  code: 'shippingBill',
  weight: 'problem',
  source: 'GSTR-1, table 6A: sbnum',
  find: ({ kind, draft }) => {
    const number = draft.fields?.shippingBill?.trim();
    return kind.gst.tax === 'output' && number && !/^\d{3,7}$/.test(number)
      ? [{ field: 'shippingBill', ...say('A shipping bill number has 3 to 7 digits') }]
      : [];
  },
};

/**
 * A rate that is typed where none may be charged. A line that bears the rate of its source keeps it, and so does a part of an
 * advance: the source has its own check.
 */
const typedRates = ({ kind, draft }: Checking, charged: Said): Finding[] => {
  const isRate = (rate: number | undefined): boolean => rate !== undefined && rate > 0;
  const lines = draft.lines.flatMap(({ gstRate, cessRate, cessPerUnit, source }, row): Finding[] =>
    source !== undefined && bearsTaxOf(kind)
      ? []
      : [
          ...(isRate(gstRate) ? [{ field: 'lines.gstRate', row, ...charged }] : []),
          ...(isRate(cessRate) ? [{ field: 'lines.cessRate', row, ...charged }] : []),
          ...(isRate(cessPerUnit) ? [{ field: 'lines.cessPerUnit', row, ...charged }] : []),
        ],
  );
  const charges = (draft.charges ?? []).flatMap(({ gstRate }, row): Finding[] =>
    isRate(gstRate) ? [{ field: 'charges.gstRate', row, ...charged }] : [],
  );
  const advance = isRate(draft.advanceRate) && !usesAdvance(kind) ? [{ field: 'advanceRate', ...charged }] : [];
  return [...lines, ...charges, ...advance];
};

/** Without registration there is no GST: no rate is charged, and no tax is due under reverse charge. */
export const noGst: TypedCheck = {
  code: 'noGst',
  weight: 'problem',
  source: 'CGST Act sections 9(3), 32(1) and 37',
  find: (checking) => {
    const { kind, draft, facts } = checking;
    if (hasGst(facts.own.kind) || kind.gst.tax === 'none') return [];
    const values = { date: dayInWords(draft.date) };
    const reverse = draft.reverseCharge
      ? [
          {
            field: 'reverseCharge',
            ...say(
              'Not registered under GST on {{date}}: tax under reverse charge is for registered recipients',
              values,
            ),
          },
        ]
      : [];
    return kind.gst.tax === 'input'
      ? reverse
      : [
          ...reverse,
          ...typedRates(checking, say('Not registered under GST on {{date}}: leave the rate empty', values)),
        ];
  },
};

/** Who pays under composition collects no tax: a bill of supply has no rate. */
export const billOfSupply: TypedCheck = {
  code: 'billOfSupply',
  weight: 'problem',
  source: 'CGST Act sections 10(4) and 31(3)(c)',
  find: (checking) =>
    checking.kind.gst.tax === 'output' && hasGst(checking.facts.own.kind) && !isRegular(checking.facts.own.kind)
      ? typedRates(
          checking,
          say(
            'A composition dealer collects no tax (section 10(4)): leave the rate empty, the bill of supply shows the price alone',
          ),
        )
      : [],
};

/** A price cut may be without GST by choice; a price rise is where it takes back a note that was. */
const mayBeWithoutTax = (kind: Kind): boolean => kind.fields.includes('withoutTax') && takesBack(kind);

/**
 * What corrects a note without GST is without GST: no tax was taken back that could be charged again. A price rise of a supply
 * bears the tax of that supply.
 */
export const withoutGstLikeSource: TypedCheck = {
  code: 'withoutGstLikeSource',
  weight: 'problem',
  source: 'CGST Act sections 15 and 34; decisions.md section 12',
  find: ({ kind, draft, facts: { documents } }) => {
    if (!kind.fields.includes('withoutTax') || !documents) return [];
    const named = sourceIds(draft).flatMap((id) => documents.get(id) ?? []);
    const financial = named.find(({ withoutTax }) => withoutTax);
    if (financial && !draft.withoutTax)
      return [
        {
          field: 'withoutTax',
          ...say('{{number}} is without GST: a note about it is too', { number: financial.number }),
        },
      ];
    if (!draft.withoutTax || mayBeWithoutTax(kind) || (financial && named.every(({ withoutTax }) => withoutTax)))
      return [];
    const message = say('A {{kind}} is with GST, unless it is about a note without GST: leave this out', {
      kind: kind.label.toLowerCase(),
    });
    return [{ field: 'withoutTax', ...message }];
  },
};

/**
 * What corrects a supply bears the tax that was on it. Where the registration charged tax then and may not now, or the other
 * way round, the note is made without GST.
 */
export const statusOfSource: TypedCheck = {
  code: 'statusOfSource',
  weight: 'problem',
  source: 'CGST Act sections 10(4), 32(1) and 34(1)',
  find: ({ kind, draft, facts: { own, documents } }) => {
    if (kind.gst.tax !== 'output' || !bearsTaxOf(kind) || draft.withoutTax || !own.history) return [];
    const { history } = own;
    const named = sourceIds(draft).flatMap((id) => documents?.get(id) ?? []);
    const original = originalToFind(kind, draft);
    const other = [...named, ...(original ? [original] : [])].find(
      ({ date }) => isRegular(statusOn(history, date)) !== isRegular(own.kind),
    );
    if (!other) return [];

    const said = say('{{number}} of {{day}} was made as {{before}}, and this registration is {{after}} on {{date}}', {
      number: other.number,
      day: dayInWords(other.date),
      before: statusLabels[statusOn(history, other.date)],
      after: statusLabels[own.kind],
      date: dayInWords(draft.date),
    });
    return mayBeWithoutTax(kind)
      ? [{ field: 'withoutTax', ...say('{{said}}: make this note without GST', { said }) }]
      : [
          {
            field: 'date',
            ...say('{{said}}: make a credit note without GST, and put the goods back by a stock adjustment', { said }),
          },
        ];
  },
};

/** Return and portal name the buyer on record; another GSTIN on the paper would be a different buyer. */
export const buyerNamedTwice: TypedCheck = {
  code: 'buyerNamedTwice',
  weight: 'problem',
  source: 'CGST Act section 37: the details of a supply are those of its recipient; rule 46(d)',
  find: ({ kind, draft: { billTo }, facts: { party } }) => {
    const typed = billTo?.gstin?.trim().toUpperCase();
    if (kind.gst.tax !== 'output' || !party || !typed || typed === party.gstin) return [];
    return [
      {
        field: 'billTo.gstin',
        ...say('{{party}} has {{gstin}}: choose or make the customer with the GSTIN {{typed}}', {
          party: party.name,
          gstin: party.gstin ?? say('no GSTIN'),
          typed,
        }),
      },
    ];
  },
};

/** A service is exported when it is paid in convertible foreign exchange, or in rupees where the Reserve Bank permits it. */
export const serviceInRupees: PricedCheck = {
  code: 'serviceInRupees',
  weight: 'reason',
  source: 'IGST Act section 2(6)(iv)',
  find: (checking) => {
    const { kind, draft, facts, pricing, priced } = checking;
    if (!isOwnSupply(checking) || kind.paper.form === 'note' || isPricedFromSource(kind, draft)) return [];
    if (facts.party?.category !== 'overseas' || draft.currency !== 'INR' || !priced.supplyType.startsWith('EXP'))
      return [];
    if (!pricing.lines.some(({ service, charge, treatment }) => service && !charge && treatment === 'taxable'))
      return [];
    const message = say(
      'Services to abroad are an export when they are paid in foreign currency (section 2(6) of the IGST Act): choose the currency, or ' +
        'say by which permission of the Reserve Bank they are paid in rupees',
    );
    return [{ field: 'currency', ...message }];
  },
};
