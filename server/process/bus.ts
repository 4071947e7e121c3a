import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Change } from '../http/events.ts';

/** A change in one process is announced to every other one on the same database. */
export interface Bus {
  /** Undefined: every organisation. */
  tell(organisation: number | undefined, change: Change): void;
  stop(): Promise<void>;
}

const CHANNEL = 'bahi_changed';
/** Changes of this many milliseconds are announced together, so that a burst of postings costs the database nothing. */
const GATHER = 200;
const AGAIN = 1000;

const marks = { changed: 'c', session: 's', ended: 'e' } as const;
const names = Object.keys(marks) as (keyof typeof marks)[];
/** "12cs": something changed for organisation 12, and who is who there; "*s": for all of them. */
const spell = (organisation: number | undefined, change: Change): string =>
  `${organisation ?? '*'}${names
    .filter((name) => change[name])
    .map((name) => marks[name])
    .join('')}`;
const spelled = (list: string): readonly (readonly [number | undefined, Change])[] =>
  [...list.matchAll(/(\d+|\*)([a-z]*)/g)].map(([, organisation, letters = '']) => [
    organisation === '*' ? undefined : Number(organisation),
    Object.fromEntries(names.filter((name) => letters.includes(marks[name])).map((name) => [name, true])),
  ]);

/**
 * Listens for what other processes have changed; `undefined` means that something may have been missed. Nothing is announced
 * inside a posting: who notifies in a transaction waits for everybody else who does.
 */
export async function startBus(
  url: string,
  heard: (organisation: number | undefined, change: Change) => void,
  log: (message: string, details: object) => void,
): Promise<Bus> {
  const own = randomBytes(6).toString('hex');
  let ended = false;
  let line: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    const lost = (error: unknown) => {
      if (ended || line !== client) return;
      line = undefined;
      log('the line between processes broke', { error: String(error) });
      plan();
    };
    client.on('error', lost);
    client.on('end', () => lost('ended'));
    client.on('notification', ({ payload = '' }) => {
      const [from, list = ''] = payload.split(' ');
      if (from !== own) for (const [organisation, change] of spelled(list)) heard(organisation, change);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    line = client;
  };
  const plan = () => {
    retry = setTimeout(() => {
      connect().then(
        () => heard(undefined, { changed: true, session: true }),
        (error: unknown) => {
          log('the line between processes cannot be opened', { error: String(error) });
          if (!ended) plan();
        },
      );
    }, AGAIN);
  };
  await connect();

  const waiting = new Map<number | undefined, Change>();
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    timer = undefined;
    const list = [...waiting].map(([organisation, change]) => spell(organisation, change)).join(',');
    waiting.clear();
    line
      ?.query('select pg_notify($1, $2)', [CHANNEL, `${own} ${list}`])
      .catch((error: unknown) => log('a change was not announced', { error: String(error) }));
  };
  return {
    tell: (organisation, change) => {
      waiting.set(organisation, { ...waiting.get(organisation), ...change });
      timer ??= setTimeout(send, GATHER);
    },
    stop: async () => {
      ended = true;
      clearTimeout(timer);
      clearTimeout(retry);
      await line?.end();
    },
  };
}
