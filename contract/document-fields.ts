import { z } from 'zod';
import type { Field, Fields, Form, PlainValue, TextForm, Value, ValuesOf, WireOf } from '../domain/document/values.ts';
import {
  day,
  exchangeRate,
  id,
  money,
  numberText,
  percentage,
  quantity,
  required,
  stateCode,
  text,
  unitRate,
} from './wire.ts';

/** The schema of each value without settings. */
const plain: Readonly<Record<PlainValue, z.ZodType>> = {
  word: z.string(),
  day,
  state: stateCode,
  country: z.string().length(2),
  currency: z.string().length(3),
  currencyCode: z.string().regex(/^[A-Z]{3}$/),
  hsn: z.string().regex(/^(\d{4}|\d{6}|\d{8})?$/, 'An HSN has 4, 6 or 8 digits'),
  pincode: z.string().regex(/^[1-9]\d{5}$/, 'A PIN code has six digits'),
  warningCode: z.string().regex(/^[a-zA-Z]{1,40}$/, 'Name the code of a warning'),
  flag: z.boolean(),
  version: z.int(),
  lineNumber: z.int().positive(),
  lineOrWhole: z.int().nonnegative(),
  counter: z.int().min(1).max(99_999_999),
  money,
  quantity,
  rate: unitRate,
  exchangeRate,
  percent: percentage,
};

const textShape = ({ is, most, filled }: TextForm): z.ZodType<string, string> => {
  if (is === 'text') return filled === undefined ? text(most) : required(most, filled);
  const number = numberText(most);
  return filled === undefined ? number : number.refine((t) => t.length > 0, `${filled} is required`);
};

function formShape(value: Form): z.ZodType {
  switch (value.is) {
    case 'text':
    case 'number':
      return textShape(value);
    case 'id':
      return id;
    case 'choice':
      return z.enum(value.options);
    case 'record':
      return z.object(shapeOf(value.fields));
    case 'list': {
      const list = z.array(z.object(shapeOf(value.fields)));
      return value.most === undefined ? list : list.max(value.most, value.message);
    }
    case 'texts':
      return z.array(textShape(value.each));
    case 'namedTexts':
      return z.record(z.string(), text(value.most));
    case 'quantitiesByLine':
      return z.record(z.string().regex(/^[1-9]\d{0,3}$/), quantity);
    case 'internal':
      return z.never();
  }
}
const valueShape = (value: Value): z.ZodType => (typeof value === 'string' ? plain[value] : formShape(value));

/**
 * A field that may be left out is typed as one that is absent then, because JSON has no undefined. Programs within the product may
 * name it with undefined, which is read as well.
 */
function fieldShape({ value, required: always, default: otherwise }: Field): z.ZodType {
  const shape = valueShape(value);
  if (typeof otherwise === 'number') return shape.default(otherwise);
  if (otherwise !== undefined) return shape.prefault(otherwise);
  return always ? shape : shape.optional();
}

type SentNames<F> = { [N in keyof F]: F[N] extends { readonly server: true } ? never : N }[keyof F];
type Read<T> = z.ZodType<T, WireOf<T>>;
type ShapeOf<F extends Fields> = {
  [N in keyof F as N extends SentNames<F> ? N : never]: F[N] extends { readonly default: unknown }
    ? z.ZodDefault<Read<TypeAt<F, N>>>
    : F[N] extends { readonly required: true }
      ? Read<TypeAt<F, N>>
      : z.ZodExactOptional<Read<TypeAt<F, N>>>;
};
type TypeAt<F extends Fields, N extends keyof F> = N extends keyof ValuesOf<F> ? NonNullable<ValuesOf<F>[N]> : never;

/** The schema of each field that a call may send. */
export const shapeOf = <F extends Fields>(fields: F): ShapeOf<F> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.server ? [] : [[name, fieldShape(field)]])),
  ) as ShapeOf<F>;
