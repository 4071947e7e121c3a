import { createHmac, randomBytes } from 'node:crypto';

/** Seconds that a code counts (RFC 6238 section 4.1). */
const STEP = 30;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes as base32 without padding (RFC 4648 section 6): what people can type and authenticators read. */
export function base32(bytes: Buffer): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  const length = Math.ceil((bytes.length * 8) / 5);
  bits <<= BigInt(length * 5 - bytes.length * 8);
  return Array.from({ length }, (_, at) => LETTERS[Number((bits >> BigInt((length - 1 - at) * 5)) & 31n)]).join('');
}

/** 160 bits, as RFC 4226 section 4 recommends. */
export const newSecret = (): Buffer => randomBytes(20);

export const stepAt = (now: number): number => Math.floor(now / 1000 / STEP);

/** The six digits of a step (RFC 4226 section 5.3, HMAC-SHA-1: what every authenticator knows). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The step that a code belongs to, one before or after now allowed for clocks that differ; undefined: to none. */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const typed = code.replace(/\s/g, '');
  return [0, -1, 1].map((by) => stepAt(now) + by).find((step) => codeAt(secret, step) === typed);
}

/** What the QR code of the enrolment says. */
export const secretAddress = (secret: Buffer, email: string): string =>
  `otpauth://totp/${encodeURIComponent(`Bahi:${email}`)}?secret=${base32(secret)}&issuer=Bahi&algorithm=SHA1&digits=6&period=${STEP}`;
