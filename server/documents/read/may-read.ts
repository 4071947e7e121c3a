import { type RawBuilder, sql } from 'kysely';
import type { Id } from '../../../domain/document/document.ts';
import { kindCalled, kindLabel, kindNames } from '../../../domain/document/kinds/index.ts';
import type { Context } from '../../context.ts';
import type { Nameable } from '../posting/types.ts';

/** Whether the user may use a location; a user without locations may use all. */
export const isHere = ({ locations }: Pick<Context, 'locations'>, location: Id): boolean =>
  locations.length === 0 || locations.includes(location);

/** Whether the user may open this document: its place, its kind, and whose it is. */
export const mayOpen = (
  context: Pick<Context, 'may' | 'locations' | 'sees' | 'user'>,
  { kind, location, author }: { readonly kind: string; readonly location: Id; readonly author: Id },
): boolean =>
  isHere(context, location) &&
  (author === context.user || (context.sees({ kind }) === 'all' && mayRead(context, kind)));

/** Whether the user may read documents of a kind, for what is shown beside another document. */
export const mayRead = (context: Pick<Context, 'may'>, kind: string): boolean => context.may('view', kind);

/** A document that a message names: its number is shown only to those who may see it. */
export interface Named extends Nameable {
  readonly number: string;
}

/** The number of a document in a message to a user; what they may not see is named by no more than where it is. */
export const numberFor = (seer: Seer, document: Named): string => numberIf(nameable(seer)(document), seer, document);

/** The same with what kind of document it is, for refusals that say which document stands in the way. */
export const documentFor = (seer: Seer, document: Named): string =>
  nameable(seer)(document) ? `${kindLabel(document.kind)} ${document.number}` : numberFor(seer, document);

/** The same where it is known already whether the user may name it. */
export const numberIf = (may: boolean, at: Pick<Seer, 'locations'>, { number, location }: Named): string =>
  may ? number : isHere(at, location) ? 'another document' : 'a document of another location';

/** Who asks for documents: a call with its rights, or a job, which may see what its locations show. */
export type Seer = Pick<Context, 'organisation' | 'locations'> & Partial<Pick<Context, 'may' | 'sees' | 'user'>>;

/** Whether the user may name documents of a kind, whoever made them. */
const namesKind = ({ may, sees }: Pick<Seer, 'may' | 'sees'>, kind: string): boolean =>
  !may || !sees || (sees({ kind }) === 'all' && may('view', kind));

/** What is sent is seen at both ends. */
const isSent = (kind: string): boolean => kindCalled(kind)?.life.cycle === 'sent';

/** Tells of a document whether its user may name it in another: as a source, an order, something to settle. */
export const nameable =
  (seer: Seer) =>
  ({ kind, location, toLocation, author }: Nameable): boolean => {
    const arrives = isSent(kind) && toLocation ? isHere(seer, toLocation) : false;
    return (arrives || isHere(seer, location)) && (author === seer.user || namesKind(seer, kind));
  };

/** The same as a condition on documents, for statements that look for them; the row of `documents` is called `d`. */
export function nameableRows(seer: Seer): RawBuilder<boolean> {
  const { locations, user } = seer;
  const places = sql`${[...locations]}::uuid[]`;
  const sent = sql`(d.kind = any(${kindNames.filter(isSent)}::text[]) and d.to_location = any(${places}))`;
  const here = locations.length === 0 ? sql`true` : sql`(d.location = any(${places}) or ${sent})`;
  const kinds = kindNames.filter((kind) => namesKind(seer, kind));
  return sql`(${here} and (d.author = ${user ?? null}::uuid or d.kind = any(${kinds}::text[])))`;
}
