import { dayIn } from '../kit/format.ts';

const KEPT = 'bahi.till.clock';
/** Said from here on: a quarter of an hour between the device and the server. */
const FAR = 15 * 60_000;

interface Clock {
  /** By so much the server is ahead of the device. */
  readonly ahead: number;
  /** The latest moment that was given: a clock that is set back does not bring an earlier one. */
  readonly last: number;
}

// where there is no browser the device is right
const store = typeof localStorage === 'undefined' ? undefined : localStorage;
const read = (): Clock => {
  const kept = JSON.parse(store?.getItem(KEPT) ?? 'null') as Partial<Clock> | null;
  return { ahead: Number(kept?.ahead) || 0, last: Number(kept?.last) || 0 };
};
const keep = (clock: Clock): void => store?.setItem(KEPT, JSON.stringify(clock));

/** The server has sent its time: what the device shows wrongly is taken off from now on, without the network too. */
export const heardTime = (now: string): void => {
  const server = Date.parse(now);
  keep({ ahead: server - Date.now(), last: Math.min(read().last, server) });
};

/** The time at the till: the device's, put right by what the server said last, and never before a time given already. */
export const tillMoment = (): Date => {
  const { ahead, last } = read();
  return new Date(Math.max(Date.now() + ahead, last));
};

/** The same, and remembered: a bill is never dated before the one before it. */
export const nextMoment = (): string => {
  const moment = tillMoment();
  keep({ ...read(), last: moment.getTime() });
  return moment.toISOString();
};

export const tillDay = (): string => dayIn(tillMoment());

/** By how many minutes the device's clock is wrong, when it is by much. */
export const wrongBy = (): number | null => {
  const { ahead } = read();
  return Math.abs(ahead) > FAR ? Math.round(Math.abs(ahead) / 60_000) : null;
};
