/** The clock is a port: only tests and the seeder set it. Milliseconds since 1970. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The moment as the database and people write it. */
export const instant = (ms: number): string => new Date(ms).toISOString();

/** The moment for libraries that want an object of it. */
export const moment = (clock: Clock): Date => new Date(clock.now());
