import type { Context, DraftUse, Row } from '../context.ts';

type Asker = Pick<Context, 'user' | 'locations' | 'may'>;

/** Whether a row is at a place of the person: with no place named they may use all. */
export const isAtPlace = (
  { locations }: Pick<Context, 'locations'>,
  { location, toLocation }: Pick<Row, 'location' | 'toLocation'>,
): boolean =>
  location === undefined ||
  locations.length === 0 ||
  [location, toLocation].some((place) => typeof place === 'string' && locations.includes(place));

/** A draft is its author's; who may do everything with its kind at its location may also do this. */
export const mayKeep = (asker: Asker, draft: Row): boolean =>
  draft.author === asker.user ||
  (asker.may('write', draft.kind) && asker.may('approve', draft.kind) && isAtPlace(asker, draft));

/** A draft that waits for approval is open to its author, and to who approves its kind at its place. */
export const mayDecide = (asker: Asker, draft: Row): boolean =>
  draft.author === asker.user || (asker.may('approve', draft.kind) && isAtPlace(asker, draft));

const isSubmitted = ({ draft }: Row): boolean => draft === 'submitted';
const isAuthor = (asker: Asker, draft: Row): boolean => draft.author === asker.user;

/** To whom a draft is open, by what it is wanted for. */
export const draftIsOpen: Readonly<Record<DraftUse, (asker: Asker, draft: Row) => boolean>> = {
  edit: isAuthor,
  read: (asker, draft) => (isSubmitted(draft) ? mayDecide : isAuthor)(asker, draft),
  decide: mayDecide,
  delete: mayKeep,
  post: (asker, draft) => (isSubmitted(draft) ? mayDecide : mayKeep)(asker, draft),
};
