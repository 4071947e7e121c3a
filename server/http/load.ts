import type { Load } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';

/** So many at a time of an organisation; the others wait for their turn, in order, for so many milliseconds. */
interface Turns {
  readonly atOnce: number;
  readonly patience: number;
  /** So many at a time of all organisations together. */
  readonly inAll?: number;
  /** So many may wait: what waits holds what it was sent. */
  readonly line?: number;
}
/** So many at once, and so many more each second. */
interface Pace {
  readonly of: 'user' | 'organisation';
  readonly burst: number;
  readonly perSecond: number;
}
export type Limits = Readonly<Record<Load, Turns | Pace>>;

/**
 * What one organisation, or one of its users, may ask of a process at a time. Posting is not among them: the till and a day
 * of bills come first. The figures are far above what people do, and below what keeps others waiting.
 */
export const limits: Limits = {
  report: { atOnce: 5, patience: 10_000 },
  export: { atOnce: 1, patience: 10_000 },
  search: { of: 'user', burst: 200, perSecond: 20 },
  portal: { of: 'organisation', burst: 300, perSecond: 5 },
  file: { atOnce: 1, inAll: 2, line: 4, patience: 20_000 },
  // one process prints the papers of all organisations, one after the other
  paper: { atOnce: 4, patience: 20_000 },
};

/** Most that wait in one line: beyond that a wait would be in vain. */
const LINE = 100;
const MOST_REMEMBERED = 20_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets work through as `limits` say. Who is too many is refused with when to come again, and has used nothing up. */
export function pacer(allowed: Limits, now: () => number) {
  const lines = new Map<string, Line>();
  const buckets = new Map<string, { left: number; at: number }>();

  const takeTurn = async (name: string, { atOnce, patience, line: longest = LINE }: Turns): Promise<() => void> => {
    const line = lines.get(name) ?? { running: 0, waiting: [] };
    lines.set(name, line);
    const leave = () => {
      const next = line.waiting.shift();
      if (next) return next();
      line.running -= 1;
      if (line.running === 0) lines.delete(name);
    };
    if (line.running < atOnce) {
      line.running += 1;
      return leave;
    }
    if (line.waiting.length >= longest) throw new Refusal('tooManyAtOnce');
    await new Promise<void>((go, giveUp) => {
      const mine = () => {
        clearTimeout(timer);
        go();
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(mine), 1);
        giveUp(new Refusal('tooManyAtOnce'));
      }, patience);
      line.waiting.push(mine);
    });
    return leave;
  };

  const takeFrom = (name: string, { burst, perSecond }: Pace): void => {
    const known = buckets.get(name);
    const left = known ? Math.min(burst, known.left + ((now() - known.at) / 1000) * perSecond) : burst;
    if (left < 1) throw new Refusal('tooMany');
    // whom nobody asked for so long is full again
    if (buckets.size >= MOST_REMEMBERED) buckets.clear();
    buckets.set(name, { left: left - 1, at: now() });
  };

  return async <T>(
    load: Load | undefined,
    who: { readonly organisation: number; readonly user: string },
    work: () => Promise<T>,
  ): Promise<T> => {
    if (!load) return work();
    const limit = allowed[load];
    if ('burst' in limit) {
      takeFrom(`${load} ${who.organisation} ${limit.of === 'user' ? who.user : ''}`, limit);
      return work();
    }
    const leave = await takeTurn(`${load} ${who.organisation}`, limit);
    try {
      const { inAll } = limit;
      const leaveAll = inAll && (await takeTurn(load, { ...limit, atOnce: inAll, line: LINE }));
      try {
        return await work();
      } finally {
        if (leaveAll) leaveAll();
      }
    } finally {
      leave();
    }
  };
}
