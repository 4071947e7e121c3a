import type { Field } from '../../contract/masters.ts';
import { type Said, say } from '../../domain/base/say.ts';
import {
  notOne,
  notThere,
  type Reference,
  type Resolve,
  type RowProblem,
  referencesIn,
} from '../../domain/imports/record.ts';
import type { SheetColumn } from '../../domain/imports/sheet.ts';
import type { Context } from '../context.ts';
import { referencesFound, type Trx } from '../masters/index.ts';
import type { GivenRow } from './writer.ts';

export type Fields = Readonly<Record<string, Field>>;

export const ofWhole = (said: Said): RowProblem => ({ target: null, ...said });

/** A problem at the cell of its field; where the file has no column for it, with the row, by the field's name. */
export function problemAt(
  fields: Fields,
  target: string | null,
  targets: readonly (string | null)[],
  { field, ...said }: { readonly field: string } & Partial<Said> & { readonly message: string },
): RowProblem {
  const text = said.text ?? { key: said.message, values: {} };
  if (target !== null && targets.includes(target)) return { target, message: said.message, text };
  const [first = '', column = ''] = field.split('.');
  const label = fields[first]?.columns?.[column]?.label ?? fields[first]?.label ?? '';
  const problem: Said = { message: said.message, text };
  return ofWhole(
    label === '' || said.message.startsWith(label) ? problem : say('{{label}}: {{problem}}', { label, problem }),
  );
}

/** Finds what cells name, for all these rows with one question for each master. */
export async function resolver(
  trx: Trx,
  context: Context,
  fields: Fields,
  columns: readonly (SheetColumn | undefined)[],
  given: readonly GivenRow[],
): Promise<Resolve> {
  const texts = new Map<string, string[]>();
  for (const { pick, text } of given.flatMap(({ cells }) => referencesIn(columns, cells)))
    texts.set(pick, [...(texts.get(pick) ?? []), text]);
  const found = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const [pick, all] of texts) found.set(pick, await referencesFound(trx, context, pick, all));
  const labelOf = (pick: string): string =>
    (
      Object.values(fields)
        .flatMap((field) => [field, ...Object.values(field.columns ?? {})])
        .find((field) => field.pick === pick)?.label ?? pick
    ).toLowerCase();
  return ({ pick, text }: Reference) => {
    const [id, ...others] = found.get(pick)?.get(text.toLowerCase()) ?? [];
    if (id === undefined) return { problem: notThere(text, labelOf(pick)) };
    return others.length > 0 ? { problem: notOne(text, labelOf(pick)) } : { value: id };
  };
}
