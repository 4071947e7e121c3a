import { Refusal } from '../../contract/errors.ts';
import type { Id } from '../../domain/document.ts';
import type { Context } from '../context.ts';

/** Whether a location is one the user may use; with none named he may use all. */
export const isHere = ({ locations }: Pick<Context, 'locations'>, location: Id): boolean =>
  locations.length === 0 || locations.includes(location);

/** Whether the user may open this document: its place, its kind, and whose it is. */
export const mayOpen = (
  context: Pick<Context, 'allow' | 'locations' | 'sees' | 'user'>,
  { kind, location, author }: { readonly kind: string; readonly location: Id; readonly author: Id },
): boolean =>
  isHere(context, location) &&
  (author === context.user || (context.sees({ kind }) === 'all' && mayRead(context, kind)));

/** Whether the user may read documents of a kind, for what is shown beside another document. */
export const mayRead = (context: Pick<Context, 'allow'>, kind: string): boolean => {
  try {
    context.allow('view', kind);
    return true;
  } catch (refusal) {
    if (refusal instanceof Refusal) return false;
    throw refusal;
  }
};
