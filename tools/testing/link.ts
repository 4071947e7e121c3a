import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export type When = 'before it is sent' | 'before its answer' | 'after its answer';

/** A line to the database that can be watched, slowed, cut, and that does something at one step of what goes over it. */
export interface Link {
  /** The address of the database over this line. */
  readonly url: string;
  /** How many words go to the database while the work is done. */
  count(work: () => Promise<void>): Promise<number>;
  /** At the word of that place, from now on: does what was asked, and lets nothing more through. */
  at(step: number, when: When, act: () => void): void;
  /** Lets everything through again. */
  free(): void;
  /** Milliseconds that every answer takes longer. */
  slow(milliseconds: number): void;
  /** Takes every word and gives none back, as a firewall that has forgotten the connection. */
  swallow(on: boolean): void;
  /** Ends every connection at once. */
  cut(): void;
  close(): Promise<void>;
}

/** A line to the database of a test, over a socket of its own. */
export async function linkTo(databaseUrl: string): Promise<Link> {
  const address = new URL(databaseUrl.replace('postgresql:///', 'postgresql://local/'));
  const [host, port] = [address.searchParams.get('host') ?? '', address.searchParams.get('port') ?? '5432'];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-link-'));
  const name = `.s.PGSQL.${port}`;
  const open = new Set<net.Socket>();
  let words = -1;
  let armed: { readonly step: number; readonly when: When; readonly act: () => void } | undefined;
  let shut = false;
  let delay = 0;
  let swallowing = false;

  const asking = (word: Buffer): boolean => {
    // what ends a connection, and what only keeps it, is no step of the work
    if (words >= 0 && word[0] !== 0x58) words += 1;
    if (armed?.when !== 'before it is sent' || words - 1 !== armed.step) return !shut;
    shut = true;
    armed.act();
    return false;
  };
  const answering = (): boolean => {
    if (shut || !armed || words - 1 < armed.step || armed.when === 'before it is sent') return !shut;
    const { when, act } = armed;
    shut = true;
    if (when === 'before its answer') act();
    else setImmediate(act);
    return when === 'after its answer';
  };
  const line = net.createServer((client) => {
    const database = net.connect(path.join(host, name));
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (word) => asking(word) && !swallowing && database.write(word));
    database.on('data', (word) => {
      if (!answering() || swallowing) return;
      if (delay > 0) setTimeout(() => client.writable && client.write(word), delay);
      else client.write(word);
    });
  });
  await new Promise<void>((ready) => line.listen(path.join(folder, name), ready));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: databaseUrl.replace(encodeURIComponent(host), encodeURIComponent(folder)),
    count: async (work) => {
      words = 0;
      await work();
      const counted = words;
      words = -1;
      return counted;
    },
    at: (step, when, act) => {
      words = 0;
      armed = { step, when, act };
    },
    free: () => {
      [armed, shut, words] = [undefined, false, -1];
    },
    slow: (milliseconds) => {
      delay = milliseconds;
    },
    swallow: (on) => {
      swallowing = on;
    },
    cut,
    close: async () => {
      cut();
      await new Promise((closed) => line.close(closed));
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
