import { type Said, say } from '../base/say.ts';
import { gstinForm, gstinProblem } from '../tax/gst/registration/gstin.ts';
import type { Draft, Problem } from './document.ts';
import { takesAdjustments } from './kinds/index.ts';
import type { Kind } from './kinds/kind.ts';

/** What an organisation has switched on in its general configuration, as far as documents are typed otherwise by it. */
export interface Switches {
  /** An invoice may have more lines than one. */
  readonly manyLines: boolean;
  /** Sales go through an e-commerce operator (sections 9(5) and 52). */
  readonly ecommerce: boolean;
  /** Documents have income-tax deducted at source. */
  readonly tds: boolean;
  /** Something may come on top of a document after tax, or off it. */
  readonly adjustments: boolean;
  /** Batches of goods that keep for a time only have a day of expiry, and some days left when they are sold. */
  readonly shelfLife: boolean;
}

type Found = readonly Problem[];
const none: Found = [];

/** Fields in which tax deducted at source is typed. */
export const tdsFields = ['tdsSection', 'tdsAmount', 'gstTdsAmount'] as const;

/** What a draft holds that the configuration leaves no room for, and what is wrong with what it does. */
export function switchProblems(kind: Kind, draft: Draft, switches: Switches | undefined): Found {
  const found = [
    // what was sold with it goes back with it, whatever is switched off meanwhile
    ...adjustmentProblems(kind, draft, switches?.adjustments !== false || kind.source.givesPrice === true),
    ...ecommerceProblems(kind, draft, switches?.ecommerce !== false || kind.fields.includes('against')),
  ];
  if (!switches) return found;
  if (!switches.manyLines && kind.lines.mayBeLimited && draft.lines.length > 1) found.push(...lineProblems(draft));
  if (!switches.tds)
    for (const field of tdsFields)
      if (draft[field]) found.push({ field, ...say('TDS is switched off in the configuration') });
  return found;
}

const lineProblems = ({ lines }: Draft): Found =>
  lines.slice(1).map((_, at) => ({
    field: 'lines.item',
    row: at + 1,
    ...say('An invoice has one line here, by the configuration: put this on another one'),
  }));

function adjustmentProblems(kind: Kind, { adjustments }: Draft, isOn: boolean): Found {
  if (!adjustments || adjustments.length === 0) return none;
  const at = (row: number, field: string, message: Said): Problem => ({
    field: `adjustments.${field}`,
    row,
    ...message,
  });
  if (!takesAdjustments(kind)) return none;
  if (!isOn)
    return adjustments.map((_, row) => at(row, 'name', say('Adjustments are switched off in the configuration')));
  return adjustments.flatMap(({ name, amount, ledger }, row) => [
    ...(name.trim() === '' ? [at(row, 'name', say('Say what this is'))] : []),
    ...(amount <= 0 ? [at(row, 'amount', say('Enter an amount greater than 0'))] : []),
    ...(ledger === undefined ? [at(row, 'ledger', say('Choose the ledger it goes to'))] : []),
  ]);
}

function ecommerceProblems(kind: Kind, { fields }: Draft, isOn: boolean): Found {
  const gstin = fields?.ecommerceGstin;
  if (!gstin || !kind.fields.includes('ecommerceGstin')) return none;
  const wrong = isOn ? ecommerceProblem(gstin) : say('E-commerce is switched off in the configuration');
  return wrong === undefined ? none : [{ field: 'ecommerceGstin', ...wrong }];
}

/** What is wrong with the GSTIN of an e-commerce operator: one that collects tax at source has a registration of its own for that. */
export const ecommerceProblem = (gstin: string): Said | undefined => {
  const form = gstinForm(gstin);
  if (form !== undefined && form !== 'taxCollector' && form !== 'taxpayer')
    return say('This is not the GSTIN of an e-commerce operator');
  return gstinProblem(gstin);
};
