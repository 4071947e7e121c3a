import { type Said, say } from '../base/say.ts';
import type { Draft, Problem } from './document.ts';
import { furtherFields, type HeldField, headFields, holds, lineFields } from './fields.ts';
import type { Kind } from './kinds/kind.ts';

/*
 * What a document of a kind may hold. What its kind has no use for is a problem when it is posted: it would be obeyed where nobody
 * expects it, or ignored without a word.
 */

/** Whether something is said: an empty text, nothing, no, and a list or record of such say nothing. */
function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.values(value).some(isSaid);
}

type Given = Readonly<Record<string, unknown>>;
type Table = Readonly<Record<string, HeldField>>;
const rowOf = (table: Table, name: string): HeldField | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
/** The names of values that are said and that the kind does not have. A name without a row is not judged. */
const unheld = (table: Table, given: Given, kind: Kind, draft: Draft): string[] =>
  Object.keys(given).filter((name) => {
    const field = rowOf(table, name);
    return isSaid(given[name]) && field !== undefined && !holds(field, kind, draft);
  });
/** Of the further fields one without a row is held by no kind. */
const unheldFurther = (kind: Kind, draft: Draft): string[] =>
  Object.entries(draft.fields ?? {}).flatMap(([name, value]) => {
    const field = rowOf(furtherFields, name);
    return isSaid(value) && !(field && holds(field, kind, draft)) ? [name] : [];
  });

/** What a draft holds and its kind does not have, each at its field. */
export function heldProblems(kind: Kind, draft: Draft): Problem[] {
  const leaveOut = (table: Table, name: string): Said => {
    const { called } = rowOf(table, name) ?? {};
    return called === undefined
      ? say('{{kind}} has no field called “{{name}}”: leave it out', { kind: kind.label, name })
      : say('{{kind}} has no {{called}}: leave it out', { kind: kind.label, called });
  };
  const problems: Problem[] = [
    ...unheld(headFields, { ...draft }, kind, draft).map((field) => ({ field, ...leaveOut(headFields, field) })),
    ...unheldFurther(kind, draft).map((field) => ({ field, ...leaveOut(furtherFields, field) })),
  ];
  if (kind.lines.of === 'none') return problems;
  for (const [row, line] of draft.lines.entries())
    for (const name of unheld(lineFields, { ...line }, kind, draft))
      problems.push({ field: `lines.${name}`, row, ...leaveOut(lineFields, name) });
  return problems;
}

const without = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/**
 * A draft, in whole numbers or as it goes over the wire, without what its kind does not have: what is continued as another kind,
 * copied, or kept from before leaves that behind.
 */
export function heldOf<D extends object>(kind: Kind, given: D): D {
  // the rules of the fields read ids and what is there, which are the same on the wire
  const draft = given as unknown as Draft;
  const kept = without(given as Given, unheld(headFields, given as Given, kind, draft));
  const fields = draft.fields && without(draft.fields, unheldFurther(kind, draft));
  const own = draft.lines?.map((line) => without({ ...line }, unheld(lineFields, { ...line }, kind, draft)));
  return {
    ...kept,
    ...(fields && 'fields' in kept && { fields }),
    ...(draft.lines && { lines: kind.lines.of === 'none' ? [] : own }),
  } as D;
}
