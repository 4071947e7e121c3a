import { lookup } from 'node:dns/promises';
import net from 'node:net';
import { type Said, say } from '../../domain/base/say.ts';

/** Networks of the IPv4 internet that are no public place (RFC 6890). */
const closed = new net.BlockList();
for (const network of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '))) {
  const [from = '', bits] = network.split('/');
  closed.addSubnet(from, Number(bits), 'ipv4');
}
/** Of IPv6 only global unicast is public, without the parts that lead to IPv4 or are for documents. */
const global = new net.BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const notGlobal = new net.BlockList();
notGlobal.addSubnet('2001::', 23, 'ipv6');
notGlobal.addSubnet('2001:db8::', 32, 'ipv6');
notGlobal.addSubnet('2002::', 16, 'ipv6');
notGlobal.addSubnet('3fff::', 20, 'ipv6');

export const isPublic = (ip: string): boolean =>
  net.isIPv4(ip) ? !closed.check(ip, 'ipv4') : global.check(ip, 'ipv6') && !notGlobal.check(ip, 'ipv6');

const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** The address is not one that the product sends to; the message says why. */
export class BadAddress extends Error {
  readonly said: Said;
  constructor(said: Said) {
    super(said.message);
    this.said = said;
  }
}

export interface Target {
  readonly url: URL;
  /** The IP address that was checked: the connection is made to it, whatever the name resolves to later. */
  readonly ip: string;
}

/** Resolves an address once. Only https to a public place; in a trial also http to the own machine. */
export async function targetOf(address: string, trial: boolean): Promise<Target> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw new BadAddress(say('This is no address: write it as https://example.com/path'));
  if (url.username || url.password) throw new BadAddress(say('The address must not hold a user name or a password'));
  const near = trial && url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !near) throw new BadAddress(say('The address must begin with https://'));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const [first] = found;
  if (!first) throw new BadAddress(say('The name {{host}} cannot be found', { host }));
  if (!near && !found.every(({ address: ip }) => isPublic(ip)))
    throw new BadAddress(say('{{host}} is an address of a private network: give a public one', { host }));
  if (near) return { url, ip: found.find(({ family }) => family === 4)?.address ?? first.address };
  return { url, ip: first.address };
}
