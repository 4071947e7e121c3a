import type { z } from 'zod';
import type { Said, Text } from '../domain/base/say.ts';
import type { SecurityEvent } from './security.ts';

/** What a call takes that is not to be had without end. */
export type Load = 'report' | 'export' | 'search' | 'portal' | 'file' | 'paper';

/**
 * What a call does to a screen's data; the server's rules say which levels allow it. `read`: lists and masters, which a screen
 * of level 0 shows to everyone signed in. `view`: a document, its papers, exports, comments and files, for which a grant is
 * needed on any screen.
 */
export type Action = 'open' | 'read' | 'view' | 'write' | 'approve' | 'settings' | 'full';

/** One call between browser and server, at /api/<service>/<name>. Names with the specification's spelling stand only in these tables. */
export interface Operation<I extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType> {
  readonly service: string;
  readonly method: 'GET' | 'POST';
  readonly input: I;
  /** What the envelope's `details` holds. */
  readonly details: D;
  /** It posts or takes a number: the header Idempotency-Key is required. */
  readonly idempotent?: true;
  /** The specification asks for GET, the call changes data: POST is served too and GET only with proof of origin. */
  readonly changesByGet?: true;
  /**
   * Whose data it changes; open pages of the organisation get news only of what they may show. Left out: a call that is
   * posted or `changesByGet` changes the organisation's, any other nothing.
   */
  readonly changes?: 'nothing' | 'own';
  /** It takes more of the server than a look-up: the server lets so many through at a time. */
  readonly load?: Load;
  /** Its success is written to the security log. */
  readonly securityEvent?: SecurityEvent;
  /** UserName chooses whom it is about. */
  readonly aboutUser?: true;
  readonly summary: string;
}

/** Whether others in the organisation have something to read again after this call. */
export const changesOrganisation = (o: Operation): boolean =>
  o.changes === undefined && (o.method === 'POST' || o.changesByGet === true);

/** What a call that changes something says when it is done, by what its name begins with. */
const done: readonly (readonly [begins: RegExp, words: string])[] = [
  [/^(Save|Add|Update|Edit|Set|Order|Choose|Enter|Note)/, 'Saved'],
  [/^(Delete|Remove|Drop)/, 'Deleted'],
  [/^(Post|Book|CUD)/, 'Posted'],
  [/^Cancel/, 'Cancelled'],
  [/^(Send|Mail)/, 'Sent'],
];

/** Whether a call changes nothing, for nobody. */
export const readsOnly = (o: Operation): boolean =>
  o.changes === 'nothing' || (o.method === 'GET' && !o.changesByGet && o.changes === undefined);

/** The message of a success: what the answer says itself, or what was done. */
export function doneWords(name: string, operation: Operation, details: unknown): string {
  const { message } = (details ?? {}) as { readonly message?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return readsOnly(operation) ? 'Found' : (done.find(([begins]) => begins.test(name))?.[1] ?? 'Done');
}

export const operation = <I extends z.ZodType, D extends z.ZodType>(o: Operation<I, D>): Operation<I, D> => o;

export type Contract = Readonly<Record<string, Operation>>;
/** What a caller sends, what a handler gets, what a handler answers, what a caller reads. */
export type Sent<O extends Operation> = z.input<O['input']>;
export type Input<O extends Operation> = z.output<O['input']>;
export type Answer<O extends Operation> = z.input<O['details']>;
export type Details<O extends Operation> = z.output<O['details']>;

/** What a server module must supply. Leave one out and it does not compile. */
export type Handlers<C extends Contract, Context> = {
  readonly [K in keyof C]: (input: Input<C[K]>, context: Context) => Promise<Answer<C[K]>>;
};

/** What of a call its caller must know to reach it. */
export interface Route {
  readonly service: string;
  /** How it is sent; a call that changes data is posted, whatever the specification asks. */
  readonly method: Operation['method'];
}
export type Routes = Readonly<Record<string, Route>>;

export const routesOf = (contract: Contract): Routes =>
  Object.fromEntries(
    Object.entries(contract).map(([name, { service, method, changesByGet }]) => [
      name,
      { service, method: changesByGet ? 'POST' : method },
    ]),
  );

export type Send = (name: string, route: Route, input: unknown, key?: string) => Promise<unknown>;

/** What the browser gets: the same names. `key` is the Idempotency-Key of a call that posts. */
export type Client<C extends Contract> = {
  readonly [K in keyof C]: (input: Sent<C[K]>, key?: string) => Promise<Answer<C[K]>>;
};

/** A function for each call. `routes` are those of the contract `C`; its schemas stay out of the browser. */
export const client = <C extends Contract>(routes: Routes, send: Send): Client<C> =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [
      name,
      (input: unknown, key?: string) => send(name, route, input, key),
    ]),
  ) as unknown as Client<C>;

/** Every answer, both readings of the specification. */
export interface Envelope<D> {
  readonly success: boolean;
  readonly message: string;
  readonly details: D;
  readonly result: { readonly details: D };
}
export interface Failure {
  readonly code: string;
  /** The message as a catalogue finds it, so that a reader of another language has it too (ADR 82). */
  readonly text?: Text;
  readonly problems: readonly (Said & { readonly field: string; readonly row?: number })[];
  readonly reference: string;
}
