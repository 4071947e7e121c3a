import type { Field, Master } from '../../../contract/masters.ts';
import type { Problem } from '../../kit/server/api.ts';
import { textOf, type Values } from './values.ts';

/** What a quick dialog asks of the first address: law wants these on a bill of ₹50,000 and more (rule 46). */
const parts = ['line1', 'city', 'pincode'] as const;

/** The master with the parts of one address as fields of its own, none required; others are as they are. */
export const withAddressFields = (master: Master): Master => {
  const columns = master.fields['addresses']?.columns;
  if (!columns) return master;
  const asked = parts.flatMap((part): [string, Field][] => {
    const { required: _, ...column } = columns[part] ?? { label: '' };
    return 'type' in column ? [[part, column]] : [];
  });
  return { ...master, fields: { ...master.fields, ...Object.fromEntries(asked) } };
};

export const isAddressPart = (key: string): boolean => (parts as readonly string[]).includes(key);

/** What is kept: the parts as the record's first address, in the record's own state. Nothing typed is no address. */
export const withAddress = ({ fields }: Master, { line1, city, pincode, ...values }: Values): Values => {
  const typed = { line1: textOf(line1), city: textOf(city), pincode: textOf(pincode) };
  if (!fields['addresses'] || Object.values(typed).every((text) => text === '')) return values;
  const { state = '', country = 'IN' } = values;
  return { ...values, addresses: [{ type: 'both', ...typed, state, country }] };
};

/** A problem of that address stands at its part. */
export const atPart = ({ row, ...problem }: Problem): Problem => {
  const [of, part = ''] = problem.field.split('.');
  return of === 'addresses' && isAddressPart(part)
    ? { ...problem, field: part }
    : { ...problem, ...(row !== undefined && { row }) };
};
