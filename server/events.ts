import type { FastifyInstance } from 'fastify';
import { Refusal } from '../contract/errors.ts';
import { sendRefusal } from './handle.ts';
import type { Sessions } from './session/index.ts';

/** Open pages of each organisation; after a change by anybody they hear that there is something to read again. */
export interface Hub {
  /** Undefined: every organisation, because something may have been missed. */
  publish(organisation: number | undefined): void;
  mount(app: FastifyInstance, sessions: Sessions, cookie: string): void;
}

const HEARTBEAT = 25_000;

export function hub(): Hub {
  const open = new Map<number, Set<(text: string) => void>>();
  let count = 0;
  return {
    publish: (organisation) => {
      count += 1;
      const pages = organisation === undefined ? [...open.values()] : [open.get(organisation) ?? []];
      for (const send of pages.flatMap((own) => [...own])) send(`id: ${count}\ndata: {"changed":true}\n\n`);
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
        const send = (text: string) => void raw.write(text);
        const own = open.get(member.organisation) ?? new Set();
        open.set(member.organisation, own.add(send));
        // a session that has ended meanwhile hears nothing more
        const beat = setInterval(async () => {
          const still = await sessions.find(cookie ?? '').catch(() => member);
          if (still) send(': beat\n\n');
          else raw.end();
        }, HEARTBEAT);
        request.raw.on('close', () => {
          clearInterval(beat);
          own.delete(send);
        });
        return reply;
      });
      app.addHook('preClose', async () => {
        // open streams would keep the server from closing
        app.server.closeAllConnections();
      });
    },
  };
}
