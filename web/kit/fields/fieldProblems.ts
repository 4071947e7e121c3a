import { useRef, useState } from 'react';
import { type Problem, problemsIn, Refused, withProblems } from '../server/api.ts';

/** What a form holds, by the fields that problems name: 'name', 'shipTo.state', or rows of a list, 'lines.rate' in row 3. */
export type Typed = Readonly<Record<string, unknown>>;
type Judge = (typed: Typed) => readonly Problem[];

const isRecord = (value: unknown): value is Typed => typeof value === 'object' && value !== null;

/** The value at a path whose parts may themselves stand under a name with dots. */
const valueAt = (typed: unknown, path: string): unknown => {
  if (!isRecord(typed) || path === '') return path === '' ? typed : undefined;
  if (Object.hasOwn(typed, path)) return typed[path];
  const dots = [...path].flatMap((letter, at) => (letter === '.' ? [at] : []));
  const cut = dots.find((at) => Object.hasOwn(typed, path.slice(0, at)));
  return cut === undefined ? undefined : valueAt(typed[path.slice(0, cut)], path.slice(cut + 1));
};

/** The list that a problem with a row is of, and the field of that row; rows without a list of their own are the lines. */
const listOf = (typed: Typed, field: string): readonly [list: readonly unknown[], field: string] => {
  const parts = field.split('.');
  for (let most = parts.length; most > 0; most -= 1) {
    const own = valueAt(typed, parts.slice(0, most).join('.'));
    if (Array.isArray(own)) return [own, parts.slice(most).join('.')];
  }
  return [Array.isArray(typed['lines']) ? typed['lines'] : [], field];
};

/** Where the row of before is now: by its key, else where it was as long as none is gone. */
const rowNow = (then: readonly unknown[], now: readonly unknown[], row: number): number => {
  const before = then[row];
  if (isRecord(before) && 'key' in before)
    return now.findIndex((each) => isRecord(each) && each['key'] === before['key']);
  return now.length < then.length ? -1 : row;
};

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a ?? '') === JSON.stringify(b ?? '');

/** A problem where it is now, and whether its field is as it was; undefined once its row is gone. */
const followed = (problem: Problem, then: Typed, now: Typed): readonly [Problem, kept: boolean] | undefined => {
  const { field, row } = problem;
  if (row === undefined) return [problem, same(valueAt(then, field), valueAt(now, field))];
  const [before, inRow] = listOf(then, field);
  const [after] = listOf(now, field);
  if (before.length === 0) return [problem, true];
  const at = rowNow(before, after, row);
  if (at < 0) return undefined;
  return [at === row ? problem : { ...problem, row: at }, same(valueAt(before[row], inRow), valueAt(after[at], inRow))];
};

/**
 * What is left of the problems that were shown when a form held `then`: one goes as soon as its field is another, moves with
 * its row and goes with it. Where a judge can say what is wrong now, it does, about the fields that had problems and no others.
 */
export const standing = (given: readonly Problem[], then: Typed, now: Typed, judge?: Judge): readonly Problem[] => {
  if (given.length === 0 || then === now) return given;
  const [before, after] = judge ? [judge(then), judge(now)] : [[], []];
  const at = (problems: readonly Problem[], { field, row }: Problem) =>
    problems.find((each) => each.field === field && each.row === row);
  return given.flatMap((problem) => {
    const found = followed(problem, then, now);
    if (!found) return [];
    const [here, kept] = found;
    const judged = at(after, here);
    if (judged) return [judged];
    return kept && !at(before, problem) ? [here] : [];
  });
};

/** A refusal with the problems that still stand; none once all of them are mended. */
export const stillRefused = (error: unknown, left: readonly Problem[]): unknown => {
  if (!(error instanceof Refused) || error.problems.length === 0) return error;
  return left.length === 0 ? null : withProblems(error, left);
};

/** The same for a form that keeps its problems by itself: those that are still shown, and a function to show others. */
export function useGivenProblems(
  typed: Typed,
): readonly [problems: readonly Problem[], tell: (found: readonly Problem[]) => void] {
  const [found, tell] = useState<readonly Problem[]>([]);
  return [useFieldProblems(null, typed, { found }).problems, tell];
}

/** The problems of a form as long as they stand: those of its own check, else those it was refused with. */
export function useFieldProblems(
  error: unknown,
  typed: Typed,
  { found = [], judge }: { readonly found?: readonly Problem[]; readonly judge?: Judge } = {},
): { readonly problems: readonly Problem[]; readonly error: unknown } {
  const given = found.length > 0 ? found : problemsIn(error);
  // what the form held when the problems came: an array of problems is made once for each try
  const seen = useRef({ given, held: typed });
  if (seen.current.given !== given) seen.current = { given, held: typed };
  const problems = standing(given, seen.current.held, typed, judge);
  return { problems, error: stillRefused(error, problems) };
}
