import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

const loopback: readonly (string | undefined)[] = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
/** What a proxy adds to a request that it brings. */
const brought = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'] as const;

/** Whether a program of this machine asks by itself: not a proxy for somebody else, and not a page of another site. */
export function isNear({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  return loopback.includes(raw.socket.remoteAddress) && !brought.some((name) => headers[name]) && isOwnSite(headers);
}

const isOwnSite = ({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean => {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (!/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host ?? '')) return false;
  return origin === undefined || origin === `http://${host}`;
};
