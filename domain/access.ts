/** Levels of a grant: view, create and edit, middle, full. 0 stands on screens that everyone signed in may open. */
export type Level = 0 | 5000 | 5001 | 5002 | 5003;

/** The levels a grant opens. The middle level is no step above editing: it opens the middle and viewing only. */
export const opens: Readonly<Record<Level, readonly Level[]>> = {
  0: [0],
  5000: [0, 5000],
  5001: [0, 5000, 5001],
  5002: [0, 5000, 5002],
  5003: [0, 5000, 5001, 5002, 5003],
};

/** Whether a grant on a parent screen opens what needs a level; what needs none is open without a grant. */
export const mayOpen = (granted: Level | undefined, needed: Level): boolean => opens[granted ?? 0].includes(needed);

/** The highest of several grants on one screen, or undefined when there is none. */
export const highest = (levels: Iterable<Level>): Level | undefined => {
  let best: Level | undefined;
  for (const level of levels) if (best === undefined || level > best) best = level;
  return best;
};

/** One permission as it is kept: a level on the parent screen of that number. */
export interface GrantRow {
  readonly parent: number;
  readonly level: Level;
}

/** This parent grants nothing, whatever its level. */
const IGNORED_PARENT = 17;

/** What somebody holds on each parent screen. */
export function grantsOf(rows: readonly GrantRow[]): ReadonlyMap<number, Level> {
  const grants = new Map<number, Level>();
  for (const { parent, level } of rows)
    if (parent !== IGNORED_PARENT && level > (grants.get(parent) ?? 0)) grants.set(parent, level);
  return grants;
}

/** Whether who holds `own` may give `granted` to another: nobody opens for others what is closed to himself. */
export const mayGrant = (own: Level | undefined, granted: Level): boolean =>
  opens[granted].every((level) => mayOpen(own, level));
