/** The one way to the server: same-origin calls, the envelope, refusals as errors. */

import { MOST_BYTES, TOO_LARGE } from '../../../contract/size.ts';
import type { Text } from '../../../domain/base/say.ts';
import { t, translated } from '../text.ts';
import { noteReached, tryToReach } from './connectivity.ts';

export interface Problem {
  readonly field: string;
  readonly row?: number;
  readonly message: string;
  /** A warning that lets pass with a reason, by this name. */
  readonly code?: string;
  readonly reason?: 'needed';
  /** Nothing is wrong: it is only to be looked at. */
  readonly warning?: true;
}

/** What the server answered when it did not do what was asked; `status` 0 when it could not be reached. */
export interface RefusedFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
  readonly reference: string;
}

/** What is said of a bug. */
const sorry = 'Please try after some time';

export class Refused extends Error implements RefusedFacts {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];
  readonly reference: string;
  constructor(facts: RefusedFacts) {
    super(facts.message);
    this.name = 'Refused';
    this.status = facts.status;
    this.code = facts.code;
    this.problems = facts.problems;
    this.reference = facts.reference;
  }
}

interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly details: unknown;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

export interface SendOptions {
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Event on `window` after a 401; the shell shows the session-expired dialog. */
export const sessionExpired = 'bahi:session-expired';

const withQuery = (path: string, query: Query): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]]));
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
};

/** What domain or server found, as it came: its message is English. */
export type Found = Problem & { readonly text?: Text };
/** The same in the language chosen. */
export const inLanguage = ({ text, ...problem }: Found): Problem => ({
  ...problem,
  message: translated({ message: problem.message, text }),
});

interface Facts {
  readonly code: string;
  readonly problems: readonly Found[];
  readonly reference: string;
  readonly text: Text;
}

const failure = (status: number, envelope: Partial<Envelope>): Refused => {
  const facts = (envelope.details ?? {}) as Partial<Facts>;
  return new Refused({
    status,
    code: facts.code ?? 'unknown',
    message: translated({ message: envelope.message || sorry, text: facts.text }),
    problems: (facts.problems ?? []).map(inLanguage),
    reference: facts.reference ?? '',
  });
};

const unreachable = () =>
  new Refused({
    status: 0,
    code: 'unreachable',
    message: t("This site can't be reached"),
    problems: [],
    reference: '',
  });

/** The server would read all of it only to say so. */
const isTooMuch = (body: string): boolean =>
  body.length > MOST_BYTES || (body.length * 3 > MOST_BYTES && new Blob([body]).size > MOST_BYTES);
const tooLarge = () =>
  new Refused({ status: 413, code: 'tooLarge', message: t(TOO_LARGE), problems: [], reference: '' });

/** Calls `path` ("/api/<service>/<Call>"): `input` is the query of a GET, the JSON body of a POST. Throws `Refused`. */
export const send = async <T = unknown>(
  method: 'GET' | 'POST',
  path: string,
  input: unknown = {},
  { idempotencyKey, signal, headers }: SendOptions = {},
): Promise<T> => {
  const body = method === 'POST' ? JSON.stringify(input) : undefined;
  if (body !== undefined && isTooMuch(body)) throw tooLarge();
  const response = await fetch(method === 'GET' ? withQuery(path, input as Query) : path, {
    method,
    credentials: 'same-origin',
    headers: {
      'X-Requested-By': 'bahi',
      ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  }).catch((problem: unknown) => {
    if (signal?.aborted) throw problem;
    void tryToReach();
    throw unreachable();
  });
  noteReached(true);
  const envelope = (await response.json().catch(() => ({}))) as Partial<Envelope>;
  if (response.status === 401) window.dispatchEvent(new Event(sessionExpired));
  if (!response.ok || envelope.success !== true) throw failure(response.status, envelope);
  return envelope.details as T;
};

/** A fresh key for one attempt to post; keep it for the retries of the same attempt. */
export const newKey = (): string => crypto.randomUUID();

/** The server has not said anything about what was sent: it may have been done, and is sent again under the same key. */
export const isNoAnswer = (problem: unknown): boolean =>
  !(problem instanceof Refused) ||
  problem.status === 0 ||
  problem.status === 401 ||
  problem.status >= 500 ||
  problem.code === 'tooMany';

/** The message for a person about whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Refused ? error.message : t(sorry));

/** What is wrong at fields, of whatever was thrown. */
export const problemsIn = (error: unknown): readonly Problem[] => (error instanceof Refused ? error.problems : []);

/** Why something is not done, in one sentence: what is wrong at the first field, or else what was said. */
export const reasonOf = (error: unknown): string => problemsIn(error)[0]?.message ?? messageOf(error);

/** The same refusal, with other problems. */
export const withProblems = (refused: Refused, problems: readonly Problem[]): Refused =>
  new Refused({ ...refused, message: refused.message, problems });

/** The first problem of a field (and row), for showing at that field. */
export const problemAt = (problems: readonly Problem[], field: string, row?: number): string | undefined =>
  problems.find((problem) => problem.field === field && problem.row === row && !problem.warning)?.message;

/** The first warning of a field (and row). */
export const warningAt = (problems: readonly Problem[], field: string, row?: number): string | undefined =>
  problems.find((problem) => problem.field === field && problem.row === row && problem.warning)?.message;
