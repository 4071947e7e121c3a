import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  privateDecrypt,
} from 'node:crypto';

/** AES-256-ECB with PKCS#7 padding, as the portals have it: no vector, no authentication. */
export function seal(key: Buffer, plain: Buffer): string {
  const cipher = createCipheriv('aes-256-ecb', key, null);
  return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
}

/** Throws when the key is wrong or the text is no whole number of blocks. */
export function open(key: Buffer, sealed: string): Buffer {
  const decipher = createDecipheriv('aes-256-ecb', key, null);
  return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64')), decipher.final()]);
}

const parse = (text: string): unknown => JSON.parse(text);

/** A sealed payload as JSON; clients that put base64 inside the envelope are understood as well. Throws on anything else. */
export function openJson(key: Buffer, sealed: string): unknown {
  const text = open(key, sealed).toString('utf8');
  try {
    return parse(text);
  } catch {
    return parse(Buffer.from(text, 'base64').toString('utf8'));
  }
}

export interface Wrapped {
  readonly rek: string;
  readonly data: string;
  readonly hmac: string;
}

/** Master answers of the e-way-bill portal: a key of their own under the session key, and an HMAC over the base64 text. */
export function wrap(sessionKey: Buffer, rek: Buffer, plain: string): Wrapped {
  const text = Buffer.from(plain).toString('base64');
  return {
    rek: seal(sessionKey, rek),
    data: seal(rek, Buffer.from(text)),
    hmac: createHmac('sha256', rek).update(text).digest('base64'),
  };
}

/** RSA with PKCS#1 v1.5 padding. The padding is taken off here because Node refuses to since CVE-2023-46809; that
 *  attack is a matter of the real portal, not of this one. */
export function openRsa(privateKey: string, sealed: string): Buffer {
  const block = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, Buffer.from(sealed, 'base64'));
  const end = block.indexOf(0, 2);
  if (block[0] !== 0 || block[1] !== 2 || end < 10) throw new Error('The RSA block is not padded by PKCS#1 v1.5.');
  return block.subarray(end + 1);
}

export interface KeyPair {
  readonly kid: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/** A fresh RSA key of 2048 bits; its name is the SHA-1 of the public key, 40 hexadecimal digits in capitals. */
export function makeKey(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return { kid: createHash('sha1').update(der).digest('hex').toUpperCase(), privateKey, publicKey };
}

/** The header's x5t: base64url of the bytes that the kid spells. */
export const x5t = (kid: string): string => Buffer.from(kid, 'hex').toString('base64url');

/** A compact RS256 signature over `data` as the portal nests it: JSON text inside JSON. */
export function sign(key: Pick<KeyPair, 'kid' | 'privateKey'>, data: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ alg: 'RS256', kid: key.kid, typ: 'JWT', x5t: x5t(key.kid) });
  const signed = `${header}.${part({ data: JSON.stringify(data), iss: 'NIC Sandbox' })}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key.privateKey).toString('base64url')}`;
}

/** The invoice reference number. Numbers are upper-cased first: abc and ABC are one invoice since 01-06-2025. */
export const irnOf = (gstin: string, year: string, type: string, number: string): string =>
  createHash('sha256').update(`${gstin}${year}${type}${number.toUpperCase()}`).digest('hex');
