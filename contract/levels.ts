import type { Action } from './contract.ts';

/** The levels of a grant by name. The database and the API know their numbers; nothing else writes them out. */
export const levels = { none: 0, view: 5000, create: 5001, approve: 5002, full: 5003 } as const;
export type LevelName = keyof typeof levels;
export type Level = (typeof levels)[LevelName];
const { none, view, create, approve, full } = levels;

/** What the levels of a grant say, in words; the one place of them. */
export const levelWords: Readonly<Record<number, string>> = {
  [none]: 'None',
  [view]: 'View',
  [create]: 'Create and edit',
  [approve]: 'Approve',
  [full]: 'Full',
};

/**
 * Grants to create and to approve on one screen: what each of them opens. No role holds it; where one level is shown, it is that
 * of approving.
 */
export const CREATE_AND_APPROVE = 5012;

/** What a person holds on a screen, all grants together. */
export type Held = Level | typeof CREATE_AND_APPROVE;

/** What allows an action; `open` needs only a session. */
const allowing: Readonly<Record<Action, readonly Held[]>> = {
  open: [none, view, create, approve, CREATE_AND_APPROVE, full],
  read: [view, create, approve, CREATE_AND_APPROVE, full],
  view: [view, create, approve, CREATE_AND_APPROVE, full],
  write: [create, CREATE_AND_APPROVE, full],
  approve: [approve, CREATE_AND_APPROVE, full],
  settings: [create, CREATE_AND_APPROVE, full],
  full: [full],
};

/** Whether what is held on a screen allows an action. */
export const allows = (held: number | undefined, action: Action): boolean =>
  (allowing[action] as readonly number[]).includes(held ?? 0);

/** Levels of a grant that allow an action. */
export const levelsFor = (action: Action): readonly Level[] =>
  allowing[action].filter((held): held is Level => held !== CREATE_AND_APPROVE);

/** Two grants on one screen: what is allowed is what either of them allows. */
export const together = (one: Held, other: Held): Held => {
  const held: readonly Held[] = [one, other];
  if (held.includes(full)) return full;
  const creates = held.some((each) => allows(each, 'write'));
  const approves = held.some((each) => allows(each, 'approve'));
  if (creates && approves) return CREATE_AND_APPROVE;
  return creates ? create : approves ? approve : held.includes(view) ? view : none;
};

/** The one level that is shown of several that are held: the highest. */
export const shownLevel = (held: Held): Level => (held === CREATE_AND_APPROVE ? approve : held);

/** What is held, in words. */
export const heldWords = (held: number): string =>
  held === CREATE_AND_APPROVE ? `${levelWords[create]} and ${levelWords[approve]}` : (levelWords[held] ?? String(held));

/** Levels of screens that what is held on their parent opens; to approve alone does not open what is for creating. */
export const opened: Readonly<Record<number, readonly number[]>> = {
  [view]: [view],
  [create]: [view, create],
  [approve]: [view, approve],
  [CREATE_AND_APPROVE]: [view, create, approve],
  [full]: [view, create, approve, full],
};

/**
 * Whether who holds `own` may give `granted` to another, or take it away: nobody decides on what is closed to
 * themselves, and full opens screens that no other level does.
 */
export const mayGrant = (own: Held | undefined, granted: Held): boolean =>
  (granted !== full || own === full) &&
  Object.values(allowing).every((holds) => !holds.includes(granted) || holds.includes(own ?? 0));
