import { isKind, kindLabel } from '../../../domain/document/kinds/index.ts';
import { t } from '../../kit/text.ts';
import type { Fields } from './values.ts';
import { initialValues, textOf, type Values } from './values.ts';

export type Names = Readonly<Record<string, string>>;
type Picked = Readonly<Record<string, readonly string[]>>;

/** What the address names of the fields that take several kinds of document. */
export const pickedIn = (fields: Fields, address: Names): Picked =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type, pick }]) => {
      const named = type === 'picks' && pick === 'kind' ? (address[name] ?? '').split(',').filter(isKind) : [];
      return named.length > 0 ? [[name, named]] : [];
    }),
  );
export const kindNamesIn = (picked: Picked): Names =>
  Object.fromEntries(
    Object.entries(picked).flatMap(([name, kinds]) => kinds.map((kind) => [`${name}.${kind}`, t(kindLabel(kind))])),
  );

/** What a new record begins with that depends on us. */
const usualHere = (fields: Fields, state: string | undefined): Values =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, { usual }]) => (usual && state ? [[key, state]] : [])));

/** What a new record begins with, in an organisation of a state. */
export const blankValues = (fields: Fields, state: string | undefined, picked: Picked): Values => ({
  ...initialValues(fields),
  ...usualHere(fields, state),
  ...picked,
});

/**
 * Which of the usual values of a category a form takes: those of fields that are empty, that hold what the category
 * before gave, or that a new record still has as it began.
 */
export const takenFromCategory = (
  fields: Fields,
  usual: Values,
  { values, given, isNew }: { readonly values: Values; readonly given: Values; readonly isNew: boolean },
): Values => {
  const first = initialValues(fields);
  const isFree = (field: string) =>
    textOf(values[field]) === '' || values[field] === given[field] || (isNew && values[field] === first[field]);
  return Object.fromEntries(Object.entries(usual).filter(([field]) => fields[field] && isFree(field)));
};
