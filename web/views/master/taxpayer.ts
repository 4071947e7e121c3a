import type { z } from 'zod';
import type { Field, TaxpayerFact } from '../../../contract/masters.ts';
import type { partyCalls } from '../../../contract/parties.ts';
import { stateName } from '../../../domain/tax/gst/registration/states.ts';
import { t } from '../../kit/text.ts';
import { type Fields, textOf, type Values } from './values.ts';

export type Taxpayer = z.output<(typeof partyCalls)['GetTaxpayer']['details']>;

/** A field in which the form and the portal differ. `adds`: the portal's comes besides what is there. */
export interface Differing {
  readonly field: string;
  readonly label: string;
  readonly mine: string;
  readonly theirs: string;
  readonly value: unknown;
  /** What is there is only what a new form begins with. */
  readonly untouched: boolean;
  readonly adds: boolean;
  readonly before: unknown;
}

const addressOf = ({ address, gstin }: Taxpayer): Values => ({ type: 'both', ...address, gstin });
const facts: Readonly<Record<TaxpayerFact, (taxpayer: Taxpayer) => unknown>> = {
  legalName: (t) => t.legalName,
  tradeName: (t) => t.tradeName,
  state: (t) => t.state,
  pan: (t) => t.pan,
  category: (t) => t.category,
  kind: (t) => t.kind,
  addresses: (t) => (t.address.line1 === '' ? '' : [addressOf(t)]),
  line1: (t) => t.address.line1,
  line2: (t) => t.address.line2,
  city: (t) => t.address.city,
  pincode: (t) => t.address.pincode,
};

const rowsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? (value as readonly Values[]) : []);
const samePlace = (a: Values, b: Values): boolean =>
  ['line1', 'pincode'].every((key) => textOf(a[key]).toLowerCase() === textOf(b[key]).toLowerCase());

const wordsOf = (field: Field, value: unknown): string => {
  if (field.type === 'rows')
    return rowsOf(value)
      .map((row) =>
        ['line1', 'line2', 'city', 'pincode']
          .map((key) => textOf(row[key]))
          .filter(Boolean)
          .join(', '),
      )
      .join('; ');
  if (field.type === 'state') return stateName(textOf(value)) ?? textOf(value);
  return field.choices?.find(([code]) => code === value)?.[1] ?? textOf(value);
};

/** What a new form begins with, or what the form put there because a GSTIN was typed. */
const isProposed = ({ initial, byGstin }: Field, value: unknown): boolean =>
  value === initial || (byGstin?.some((each) => each === value) ?? false);

/** What the portal tells against what the form holds: empty fields are filled, in filled ones the person chooses. */
export function compare(
  fields: Fields,
  fills: Readonly<Record<string, TaxpayerFact>>,
  values: Values,
  taxpayer: Taxpayer,
): { readonly filled: Values; readonly differing: readonly Differing[] } {
  const filled: Record<string, unknown> = {};
  const differing: Differing[] = [];
  for (const [name, fact] of Object.entries(fills)) {
    const field = fields[name];
    const value = facts[fact](taxpayer);
    if (!field || value === '') continue;
    const before = values[name];
    const common = {
      field: name,
      label: t(field.label),
      before,
      mine: wordsOf(field, before),
      theirs: wordsOf(field, value),
    };
    if (field.type === 'rows') {
      const [own, theirs] = [rowsOf(before), rowsOf(value)];
      const added = theirs.filter((row) => !own.some((each) => samePlace(each, row)));
      if (own.length === 0) filled[name] = theirs;
      else if (added.length > 0) differing.push({ ...common, value: [...own, ...added], untouched: false, adds: true });
    } else if (textOf(before) === '') filled[name] = value;
    else if (textOf(before).toLowerCase() !== textOf(value).toLowerCase())
      differing.push({ ...common, value, untouched: isProposed(field, before), adds: false });
  }
  return { filled, differing };
}
