import { say } from '../../base/say.ts';
import { adjustsAdvance, mayAdjust, usesAdvance } from '../../tax/advances.ts';
import { TO_MERCHANT_EXPORTER } from '../../tax/gst/rates/rates.ts';
import { isRegular } from '../../tax/gst/registration/registered.ts';
import { stateName } from '../../tax/gst/registration/states.ts';
import { isSez } from '../price.ts';
import type { SourceDocument } from '../sources.ts';
import type { Checking, Finding, TypedCheck } from './check.ts';

/** The documents that an adjustment of an advance with tax is set against, as far as they are known. */
const adjusted = ({ kind, draft, facts }: Checking): { readonly row: number; readonly due: SourceDocument }[] =>
  adjustsAdvance(kind) && (facts.advance?.rate ?? 0) > 0
    ? (draft.allocations ?? []).flatMap(({ document }, row) => {
        const due = facts.documents?.get(document);
        return due ? [{ row, due }] : [];
      })
    : [];

/** An advance with tax is set against invoices of the GSTIN that received it. */
export const advanceOfRegistration: TypedCheck = {
  code: 'advanceRegistration',
  weight: 'problem',
  source: 'CGST Act section 25(4); GSTR-1, table 11B: advances adjusted against the supplies of the same GSTIN',
  find: (checking) => {
    const { advance } = checking.facts;
    return adjusted(checking).flatMap(({ row, due }): Finding[] => {
      if (!advance || mayAdjust(advance, checking.draft.registration, due.registration)) return [];
      return [
        {
          field: 'allocations.amount',
          row,
          ...say(
            '{{due}} is of another GSTIN, and the tax of {{advance}} is not theirs (section 25(4)): give the advance back, or choose ' +
              'an invoice of this registration',
            { due: due.number, advance: advance.number },
          ),
        },
      ];
    });
  },
};

/**
 * An advance was taxed by the place of supply that was known then, and table 11 of GSTR-1 is by place and rate. An adjustment takes
 * the tax off under the head and place that the advance bore it under, also where the invoice goes elsewhere (IGST instead of
 * CGST and SGST): the invoice has its own tax, so books and return are right. But one of the two places may be wrong: somebody
 * says why they differ.
 */
export const advancePlace: TypedCheck = {
  code: 'advancePlace',
  weight: 'reason',
  source: 'CGST Act section 13(2); GSTR-1, tables 11A and 11B: by place of supply and rate',
  find: (checking) => {
    const { advance } = checking.facts;
    return adjusted(checking).flatMap(({ row, due: { number, placeOfSupply } }): Finding[] => {
      const place = advance?.placeOfSupply ?? null;
      if (!advance || place === null || placeOfSupply === null || place === placeOfSupply) return [];
      const [here, there] = [place, placeOfSupply].map((code) => stateName(code) ?? code);
      return [
        {
          field: 'allocations.amount',
          row,
          ...say(
            '{{advance}} was taxed for {{here}}, and {{number}} is supplied to {{there}}: if both are right, say why they differ',
            { advance: advance.number, here, number, there },
          ),
        },
      ];
    });
  },
};

/** An advance that bears tax, and is no use of one. */
const isTaxedAdvance = ({ kind, draft, facts }: Checking): boolean =>
  kind.gst.gstr1 === 'advance' && (draft.advanceRate ?? 0) > 0 && !facts.advance && isRegular(facts.own.kind);

/**
 * An export, and a supply to a SEZ, is zero rated: under a letter of undertaking its advance bears no tax, and stands in no table of
 * GSTR-1. With payment of tax it bears integrated tax: who chooses that says so.
 */
export const advanceZeroRated: TypedCheck = {
  code: 'advanceZeroRated',
  weight: 'reason',
  source: 'IGST Act section 16(3); CGST rule 96A; GSTR-1, table 11A',
  find: (checking) => {
    const { party } = checking.facts;
    if (!isTaxedAdvance(checking) || !party || !(party.category === 'overseas' || isSez(party.category))) return [];
    return [
      {
        field: 'advanceRate',
        ...say(
          'A supply to {{party}} is zero rated, and its advance bears no tax under a letter of undertaking: leave the rate empty, or say ' +
            'that the supply is with payment of tax',
          { party: party.name },
        ),
      },
    ];
  },
};

/** The rate of goods for a merchant exporter is of goods alone, and an advance for goods bears no tax. */
export const advanceToMerchantExporter: TypedCheck = {
  code: 'advanceToMerchantExporter',
  weight: 'reason',
  source: 'notifications 40/2017-CT(R), 41/2017-IT(R) and 66/2017-CT',
  find: (checking) =>
    isTaxedAdvance(checking) && checking.draft.advanceRate === TO_MERCHANT_EXPORTER
      ? [
          {
            field: 'advanceRate',
            ...say(
              '0.1 % is for goods that a merchant exporter exports within 90 days, and an advance for goods bears no tax (notification ' +
                '66/2017-CT): leave the rate empty, choose that of the service, or give the reason',
            ),
          },
        ]
      : [],
};

/** Money for services bears its tax when it comes, where that is before the invoice; for goods it does not. */
export const advanceOfServices: TypedCheck = {
  code: 'advanceOfServices',
  weight: 'problem',
  source: 'CGST Act section 13(2); for goods notification 66/2017-CT',
  find: ({ facts: { booked } }) =>
    booked?.servicesLater?.length
      ? [
          {
            field: 'allocations',
            ...say(
              '{{numbers}} is for services and in a later return than this money: the tax was due when the money came ' +
                '(section 13(2)). Enter it as an advance receipt',
              { numbers: booked.servicesLater.join(', ') },
            ),
          },
        ]
      : [],
};

/** An advance that was taxed, while its registration is one that charges no tax by now. */
const taxedBefore = ({ kind, facts: { advance, own } }: Checking): string | undefined =>
  usesAdvance(kind) && kind.gst.tax === 'output' && advance && advance.rate > 0 && !isRegular(own.kind)
    ? advance.number
    : undefined;

/** A bill of supply bears no tax that the tax of an advance could be set against. */
export const taxedAdvanceOnBill: TypedCheck = {
  code: 'taxedAdvanceOnBill',
  weight: 'problem',
  source: 'CGST Act sections 10(4) and 32(1); GSTR-1 table 11B, which is filed by regular taxpayers',
  find: (checking) => {
    const number = adjustsAdvance(checking.kind) ? taxedBefore(checking) : undefined;
    if (number === undefined) return [];
    const message = say(
      '{{number}} bears GST, and this registration charges none now: give it back by an advance refund, and take the money anew',
      { number },
    );
    return [{ field: 'against', ...message }];
  },
};

/** Its tax was paid with a return of a regular taxpayer, and no table of a return takes it back now. */
export const taxedAdvanceBack: TypedCheck = {
  code: 'taxedAdvanceBack',
  weight: 'warning',
  source: 'CGST Act section 54; Rules rule 89(1): refund of tax on an advance whose supply did not come about',
  find: (checking) => {
    const number = adjustsAdvance(checking.kind) ? undefined : taxedBefore(checking);
    if (number === undefined) return [];
    const message = say(
      'The GST of {{number}} was paid while this registration was regular: it stays in the ledger of output tax until you claim it by ' +
        'form RFD-01',
      { number },
    );
    return [{ field: 'against', ...message }];
  },
};
