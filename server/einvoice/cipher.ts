import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  createVerify,
  type JsonWebKey,
  publicEncrypt,
} from 'node:crypto';

/** The login facts as the portal wants them: RSA (PKCS#1 v1.5) over the base64 text of the JSON, not over its bytes. */
export function sealLogin(pem: string, facts: object): string {
  const text = Buffer.from(JSON.stringify(facts)).toString('base64');
  return publicEncrypt({ key: pem, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString('base64');
}

/** AES-256-ECB as the portal has it: no vector and no seal, so what comes back is trusted only for its signatures. */
export function sealBody(key: Buffer, text: string): string {
  const cipher = createCipheriv('aes-256-ecb', key, null);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

export function openBody(key: Buffer, sealed: string): Buffer {
  const decipher = createDecipheriv('aes-256-ecb', key, null);
  return Buffer.concat([decipher.update(sealed, 'base64'), decipher.final()]);
}

export type SigningKey = JsonWebKey & { readonly kid: string };

/** The key id in the head of a signed text; empty when there is none. */
export function keyIdOf(signed: string): string {
  try {
    const head = JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString('utf8')) as {
      alg?: string;
      kid?: string;
    };
    return head.alg === 'RS256' ? (head.kid ?? '') : '';
  } catch {
    return '';
  }
}

/** The facts in a signed text when its RS256 signature holds under the key of its id; undefined when it does not. */
export function signedFacts(
  signed: string,
  keys: readonly SigningKey[],
): Readonly<Record<string, unknown>> | undefined {
  const kid = keyIdOf(signed);
  const key = keys.find((k) => k.kid === kid);
  const [head = '', body = '', signature = ''] = signed.split('.');
  if (!key || !signature) return undefined;
  const holds = createVerify('RSA-SHA256')
    .update(`${head}.${body}`)
    .verify(createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64url'));
  if (!holds) return undefined;
  // the facts are JSON text inside the JSON of the token
  const outer = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as { data?: string };
  return JSON.parse(outer.data ?? '{}') as Record<string, unknown>;
}
