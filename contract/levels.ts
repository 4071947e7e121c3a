import type { Action } from './contract.ts';

export type Level = 0 | 5000 | 5001 | 5002 | 5003;

/** What the levels of a grant say, in words; the one place of them. */
export const levelWords: Readonly<Record<number, string>> = {
  0: 'None',
  5000: 'View',
  5001: 'Create and edit',
  5002: 'Approve',
  5003: 'Full',
};

/** Grants of 5001 and of 5002 on one screen: what each of them opens. No role holds it; where one level is shown, it is 5002. */
export const CREATE_AND_APPROVE = 5012;

/** What a person holds on a screen, all grants together. */
export type Held = Level | typeof CREATE_AND_APPROVE;

/** What allows an action; `open` needs only a session. */
const allowing: Readonly<Record<Action, readonly Held[]>> = {
  open: [0, 5000, 5001, 5002, CREATE_AND_APPROVE, 5003],
  read: [5000, 5001, 5002, CREATE_AND_APPROVE, 5003],
  view: [5000, 5001, 5002, CREATE_AND_APPROVE, 5003],
  write: [5001, CREATE_AND_APPROVE, 5003],
  approve: [5002, CREATE_AND_APPROVE, 5003],
  settings: [5001, CREATE_AND_APPROVE, 5003],
  full: [5003],
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
  if (held.includes(5003)) return 5003;
  const creates = held.some((each) => allows(each, 'write'));
  const approves = held.some((each) => allows(each, 'approve'));
  if (creates && approves) return CREATE_AND_APPROVE;
  return creates ? 5001 : approves ? 5002 : held.includes(5000) ? 5000 : 0;
};

/** The one level that is shown of several that are held: the highest. */
export const shownLevel = (held: Held): Level => (held === CREATE_AND_APPROVE ? 5002 : held);

/** What is held, in words. */
export const heldWords = (held: number): string =>
  held === CREATE_AND_APPROVE ? `${levelWords[5001]} and ${levelWords[5002]}` : (levelWords[held] ?? String(held));

/**
 * Whether who holds `own` may give `granted` to another, or take it away: nobody decides on what is closed to
 * themselves, and full opens screens that no other level does.
 */
export const mayGrant = (own: Held | undefined, granted: Held): boolean =>
  (granted !== 5003 || own === 5003) &&
  Object.values(allowing).every((holds) => !holds.includes(granted) || holds.includes(own ?? 0));
