import { Refusal } from '../../contract/errors.ts';
import type { Id } from '../../domain/document.ts';
import { kindCalled } from '../../domain/kinds/index.ts';
import type { Context } from '../context.ts';
import type { Nameable } from './types.ts';

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

/** Who asks for documents: a call with its rights, or a job, which may see what its locations show. */
export type Seer = Pick<Context, 'organisation' | 'locations'> & Partial<Pick<Context, 'allow' | 'sees' | 'user'>>;

/** Tells of a document whether its user may name it in another: as a source, an order, something to settle. What is sent is seen at both ends. */
export const nameable =
  ({ locations, allow, sees, user }: Seer) =>
  ({ kind, location, toLocation, author }: Nameable): boolean => {
    const arrives = kindCalled(kind)?.life === 'sent' && toLocation ? isHere({ locations }, toLocation) : false;
    if (!arrives && !isHere({ locations }, location)) return false;
    if (!allow || !sees) return true;
    return author === user || (sees({ kind }) === 'all' && mayRead({ allow }, kind));
  };
