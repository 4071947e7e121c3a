import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

const loopback: readonly (string | undefined)[] = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];
/** What a proxy adds to a request that it passes on. Node gives the names of headers in lower case. */
const passedOn = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether a program of this machine asks by itself: not a proxy for somebody else, whichever proxies are trusted, and not a page
 * of another site. The connection counts, and no header can make it near.
 */
export function isNear({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  const isPassedOn = Object.keys(headers).some((name) => passedOn.test(name));
  return loopback.includes(raw.socket.remoteAddress) && !isPassedOn && isOwnSite(headers);
}

const isOwnSite = ({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean => {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (!/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host ?? '')) return false;
  return origin === undefined || origin === `http://${host}`;
};
