import { constants, createDecipheriv, createVerify, publicEncrypt, randomBytes } from 'node:crypto';
import { seal } from '../cipher.ts';

const clientHeaders = {
  'client-id': 'BAHI-CLIENT',
  'client-secret': 'BAHI-SECRET',
  'content-type': 'application/json',
};

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly data: Record<string, unknown>;
  readonly codes: readonly string[];
}
export interface Entry {
  readonly token: string;
  readonly key: Buffer;
  readonly expiry: string;
  readonly codes: readonly string[];
}

const open = (key: Buffer, sealed: string): Buffer => {
  const decipher = createDecipheriv('aes-256-ecb', key, null);
  return Buffer.concat([decipher.update(sealed, 'base64'), decipher.final()]);
};
/** A body that is JSON, as the test knows it to be. */
export const json = async <Body = Record<string, unknown>>(answer: Response): Promise<Body> =>
  (await answer.json()) as Body;
const codesOf = (body: Record<string, unknown>): string[] =>
  Array.isArray(body['ErrorDetails']) ? body['ErrorDetails'].map((one: { ErrorCode: string }) => one.ErrorCode) : [];

/** A client of both portals for tests: it does by hand what the manuals say, over real HTTP. */
export function testClient(base: string, gstin: string) {
  let entry: Entry | undefined;

  async function sealLogin(fields: object): Promise<string> {
    const key = await (await fetch(`${base}/keys/login.pem`)).text();
    const text = Buffer.from(JSON.stringify(fields)).toString('base64');
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString('base64');
  }

  async function logIn(change: object = {}): Promise<Entry> {
    const appKey = randomBytes(32);
    const fields = {
      UserName: `bahi_${gstin}`,
      Password: 'Sandbox@123',
      AppKey: appKey.toString('base64'),
      ForceRefreshAccessToken: false,
      ...change,
    };
    const answer = await fetch(`${base}/eivital/v1.04/auth`, {
      method: 'POST',
      headers: { ...clientHeaders, Gstin: gstin },
      body: JSON.stringify({ Data: await sealLogin(fields) }),
    });
    const body = await json(answer);
    const data = body['Data'] as Record<string, string> | null;
    const key = data ? open(appKey, data['Sek'] ?? '') : Buffer.alloc(32);
    const made = { token: data?.['AuthToken'] ?? '', key, expiry: data?.['TokenExpiry'] ?? '', codes: codesOf(body) };
    if (data) entry = made;
    return made;
  }

  const headers = () => ({ ...clientHeaders, Gstin: gstin, user_name: `bahi_${gstin}`, AuthToken: entry?.token ?? '' });

  async function call(path: string, payload?: object): Promise<Reply> {
    const key = entry?.key ?? Buffer.alloc(32);
    const answer = await fetch(`${base}${path}`, {
      headers: headers(),
      ...(payload && {
        method: 'POST',
        body: JSON.stringify({ Data: seal(key, Buffer.from(JSON.stringify(payload))) }),
      }),
    });
    const body = await json(answer);
    const sealed = body['Data'];
    const data = typeof sealed === 'string' ? JSON.parse(open(key, sealed).toString()) : {};
    return { status: answer.status, body, data, codes: codesOf(body) };
  }

  async function way(action: string, payload: object): Promise<Reply> {
    const key = entry?.key ?? Buffer.alloc(32);
    const answer = await fetch(`${base}/ewaybillapi/v1.03/ewayapi`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ action, data: seal(key, Buffer.from(JSON.stringify(payload))) }),
    });
    return wayReply(answer, key);
  }

  async function wayReply(answer: Response, key: Buffer): Promise<Reply> {
    const body = await json(answer);
    const data = typeof body['data'] === 'string' ? JSON.parse(open(key, body['data']).toString()) : {};
    const error = typeof body['error'] === 'string' ? JSON.parse(Buffer.from(body['error'], 'base64').toString()) : {};
    return {
      status: answer.status,
      body,
      data,
      codes: String(error.errorCodes ?? '')
        .split(',')
        .filter(Boolean),
    };
  }

  const getWay = async (path: string): Promise<Reply> =>
    wayReply(await fetch(`${base}/ewaybillapi/v1.03${path}`, { headers: headers() }), entry?.key ?? Buffer.alloc(32));

  return { logIn, call, way, getWay, headers, sealLogin };
}

/** The facts inside a signed text, when its signature holds under one of the published keys of its kid. */
export async function verified(base: string, jws: unknown): Promise<Record<string, unknown> | undefined> {
  const [header = '', payload = '', signature = ''] = String(jws).split('.');
  const { signing } = await json<{ signing: { kid: string; publicKey: string }[] }>(await fetch(`${base}/keys`));
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const key = signing.find((one) => one.kid === kid);
  if (!key) return undefined;
  const holds = createVerify('RSA-SHA256')
    .update(`${header}.${payload}`)
    .verify(key.publicKey, Buffer.from(signature, 'base64url'));
  return holds ? JSON.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()).data) : undefined;
}
