import { z } from 'zod';
import { plainTextProblem } from '../domain/base/check-text.ts';
import { gstinProblem } from '../domain/tax/gst/registration/gstin.ts';
import type { Field } from './masters.ts';
import { day, flag, grantLevel, id, money, percentage, quantity, required, text, unitRate, whole } from './wire.ts';
import { asMessage } from './wording.ts';

const shapes: Readonly<Record<Field['type'], (field: Field) => z.ZodType>> = {
  text: (f) => (f.required ? required(f.most ?? 200, f.label) : text(f.most ?? 200)),
  notes: (f) => text(f.most ?? 2000),
  code: (f) =>
    z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z0-9][A-Z0-9_./-]*)?$/, 'A code holds letters, digits and _ . / -')
      .max(f.most ?? 32, `At most ${f.most ?? 32} characters`)
      .refine((t) => !f.required || t !== '', `${f.label} is required`),
  money: () => money,
  quantity: () => quantity,
  rate: () => unitRate,
  percent: () => percentage,
  flag: () => flag,
  day: () => day,
  whole: () => whole,
  choice: (f) =>
    z
      .string()
      .refine(
        (v) => (v === '' && !f.required) || (f.choices ?? []).some(([value]) => value === v),
        `${f.label} is one of the list`,
      ),
  pick: (f) => z.string().refine((v) => !f.required || v !== '', `${f.label} is required`),
  picks: (f) =>
    z
      .array(f.pick === 'subject' || f.pick === 'kind' ? z.string() : id)
      .refine((all) => !f.required || all.length > 0, `${f.label} is required`),
  gstin: () =>
    z
      .string()
      .trim()
      .toUpperCase()
      .superRefine((v, context) => {
        const problem = v === '' ? undefined : gstinProblem(v);
        if (problem) context.addIssue({ code: 'custom', message: asMessage(problem) });
      }),
  email: (f) =>
    z
      .union([z.literal(''), z.email('An e-mail address looks like name@example.com')])
      .refine((v) => !f.required || v !== '', `${f.label} is required`),
  state: (f) =>
    z
      .string()
      .regex(/^(\d{2})?$/, 'Choose a state')
      .refine((v) => !f.required || v !== '', `${f.label} is required`),
  rows: (f) =>
    z.array(shapeOf(f.columns ?? {})).max(f.most ?? 200, `At most ${(f.most ?? 200).toLocaleString('en-IN')} rows`),
  levels: () => z.record(z.string(), grantLevel),
};

type Fields = Readonly<Record<string, Field>>;
const made = new WeakMap<Fields, ReturnType<typeof makeShape>>();

/**
 * The check of a master's values, made from its fields: read-only ones are left out, empty text of optional ones is dropped. It
 * is made once for the same fields: an import asks for it at every row.
 */
export const shapeOf = (fields: Fields): ReturnType<typeof makeShape> => {
  const shape = made.get(fields) ?? makeShape(fields);
  made.set(fields, shape);
  return shape;
};

const makeShape = (fields: Fields) =>
  z.object(
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, f]) => !f.readOnly)
        .map(([key, field]) => {
          const plain = shapes[field.type](field);
          const shape = field.plain
            ? plain.superRefine((value, context) => {
                const problem = typeof value === 'string' ? plainTextProblem(value) : undefined;
                if (problem) context.addIssue({ code: 'custom', message: asMessage(problem) });
              })
            : plain;
          const keptEmpty = field.required
            ? shape
            : z.preprocess((v) => (v === '' || v === null ? undefined : v), shape.optional());
          return [key, keptEmpty];
        }),
    ),
  );
