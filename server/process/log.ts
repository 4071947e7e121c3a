import pino from 'pino';
import type { LogLevel } from './settings.ts';

/** The log of a process. */
export interface Log {
  /** Something that went wrong on our side. */
  failed(message: string, details: object): void;
  /** One line a request: its route and outcome, never its address, body, cookies or who asked. */
  answered(line: Answered): void;
}

export interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Writes lines of JSON from the level upwards: requests are `info`, failures `error`. What goes wrong shows at the default. */
export function makeLog(
  level: LogLevel,
  destination: pino.DestinationStream = pino.destination({ dest: 2, sync: true }),
): Log {
  // a full disk for the log stops no posting: what must not be lost stands in the database
  if ('on' in destination) (destination as ReturnType<typeof pino.destination>).on('error', () => undefined);
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return {
    failed: (message, details) => logger.error(details, message),
    answered: (line) => logger.info(line, 'request'),
  };
}
