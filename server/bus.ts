import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** What changed in one process is heard in every other one on the same database. */
export interface Bus {
  tell(organisation: number): void;
  stop(): Promise<void>;
}

const CHANNEL = 'bahi_changed';
/** Changes of this many milliseconds are told in one breath, so that a burst of postings costs the database nothing. */
const GATHER = 200;
const AGAIN = 1000;

/**
 * Listens for what other processes have changed; `undefined` means that something may have been missed. Nothing is told
 * inside a posting: who notifies in a transaction waits for everybody else who does.
 */
export async function startBus(
  url: string,
  heard: (organisation: number | undefined) => void,
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
      if (from !== own) for (const organisation of list.split(',')) heard(Number(organisation));
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    line = client;
  };
  const plan = () => {
    retry = setTimeout(() => {
      connect().then(
        () => heard(undefined),
        (error: unknown) => {
          log('the line between processes cannot be opened', { error: String(error) });
          if (!ended) plan();
        },
      );
    }, AGAIN);
  };
  await connect();

  const waiting = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    timer = undefined;
    const list = [...waiting].join(',');
    waiting.clear();
    line
      ?.query('select pg_notify($1, $2)', [CHANNEL, `${own} ${list}`])
      .catch((error: unknown) => log('a change was not told', { error: String(error) }));
  };
  return {
    tell: (organisation) => {
      waiting.add(organisation);
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
