import { dayInWords, isDay } from '../../base/dates.ts';
import { percent, percentText } from '../../base/decimal.ts';
import { type Said, say } from '../../base/say.ts';
import { blockedCredit } from '../../facts/blocked-credit.ts';
import { type ReverseChargeRow, reverseCharge } from '../../facts/reverse-charge.ts';
import type { Dated } from '../../facts/withholding.ts';
import { isUnder, serviceRatesOn } from '../../tax/gst/rates/rates.ts';
import { holderOf } from '../../tax/gst/registration/gstin.ts';
import { hasGst, isRegular } from '../../tax/gst/registration/registered.ts';
import { stateName } from '../../tax/gst/registration/states.ts';
import type { Day, PricedLine, PricingLine } from '../document.ts';
import { isPricedFromSource } from '../sources.ts';
import { type CheckingPriced, type Finding, isSuppliersPaper, type PricedCheck } from './check.ts';
import { chargeRow } from './rates.ts';
import { isDeclared } from './supply.ts';

/** A supplier's document of a supply to us: no order and no note, which follows what it corrects. */
const isSupplyToUs = (checking: CheckingPriced): boolean =>
  isSuppliersPaper(checking.kind) && isDeclared(checking) && checking.kind.paper.form !== 'note';

const dayOf = ({ draft: { date, referenceDate } }: CheckingPriced): Day =>
  referenceDate !== undefined && isDay(referenceDate) ? referenceDate : date;
const isInForce = ({ from, to }: Dated, day: Day): boolean => from <= day && (to === undefined || day <= to);
/** Chapters have two digits: what is typed shorter than a heading says too little. */
const isOf = (hsn: string, codes: readonly string[]): boolean =>
  codes.some((code) => (code.length < 4 ? hsn.length >= 4 && hsn.startsWith(code) : isUnder(hsn, code)));

/** Whether a row of reverse charge is for this supplier, this recipient and this line, and the supplier has not chosen to pay it. */
const bears = (row: ReverseChargeRow, checking: CheckingPriced, line: PricedLine): boolean =>
  isFor(row, checking, line) &&
  (row.chosenFrom === undefined || line.cgst + line.sgst + line.igst === 0 || line.gstRate < row.chosenFrom);

function isFor(row: ReverseChargeRow, { draft, facts: { own, party } }: CheckingPriced, line: PricedLine): boolean {
  const gstin = party?.gstin ?? null;
  const tax = line.cgst + line.sgst + line.igst;
  const isSuch =
    row.tdsSection === undefined ? isOf(line.hsn, row.hsn) : line.service && draft.tdsSection === row.tdsSection;
  if (!isSuch || (row.scrap && !line.scrap)) return false;
  // a short code may be one of services beside these, of a supplier who charges their tax
  if (row.whole && tax > 0 && !draft.reverseCharge && !row.hsn.some((code) => line.hsn.startsWith(code))) return false;
  if (row.notComposition && own.kind === 'composition') return false;
  const supplier = holderOf(gstin);
  if (row.supplier === 'unregistered' && gstin !== null) return false;
  if (row.supplier === 'noCompany' && supplier === 'company') return false;
  if (row.supplier === 'government' && supplier !== 'government') return false;
  const recipient = holderOf(own.gstin ?? null);
  if (recipient === undefined || row.recipient === undefined) return true;
  return recipient === 'company' || (row.recipient === 'companyOrFirm' && recipient === 'firm');
}

/**
 * Tax under reverse charge is paid by the registration that the supply is to. It pays no CGST and SGST of another state, and has no
 * credit of them: a supply of that place is one to somebody registered there.
 */
export const reverseChargeElsewhere: PricedCheck = {
  code: 'reverseChargeElsewhere',
  weight: 'reason',
  source: 'CGST Act sections 9(3), 24(iii) and 25(1); IGST Act sections 7 and 8',
  find: (checking) => {
    const { own, placeOfSupply, reverseCharge: isReversed } = checking.pricing;
    const isOther = placeOfSupply !== own.state && checking.priced.cgst + checking.priced.sgst > 0;
    if (!isSupplyToUs(checking) || !isReversed || !isOther) return [];
    const place = stateName(placeOfSupply) ?? placeOfSupply;
    return [
      {
        field: 'placeOfSupply',
        ...say(
          'This registration pays no CGST and SGST of {{place}}, and has no credit of them: correct the place of supply, book it for ' +
            'a registration in {{place}}, or say why it is due here',
          { place },
        ),
      },
    ];
  },
};

/** Supplies of which the recipient pays the tax, on a supplier's document that is booked without it. */
export const notifiedReverseCharge: PricedCheck = {
  code: 'notifiedReverseCharge',
  weight: 'reason',
  source: 'CGST Act sections 9(3) and 9(4); notifications 13/2017-CT(R) and 4/2017-CT(R)',
  find: (checking) => {
    const { draft, facts, pricing, priced } = checking;
    if (!isSupplyToUs(checking) || pricing.reverseCharge || draft.withoutTax || !hasGst(facts.own.kind)) return [];
    if (facts.party?.category === 'overseas') return [];
    const rows = reverseCharge.filter((row) => isInForce(row, dayOf(checking)));
    const messages = priced.lines.flatMap((line) => {
      if (line.charge || line.treatment !== 'taxable') return [];
      const found = rows.find((each) => bears(each, checking, line));
      if (!found) return [];
      const by = found.tdsSection
        ? say('TDS section {{tdsSection}}', { tdsSection: found.tdsSection })
        : `HSN/SAC ${line.hsn}`;
      return say('{{what}} ({{by}}): the recipient pays the tax ({{source}}). Tick reverse charge, or say why not', {
        what: found.what,
        by,
        source: found.source,
      });
    });
    const different = new Map(messages.map((each) => [each.message, each]));
    return [...different.values()].map((each): Finding => ({ field: 'reverseCharge', ...each }));
  },
};

/** The residual rate of services: notification 11/2017-CT(R), entry 35. */
const RESIDUAL = 180_000;

/**
 * The rates in force of a line whose tax we pay ourselves; undefined where the tables do not know its code. Of what comes from abroad
 * its SAC tells it.
 */
function ownRates(checking: CheckingPriced, line: PricedLine): readonly number[] | undefined {
  const day = dayOf(checking);
  const rows = reverseCharge.filter((row) => isInForce(row, day) && isFor(row, checking, line));
  const listed = rows.flatMap(({ rates }) => rates);
  if (listed.length > 0 && checking.facts.party?.category !== 'overseas') return listed;
  const ofService = serviceRatesOn(line.hsn, day);
  return ofService === undefined && listed.length === 0 ? undefined : [...listed, ...(ofService ?? [])];
}

/** The tax of a supplier's document is ours to pay, on these lines of it. */
const linesPaidByUs = (checking: CheckingPriced): readonly PricedLine[] =>
  isSupplyToUs(checking) && checking.pricing.reverseCharge && hasGst(checking.facts.own.kind)
    ? checking.priced.lines
    : [];

const rateField = ({ charge, number }: PricedLine, checking: CheckingPriced): Pick<Finding, 'field' | 'row'> =>
  charge
    ? { field: 'charges.gstRate', row: chargeRow(checking, number - 1) }
    : { field: 'lines.gstRate', row: number - 1 };

/** Under reverse charge we work the tax out, not the supplier: its rate is the one in force. */
export const reverseChargeRate: PricedCheck = {
  code: 'reverseChargeRate',
  weight: 'problem',
  source:
    'CGST Act sections 9(3), 9(4), 13 and 14; IGST Act section 5(3); notifications 11/2017-CT(R) and 13/2017-CT(R)',
  find: (checking) => {
    const lines = linesPaidByUs(checking);
    const day = dayOf(checking);
    const others = lines.filter(({ charge, treatment }) => !charge && treatment === 'taxable');
    return lines.flatMap((line): Finding[] => {
      const { hsn, gstRate, charge, treatment } = line;
      const own = charge
        ? [...others.map((each) => each.gstRate), ...(serviceRatesOn(hsn, day) ?? [])]
        : ownRates(checking, line);
      if (treatment !== 'taxable' || own === undefined || (own as readonly number[]).includes(gstRate)) return [];
      const choices = [...new Set(own)].map((each) => percentText(percent(each))).join(', ');
      const message = say(
        'The recipient pays the tax at the rate in force: {{choices}} % on {{day}} (HSN/SAC {{hsn}})',
        {
          choices: choices || '0',
          day: dayInWords(day),
          hsn: hsn || '(none)',
        },
      );
      return [{ ...rateField(line, checking), ...message }];
    });
  },
};

/** Of a code that the tables do not know somebody says why it is not the residual rate. */
export const reverseChargeRateUnknown: PricedCheck = {
  code: 'reverseChargeRateUnknown',
  weight: 'reason',
  source: reverseChargeRate.source,
  find: (checking) =>
    linesPaidByUs(checking).flatMap((line): Finding[] => {
      if (line.charge || line.treatment !== 'taxable' || !line.service || line.gstRate === RESIDUAL) return [];
      if (ownRates(checking, line) !== undefined) return [];
      const message = say(
        'No table here knows the rate of HSN/SAC {{hsn}}, of which the recipient pays the tax: enter its code, 18 %, or say which ' +
          'notification has {{rate}} %',
        { hsn: line.hsn || '(none)', rate: percentText(line.gstRate) },
      );
      return [{ ...rateField(line, checking), ...message }];
    }),
};

/** What a supplier charged on a service is a rate of its code, or somebody says what the paper is for. */
export const rateOfService: PricedCheck = {
  code: 'rateOfService',
  weight: 'reason',
  source: 'CGST Act section 16(2)(a); notification 11/2017-CT(R): tax that is not due is no input tax',
  find: (checking) => {
    const day = dayOf(checking);
    if (!isSupplyToUs(checking) || checking.pricing.reverseCharge || !checking.priced.taxCharged) return [];
    return checking.priced.lines.flatMap(({ charge, hsn, gstRate, treatment, item }, row): Finding[] => {
      // what is bought as an item is compared with the item
      if (charge || treatment !== 'taxable' || item !== undefined) return [];
      const rates = serviceRatesOn(hsn, day);
      if (rates === undefined || gstRate === 0 || (rates as readonly number[]).includes(gstRate)) return [];
      const message = say(
        'SAC {{hsn}} bears {{choices}} % on {{day}}: correct the rate or the code, or say why the supplier charged {{rate}} %',
        {
          hsn,
          choices: rates.map((each) => percentText(each)).join(', '),
          day: dayInWords(day),
          rate: percentText(gstRate),
        },
      );
      return [{ field: 'lines.gstRate', row, ...message }];
    });
  },
};

/** Lines without tax of which the recipient would pay it: ticked, listed, or a service from abroad. */
function untaxedByUs(checking: CheckingPriced, isIn: (line: PricedLine) => boolean, message: Said): Finding[] {
  const { pricing, priced, draft, facts } = checking;
  const isAbroad = facts.party?.category === 'overseas';
  if (!isSupplyToUs(checking) || draft.withoutTax || !hasGst(facts.own.kind)) return [];
  // services to a SEZ unit for its authorised operations bear none (notification 18/2017-IT(R))
  if (isAbroad && facts.own.kind === 'sez') return [];
  const rows = reverseCharge.filter((row) => isInForce(row, dayOf(checking)));
  return priced.lines.flatMap((line): Finding[] => {
    if (line.charge || line.treatment === 'taxable' || !isIn(line)) return [];
    const isOurs = pricing.reverseCharge || (isAbroad ? line.service : rows.some((row) => isFor(row, checking, line)));
    return isOurs ? [{ field: 'lines.treatment', row: line.number - 1, ...message }] : [];
  });
}
const exemptionSource = 'CGST Act sections 9(3) and 11; IGST Act section 5(3); notification 12/2017-CT(R)';

export const reverseChargeExempt: PricedCheck = {
  code: 'reverseChargeExempt',
  weight: 'reason',
  source: exemptionSource,
  find: (checking) =>
    untaxedByUs(
      checking,
      ({ treatment }) => treatment !== 'nonGst',
      say(
        'The recipient pays the tax of this supply, unless it is exempt: choose taxable, or say which entry exempts it',
      ),
    ),
};

/** What is notified is under GST. */
export const reverseChargeNonGst: PricedCheck = {
  code: 'reverseChargeNonGst',
  weight: 'problem',
  source: exemptionSource,
  find: (checking) =>
    untaxedByUs(
      checking,
      ({ treatment }) => treatment === 'nonGst',
      say('The recipient pays the tax of this supply, which is under GST: choose taxable, or exempt'),
    ),
};

/** Tax of which no credit is taken, on lines that take it. */
export const creditBlockedByLaw: PricedCheck = {
  code: 'creditBlockedByLaw',
  weight: 'reason',
  source: 'CGST Act section 17(5)',
  find: (checking) => {
    if (!isSupplyToUs(checking)) return [];
    const rows = blockedCredit.filter((row) => isInForce(row, dayOf(checking)));
    return checking.priced.lines.flatMap((line, row): Finding[] => {
      if (line.creditBlocked || line.charge || line.cgst + line.sgst + line.igst + line.cess === 0) return [];
      const found = rows.find(({ hsn }) => isOf(line.hsn, hsn));
      // what is usual of the ledger may be of another clause
      const usual = line.ledger === undefined ? undefined : checking.facts.usualTax?.get(line.ledger);
      if (!found && usual?.creditBlocked && line.item === undefined)
        return [{ field: 'lines.creditBlocked', row, ...byLedger }];
      return found
        ? [
            {
              field: 'lines.creditBlocked',
              row,
              ...say(
                '{{what}} (HSN/SAC {{hsn}}): no input tax is credited (section {{clause}}). Choose Blocked under ITC, or say which ' +
                  'exception applies',
                { what: found.what, hsn: line.hsn, clause: found.clause },
              ),
            },
          ]
        : [];
    });
  },
};

const byLedger = say(
  'No input tax is credited of what is bought on this ledger (section 17(5)): choose Blocked under ITC, or say which exception ' +
    'applies',
);

/** Goods of notification 4/2017-CT(R) that the table leaves out, because their maker or seller makes the difference. */
const otherGoods = ['5004', '5005', '5006', '330124', '330125'];

/** Supplies of ours on which the recipient would pay the tax, though nothing known to us names their code. */
function notNotified(checking: CheckingPriced, services: boolean): Finding[] {
  const { kind, draft, pricing, facts } = checking;
  if (kind.gst.tax !== 'output' || !pricing.reverseCharge || kind.paper.form === 'note' || pricing.direction === 'none')
    return [];
  // an operator pays the tax of supplies made through it (section 9(5))
  if (isPricedFromSource(kind, draft) || draft.fields?.ecommerceGstin || !isRegular(facts.own.kind)) return [];
  const rows = reverseCharge.filter((row) => isInForce(row, draft.date));
  const lines = pricing.lines.filter(
    ({ charge, service, treatment, hsn, scrap }) =>
      !charge &&
      service === services &&
      treatment === 'taxable' &&
      !isOf(hsn, otherGoods) &&
      !rows.some((row) => isOf(hsn, row.hsn) && (!row.scrap || scrap)),
  );
  return [...new Set(lines.map(({ hsn }) => hsn))].map((hsn): Finding => {
    const message = services
      ? say('No notification puts SAC {{hsn}} under reverse charge (section 9(3)): the supplier pays its tax', { hsn })
      : say('No notification puts HSN {{hsn}} under reverse charge (section 9(3)): the supplier pays its tax', { hsn });
    return {
      field: 'reverseCharge',
      ...(services ? say('{{message}}, unless you say which one does', { message }) : message),
    };
  });
}

/** Goods are under reverse charge by their code. */
export const reverseChargeOfGoods: PricedCheck = {
  code: 'reverseChargeOfGoods',
  weight: 'problem',
  source: 'CGST Act section 9(3); notification 4/2017-CT(R)',
  find: (checking) => notNotified(checking, false),
};
/** Of some services only who supplies or receives them tells, and no code: somebody says which they are. */
export const reverseChargeOfServices: PricedCheck = {
  code: 'reverseChargeOfServices',
  weight: 'reason',
  source: 'CGST Act section 9(3); notification 13/2017-CT(R)',
  find: (checking) => notNotified(checking, true),
};

/** What a registered supplier left to us to pay the tax of, though nothing known to us names its code. */
function notNotifiedBought(checking: CheckingPriced, services: boolean): Finding[] {
  const { draft, pricing, facts } = checking;
  const { party } = facts;
  if (!isSupplyToUs(checking) || !pricing.reverseCharge || party?.category === 'overseas') return [];
  // what an unregistered supplier sells may be shortfall of a promoter (notification 7/2019-CT(R)), which no code tells
  if (!services && !party?.gstin) return [];
  const rows = reverseCharge.filter(
    (row) => isInForce(row, dayOf(checking)) && !(party?.gstin && row.supplier === 'unregistered'),
  );
  const isNotified = ({ hsn, scrap }: PricingLine): boolean =>
    rows.some((row) =>
      row.tdsSection === undefined
        ? isOf(hsn, row.hsn) && (!row.scrap || scrap)
        : services && draft.tdsSection === row.tdsSection,
    );
  const codes = pricing.lines
    .filter((line) => !line.charge && line.service === services && line.treatment === 'taxable' && !isNotified(line))
    .flatMap(({ hsn }) => (isOf(hsn, otherGoods) ? [] : [hsn]));
  return [...new Set(codes)].map((hsn): Finding => {
    const message = services
      ? say(
          'No notification puts SAC {{hsn}} under reverse charge (section 9(3)): the supplier pays its tax. Clear reverse charge, or ' +
            'say which notification does',
          { hsn: hsn || '(none)' },
        )
      : say(
          'No notification puts HSN {{hsn}} of a registered supplier under reverse charge (section 9(3)): the supplier pays its tax. ' +
            'Clear reverse charge, or give the reason stated on the supplier’s invoice',
          { hsn },
        );
    return { field: 'reverseCharge', ...message };
  });
}

/** The supplier's paper says whose tax it is: it is booked as it was written, by somebody who says why. */
export const reverseChargeOfGoodsBought: PricedCheck = {
  code: 'reverseChargeOfGoodsBought',
  weight: 'reason',
  source: 'CGST Act sections 9(3), 9(4) and 31(3)(f); notification 4/2017-CT(R)',
  find: (checking) => notNotifiedBought(checking, false),
};

/** Of some services only who supplies or receives them tells, and no code: somebody says which they are. */
export const reverseChargeOfServicesBought: PricedCheck = {
  code: 'reverseChargeOfServicesBought',
  weight: 'reason',
  source: 'CGST Act sections 9(3) and 9(4); notification 13/2017-CT(R)',
  find: (checking) => notNotifiedBought(checking, true),
};
