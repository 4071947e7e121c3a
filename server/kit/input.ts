import type { z } from 'zod';
import { sentenceOf, wording } from '../../contract/wording.ts';
import { say } from '../../domain/base/say.ts';
import type { Problem } from '../../domain/document/document.ts';
import { Problems } from './problems.ts';

/** A field as its form calls it; undefined: as it is called on the wire. */
type Naming = (path: readonly PropertyKey[]) => string | undefined;

/** Reads an input; errors are problems at their fields, in our own words. `name` says a field as its form does. */
export function readInput<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  name: Naming = () => undefined,
): { readonly data: z.output<S> } | { readonly problems: readonly Problem[] } {
  const parsed = schema.safeParse(raw, { error: wording });
  if (parsed.success) return { data: parsed.data };
  return {
    problems: parsed.error.issues.map(({ path, message }) => {
      const place = placeOf(path);
      const last = place.field.split('.').at(-1) || String(path.at(-1) ?? '');
      return { ...place, ...sentenceOf(message, name(path) ?? last) };
    }),
  };
}

/**
 * Reads what a handler was given in a shape of its own, like the values of a master; anything wrong or unknown is a
 * problem. `besides`: names that the caller looks at itself.
 */
export function mustRead<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  name?: Naming,
  besides?: readonly string[],
): z.output<S> {
  const read = readInput(schema, raw, name);
  const unknown = unknownProblems(schema, raw, besides);
  const problems = [...('problems' in read ? read.problems : []), ...unknown];
  if ('data' in read && problems.length === 0) return read.data;
  throw new Problems(problems);
}

type Path = readonly (string | number)[];
interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}
const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;
const isObject = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Paths of what a value holds that its schema does not know, at any depth. Where several shapes are right, the closest one counts. */
export function unknownIn(schema: z.ZodType, raw: unknown, besides: readonly string[] = []): readonly Path[] {
  const def = defOf(schema);
  const inside = (key: string | number, part: z.ZodType, value: unknown): readonly Path[] =>
    unknownIn(part, value).map((path) => [key, ...path]);
  if (def.shape && isObject(raw)) {
    const { shape } = def;
    return Object.entries(raw).flatMap(([key, value]) => {
      const part = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (part) return inside(key, part, value);
      return besides.includes(key) ? [] : [[key]];
    });
  }
  if (def.element && Array.isArray(raw))
    return raw.flatMap((value, row) => inside(row, def.element as z.ZodType, value));
  if (def.type === 'record' && def.valueType && isObject(raw))
    return Object.entries(raw).flatMap(([key, value]) => inside(key, def.valueType as z.ZodType, value));
  if (def.innerType) return unknownIn(def.innerType, raw, besides);
  if (def.options) {
    const right = def.options.filter((option) => option.safeParse(raw).success);
    const [least = []] = right.map((option) => unknownIn(option, raw)).sort((a, b) => a.length - b.length);
    return least;
  }
  // what is prepared before it is read has its shape behind the preparation
  const read = def.in && defOf(def.in).type === 'transform' ? def.out : def.in;
  return read ? unknownIn(read, raw, besides) : [];
}

/** Where a problem is shown: names joined, the list's row beside them. */
const placeOf = (path: readonly PropertyKey[]): Pick<Problem, 'field' | 'row'> => {
  const names = path.filter((p): p is string => typeof p === 'string').filter((p) => p !== 'document' && p !== 'draft');
  const row = path.find((p): p is number => typeof p === 'number');
  return { field: names.join('.'), ...(row !== undefined && { row }) };
};

/** A problem for each of them, at its field. */
export const unknownProblems = (schema: z.ZodType, raw: unknown, besides?: readonly string[]): readonly Problem[] =>
  unknownIn(schema, raw, besides).map((path) => ({
    ...placeOf(path),
    ...say('{{path}} is not known here: leave it out', { path: String(path.at(-1)) }),
  }));

/** What a call does not know is a problem, at any depth: ignored, it would be another question, or something that is not kept. */
export function refuseUnknown(schema: z.ZodType, raw: unknown, besides: readonly string[] = []): void {
  const unknown = unknownProblems(schema, raw, besides);
  if (unknown.length > 0) throw new Problems(unknown);
}
