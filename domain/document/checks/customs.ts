import { HUNDRED_PERCENT, rupeesText } from '../../base/decimal.ts';
import { apportion, type Paise, scale, sum, zero } from '../../base/money.ts';
import { type Said, say } from '../../base/say.ts';
import { assess, coveredLines } from '../../tax/customs.ts';
import type { Draft } from '../document.ts';
import type { Checking, Finding, TypedCheck } from './check.ts';

/** The goods of the purchase that a bill of entry covers, with its figures; undefined where there is nothing to compare. */
function assessment({ draft: { customs, against }, facts: { sources } }: Checking) {
  const bought = [...sources.values()].filter(({ document }) => document === against);
  if (!customs || bought.length === 0) return undefined;
  const goods = bought.map((line) => ({ ...line, name: '', left: line.leftQuantity }));
  return { customs, covered: coveredLines(bought, customs.covers, goods) };
}

/** Customs round each figure to a rupee. */
const isNear = (one: Paise, other: Paise, lines: number): boolean => Math.abs(one - other) <= 100 * (lines + 1);

/** Half of what was billed, or half as much again: freight and insurance are in the value, and add less than that. */
const isFar = (assessable: Paise, billed: Paise): boolean => 2 * assessable < billed || 2 * assessable > 3 * billed;

const withDuties = ({ assessable, basic = zero, surcharge = zero }: NonNullable<Draft['customs']>): Paise =>
  sum([assessable, basic, surcharge]);

/**
 * Tax of more than the value with duties is a slip of the pen, and would be credit that nobody paid. Between this and the rates
 * of the goods other duties may be in its base (section 3(8)): the draft has no field for them.
 */
export const customsTaxBeyondValue: TypedCheck = {
  code: 'customsTaxBeyondValue',
  weight: 'problem',
  source: 'IGST Act section 5(1); Customs Tariff Act section 3(7) and (8)',
  find: ({ draft: { customs } }) =>
    customs && customs.igst > withDuties(customs)
      ? [
          {
            field: 'customs.igst',
            ...say('IGST is not more than the value with duties, {{customs}}: correct the figures', {
              customs: rupeesText(withDuties(customs)),
            }),
          },
        ]
      : [],
};

/** What customs assessed wins, and credit is taken of it: where the rates of the goods say something else, somebody says why. */
export const customsAsAssessed: TypedCheck = {
  code: 'customsAsAssessed',
  weight: 'reason',
  source: 'Customs Tariff Act section 3(7); Finance Act 2018 section 110; CGST Rules rule 36(1)(d)',
  find: (checking) => {
    const found = assessment(checking);
    if (!found) return [];
    const { customs, covered } = found;
    const { assessable, basic = zero, surcharge = zero, igst = zero } = customs;
    const billed = sum(covered.map(({ taxable }) => taxable));
    const usual = assess(checking.draft.date, assessable, basic, covered).surcharge;
    const shares = apportion(
      sum([assessable, basic, surcharge]),
      covered.map(({ taxable }) => taxable),
    );
    const tax = sum(shares.map((share, at) => scale(share, covered[at]?.gstRate ?? 0, HUNDRED_PERCENT)));
    // nothing was levied, or nothing is typed yet: no credit is taken either
    const isFree = basic === 0 && surcharge === 0 && igst === 0;
    const finding = (field: string, message: Said): Finding => ({ field: `customs.${field}`, ...message });
    return [
      ...(isFar(assessable, billed)
        ? [
            finding(
              'assessable',
              say('The goods that this covers were billed at {{billed}}: check the value', {
                billed: rupeesText(billed),
              }),
            ),
          ]
        : []),
      ...(isNear(surcharge, usual, 0)
        ? []
        : [
            finding(
              'surcharge',
              say('By its rate the surcharge on this duty is {{usual}}: check it', { usual: rupeesText(usual) }),
            ),
          ]),
      ...(isFree || isNear(igst, tax, covered.length) || igst > withDuties(customs)
        ? []
        : [
            finding(
              'igst',
              say('By the rates of the goods IGST is {{tax}}: check it, or say which other duty it is on', {
                tax: rupeesText(tax),
              }),
            ),
          ]),
    ];
  },
};

/** Goods of a SEZ are taxed once, by the bill of entry: a bill that bears tax already has it, and its credit. */
export const entryOfTaxedBill: TypedCheck = {
  code: 'entryOfTaxedBill',
  weight: 'problem',
  source: 'SEZ Act 2005, section 30; IGST Act section 5(1), proviso',
  find: (checking) => {
    const found = assessment(checking);
    if (!found || found.customs.igst === 0) return [];
    const taxed = found.covered.some(({ left }) => left.cgst + left.sgst + left.igst > 0);
    return taxed
      ? [
          {
            field: 'against',
            ...say(
              'This bill bears GST already: cancel it and enter its goods zero rated, then the bill of entry has their tax',
            ),
          },
        ]
      : [];
  },
};
