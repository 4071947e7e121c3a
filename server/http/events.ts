import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../contract/errors.ts';
import type { Sessions } from '../session/index.ts';
import { sendRefusal } from './handle.ts';

/** What is announced to open pages. */
export interface Change {
  /** There is something to read again. */
  readonly changed?: true;
  /** Also who one is and what one may do: rights, places, settings, what the operator says. */
  readonly session?: true;
  /** Somebody's sessions may have ended. */
  readonly ended?: true;
}

/** Open pages of each organisation; after a change by anybody they get a message to read again. */
export interface Hub {
  /** Undefined: every organisation. */
  publish(organisation: number | undefined, change: Change): void;
  mount(app: FastifyInstance, sessions: Sessions, cookie: string): void;
  /** Ends the line to every open page; each asks for a new one. */
  end(): void;
}

const HEARTBEAT = 25_000;
/** What is known of a session is held in the process for at most two seconds: a little later all of them know. */
const KNOWN = 2200;

interface Page {
  send(text: string): void;
  /** Whether its session still lives; ends the page's connection when it does not, after a message to ask again. */
  look(): Promise<boolean>;
  end(): void;
}

export function hub(): Hub {
  const open = new Map<number, Set<Page>>();
  const waiting = new Set<NodeJS.Timeout>();
  let count = 0;
  const say = (pages: readonly Page[], change: Change): void => {
    count += 1;
    for (const { send } of pages) send(`id: ${count}\ndata: ${JSON.stringify(change)}\n\n`);
  };
  const pagesOf = (organisation: number | undefined): readonly Page[] =>
    (organisation === undefined ? [...open.values()] : [open.get(organisation) ?? []]).flatMap((own) => [...own]);
  const end = () => {
    for (const timer of waiting) clearTimeout(timer);
    for (const page of pagesOf(undefined)) page.end();
  };
  return {
    publish: (organisation, { changed, session, ended }) => {
      if (changed) say(pagesOf(organisation), { changed });
      if (!session && !ended) return;
      const timer = setTimeout(async () => {
        waiting.delete(timer);
        const pages = pagesOf(organisation);
        const living = await Promise.all(pages.map((page) => page.look()));
        if (session)
          say(
            pages.filter((_, at) => living[at]),
            { session },
          );
      }, KNOWN);
      waiting.add(timer);
    },
    mount: (app, sessions, name) => {
      app.get('/api/events', async (request, reply) => {
        const cookie = request.cookies[name];
        const member = cookie ? await sessions.find(cookie) : undefined;
        if (!member) return sendRefusal(reply, new Refusal('sessionExpired'));
        reply.hijack();
        const { raw } = reply;
        raw.writeHead(200, {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          Connection: 'keep-alive',
        });
        raw.write(': open\n\n');
        const page: Page = {
          send: (text) => void (raw.writableEnded || raw.write(text)),
          look: async () => {
            const still = await sessions.find(cookie ?? '').catch(() => member);
            if (raw.writableEnded) return false;
            if (still) return true;
            say([page], { session: true });
            raw.end();
            return false;
          },
          end: () => void raw.end(),
        };
        const own = open.get(member.organisation) ?? new Set();
        open.set(member.organisation, own.add(page));
        // a session that has ended meanwhile gets nothing more
        const beat = setInterval(async () => {
          if (await page.look()) raw.write(': beat\n\n');
        }, HEARTBEAT);
        request.raw.on('close', () => {
          clearInterval(beat);
          own.delete(page);
        });
        return reply;
      });
      // open lines would keep the server from closing
      app.addHook('preClose', async () => end());
    },
    end,
  };
}
