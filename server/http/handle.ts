import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type CallName, calls } from '../../contract/calls.ts';
import {
  changesOrganisation,
  doneWords,
  type Failure,
  type Handlers,
  type Operation,
} from '../../contract/contract.ts';
import { Refusal, type RefusalCode, refusals, refusedField } from '../../contract/errors.ts';
import { writesOf } from '../../contract/modules.ts';
import { changesSession } from '../../contract/session.ts';
import { todayIn } from '../../domain/base/dates.ts';
import { MOST_PAISE, rupeesText } from '../../domain/base/decimal.ts';
import { AmountTooLarge } from '../../domain/base/money.ts';
import { say } from '../../domain/base/say.ts';
import { allowInput, allowRows, allowSomewhere, requireCase, screensWritten, stillAllows } from '../access/check.ts';
import { may, parentsOfKind, seen } from '../access/index.ts';
import type { Rule } from '../access/rule.ts';
import { rules } from '../access/rules.ts';
import { allowToken } from '../access/tokens.ts';
import type { Context } from '../context.ts';
import { chosenLocations, type Places } from '../kit/chosen.ts';
import type { Clock } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';
import { isCut, type Trouble, troubleOf } from '../kit/database/trouble.ts';
import { readInput, unknownProblems } from '../kit/input.ts';
import { Problems } from '../kit/problems.ts';
import { mustBeReadable } from '../kit/readable.ts';
import type { Tell } from '../kit/secrets/security-log.ts';
import type { Member, Sessions } from '../session/index.ts';
import type { Change } from './events.ts';
import type { pacer } from './load.ts';
import { openApi } from './openapi.ts';

/** The session's cookie. Over https a browser takes a name with this prefix only with Secure and for this very host. */
export const cookieName = (publicUrl: string, what = 'session'): string =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}bahi_${what}`;

export interface Serving {
  readonly books: Books;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly origin: string;
  /** Name of the session's cookie. */
  readonly cookie: string;
  readonly handlers: Handlers<typeof calls, Context>;
  /** Passwords and second factors are ours. */
  readonly embedded: boolean;
  /** In tests and development every answer is checked against the contract. */
  readonly checkAnswers: boolean;
  /** Lets work through that is not to be had without end. */
  readonly paced: ReturnType<typeof pacer>;
  /** The security log. */
  readonly tell: Tell;
  readonly log: (message: string, details: object) => void;
  /** Whether the database keeps what it acknowledges. */
  readonly isSafe: () => boolean;
  /** Counts what kept the database from doing what it was asked. */
  readonly troubled: (trouble: Trouble) => void;
  /** Tells open pages what was written; undefined: those of every organisation. */
  readonly announce: (organisation: number | undefined, change: Change) => void;
}

const answer = (details: unknown, message = '') => ({ success: true, message, details, result: { details } });
const failure = (message: string, details: Failure) => ({ success: false, message, details, result: { details } });

/** Mounts every call of the contract: session, rule, parse, handler, envelope. */
export function mountCalls(app: FastifyInstance, serving: Serving): void {
  for (const name of Object.keys(calls) as CallName[]) {
    const operation: Operation = calls[name];
    const url = `/api/${operation.service}/${name}`;
    const run = (request: FastifyRequest, reply: FastifyReply) => handle(name, operation, request, reply, serving);
    app.route({ method: operation.method, url, handler: run });
    // the specification's GET calls that change data: the web app posts
    if (operation.changesByGet) app.route({ method: 'POST', url, handler: run });
  }
  const document = openApi(serving.cookie);
  app.get('/api/openapi.json', async () => document);
}

/** What goes wrong before a call is reached answers in the same envelope: a body that cannot be read, a call that is not there. */
export function mountRefusals(app: FastifyInstance, serving: Troubled): void {
  app.setErrorHandler((error: { readonly statusCode?: number; readonly code?: string }, request, reply) => {
    const code = error instanceof Refusal ? error.code : refusalOf(error);
    // a client that still sends reads no answer: what is too much is read to its end, and thrown away, before the answer goes out
    if (code && unread.includes(code))
      return void swallow(request.raw).then(() => sendRefusal(reply, new Refusal(code)));
    if (code) return sendRefusal(reply, new Refusal(code));
    const name = request.routeOptions.url ?? 'a request';
    const tried = sendTrouble(name, error, reply, serving);
    if (tried) return tried;
    const reference = newReference();
    serving.log(`${name} failed`, {
      reference,
      error: String((error as Error).stack ?? error),
    });
    return reply.status(500).send(bug(reference));
  });
}

/** Refusals that come while a body is still being sent. */
const unread: readonly RefusalCode[] = ['tooLarge', 'sessionExpired', 'bodiesFull'];

/** Bytes and milliseconds after which nobody listens any longer to who sends too much. */
const SWALLOWED = 256 * 1024 * 1024;
const SWALLOWING = 20_000;

/** Throws away what is still being sent. */
const swallow = (request: IncomingMessage): Promise<void> =>
  new Promise((done) => {
    let left = SWALLOWED;
    const timer = setTimeout(done, SWALLOWING);
    const end = () => {
      clearTimeout(timer);
      done();
    };
    if (request.readableEnded || request.destroyed) return end();
    request.on('data', (part: Buffer) => {
      left -= part.length;
      if (left < 0) end();
    });
    for (const event of ['end', 'close', 'error']) request.once(event, end);
    // whatever it was read into takes no more
    request.unpipe();
    request.resume();
  });

const refusalOf = ({
  statusCode = 500,
  code,
}: {
  readonly statusCode?: number;
  readonly code?: string;
}): RefusalCode | undefined => {
  if (statusCode === 413) return 'tooLarge';
  if (statusCode === 415 || code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'wrongType';
  if (statusCode === 429) return 'tooMany';
  return statusCode >= 400 && statusCode < 500 ? 'unreadable' : undefined;
};

const isJson = (request: FastifyRequest): boolean =>
  /^application\/(json|[\w.+-]+\+json)\b/i.test(request.headers['content-type'] ?? '');

const CORRECT = say('Please correct the highlighted fields');
const WENT_WRONG = say('Something went wrong on our side. Nothing was saved.');
const newReference = (): string => randomBytes(4).toString('hex');
const bug = (reference: string) =>
  failure(WENT_WRONG.message, { code: 'bug', text: WENT_WRONG.text, problems: [], reference });

/** A refusal in its envelope, with its status. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, reference = newReference()): FastifyReply {
  const [status] = refusals[refusal.code];
  const field = refusedField[refusal.code];
  if (status === 503 || status === 429) reply.header('Retry-After', '5');
  return reply.status(status).send(
    failure(refusal.message, {
      code: refusal.code,
      text: refusal.text,
      problems: field ? [{ field, message: refusal.message, text: refusal.text }] : refusal.at,
      reference,
    }),
  );
}

/** The access token that a program sends, whatever it is; a cookie beside it counts for nothing. */
const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer\s+(\S{1,200})$/i.exec(headers.authorization ?? '')?.[1];

/** Whose session or access token a request comes with. */
export async function whoAsks({ sessions, cookie }: Serving, request: FastifyRequest): Promise<Member | undefined> {
  const token = tokenOf(request);
  if (token !== undefined) return askedAgain(() => sessions.ofToken(token, request.ip));
  const session = request.cookies[cookie];
  return session ? askedAgain(() => sessions.find(session)) : undefined;
}

async function handle(
  name: CallName,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving,
): Promise<unknown> {
  let known: Member | undefined;
  try {
    const signedIn = await whoAsks(serving, request);
    if (!signedIn) throw new Refusal(tokenOf(request) === undefined ? 'sessionExpired' : 'tokenInvalid');
    // a page of another site cannot make a browser send a token
    if (!signedIn.token && (operation.method === 'POST' || operation.changesByGet))
      proveOrigin(request, serving.origin);
    if (request.body !== undefined && !isJson(request)) throw new Refusal('wrongType');
    const raw = request.method === 'GET' ? request.query : (request.body ?? {});
    mustBeReadable(raw);
    const asked = raw as { readonly OrgCode?: string; readonly orgCode?: string; readonly Orgcode?: string };
    const code = asked.OrgCode ?? asked.orgCode ?? asked.Orgcode;
    // OrgCode chooses among the memberships; a foreign one looks like one that does not exist
    const cookie = request.cookies[serving.cookie];
    const elsewhere = code !== undefined && code !== signedIn.organisationCode;
    if (elsewhere && signedIn.token) throw new Refusal('notFound');
    const member = elsewhere && cookie ? await ownPlace(serving, cookie, signedIn, code) : signedIn;
    known = member;
    if (member.token) allowToken(member.token.scope, name, raw);
    const rule = rules[name] as Rule<unknown>;
    if (rule.operator && !member.operator) throw new Refusal('noAccess');
    allowSomewhere(member.grants, rule);
    if (operation.method === 'POST' && operation.changes !== 'nothing' && !serving.isSafe())
      throw new Refusal('unsafeDatabase');
    const input = parse(operation, raw, rule, member);
    const { locations } = await askedAgain(() => chosenLocations(serving.books, member, raw as Places));
    allowInput(member, rule, input);
    // only the calls about the session itself are open: with them the user turns the second factor on or signs out
    if (serving.embedded && member.secondFactor.required && !member.secondFactor.on && operation.service !== 'session')
      throw new Refusal('secondFactor');
    // the core is free; what is on of a module that has ended stays readable and is no longer written
    if (changesOrganisation(operation)) {
      const { master } = input as { readonly master?: unknown };
      const parents = screensWritten(rule, input);
      if (member.subscription.lapsed.some((module) => writesOf(module, name, parents, master)))
        throw new Refusal('expired');
    }
    refuseOtherUser(operation, raw, member);
    const context = contextOf(name, operation, request, { ...member, locations }, serving, input);
    await askedAgain(() => allowRows(context, rule, input));
    const handler = serving.handlers[name] as (input: unknown, context: Context) => Promise<unknown>;
    const details = await serving.paced(operation.load, member, () =>
      reading(operation, () => handler(input, context)),
    );
    if (operation.securityEvent)
      await serving.tell(member, operation.securityEvent, name, { ...about(input), from: request.ip });
    if (serving.checkAnswers) operation.details.parse(details);
    tellPages(operation, input, member, serving);
    return answer(details, doneWords(name, operation, details));
  } catch (error) {
    if (known && error instanceof Refusal && triedDoors.includes(error.code))
      await serving.tell(known, 'refused', name, { ...about(request.body ?? request.query), from: request.ip });
    return refuse(name, error, reply, serving);
  }
}

/** Refusals of somebody who tries what is not theirs: the security log has them. */
const triedDoors: readonly RefusalCode[] = ['noAccess', 'notByToken', 'tokenReadsOnly'];

/**
 * A question that changes nothing, asked once more when the line to the database broke under it: the pool had lent out
 * one that was down.
 */
async function askedAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isCut(error)) return ask();
    throw error;
  }
}

/** Runs a call; one that only looks, by GET or by POST, is asked once more when the line broke. */
export function reading(operation: Operation, ask: () => Promise<unknown>): Promise<unknown> {
  const looks = operation.method === 'GET' ? !operation.changesByGet : operation.changes === 'nothing';
  return looks ? askedAgain(ask) : ask();
}

/** Who has something to read again after this call, and whether that is also who they are. */
function tellPages(operation: Operation, input: unknown, member: Member, { announce }: Serving): void {
  const { master, organisation } = (input ?? {}) as { readonly master?: string; readonly organisation?: number };
  if (changesOrganisation(operation))
    announce(member.organisation, {
      changed: true,
      ...(changesSession(operation.service, master) && { session: true, ended: true }),
    });
  // what the operator decides is one organisation's, what they say is everybody's
  else if (operation.service === 'operator' && operation.method === 'POST')
    announce(organisation, { session: true, ...(organisation !== undefined && { changed: true }) });
  // one's own password or session: open pages that were signed in with it get a message
  else if (operation.service === 'session' && operation.securityEvent) announce(member.organisation, { ended: true });
}

/** What an input says of what is read or whom it concerns; nothing else of it goes into the security log. */
const about = (input: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['report', 'format', 'master', 'kind', 'user'].flatMap((name) => {
      const value = (input as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      return typeof value === 'string' ? [[name, value.slice(0, 100)]] : [];
    }),
  );

/** The same person in another organisation that they belong to. */
async function ownPlace({ sessions }: Serving, cookie: string, signedIn: Member, code: string): Promise<Member> {
  const known = signedIn.organisations.some((own) => own.code === code);
  const member = known ? await askedAgain(() => sessions.find(cookie, code)) : undefined;
  if (!member) throw new Refusal('notFound');
  return member;
}

/** A user who may not do this at all gets that refusal before any problem with their input. */
function parse(operation: Operation, raw: unknown, rule: Rule<unknown>, member: Member): unknown {
  const read = readInput(operation.input, raw);
  // ignored, it would be another question, or something that is not kept
  const unknown = unknownProblems(operation.input, raw, everywhere);
  if ('data' in read && unknown.length === 0) return read.data;
  try {
    allowInput(member, rule, raw);
  } catch (error) {
    if (error instanceof Refusal) throw error;
  }
  throw new Problems([...('problems' in read ? read.problems : []), ...unknown]);
}

/** Parameters that every call knows: the organisation, the place, and who asks. */
const everywhere: readonly string[] = [
  'OrgCode',
  'orgCode',
  'Orgcode',
  'SubOrgCode',
  'OrgBranchCode',
  'TaxLocation',
  'UserName',
];

/** UserName chooses whom a call is about, where the call is about a user; anywhere else it names who asks, as createdBy does. */
function refuseOtherUser({ aboutUser }: Operation, raw: unknown, { person, user, email, name }: Member): void {
  if (aboutUser) return;
  const given = raw as Readonly<Record<string, unknown>>;
  const other = ['UserName', 'createdBy'].filter((field) => {
    const asked = given[field] ?? '';
    return (
      asked !== '' && ![person, user, name, email].some((own) => own.toLowerCase() === String(asked).toLowerCase())
    );
  });
  if (other.length > 0)
    throw new Problems(
      other.map((field) => ({ field, ...say('This call is made as yourself: leave {{field}} out', { field }) })),
    );
}

/** A write comes from our own pages: the custom header needs a same-origin script, and a foreign Origin is refused. */
function proveOrigin(request: FastifyRequest, origin: string): void {
  const from = request.headers.origin;
  const site = request.headers['sec-fetch-site'];
  if (request.headers['x-requested-by'] !== 'bahi' || (from !== undefined && from !== origin) || site === 'cross-site')
    throw new Refusal('noProof');
}

function contextOf(
  name: CallName,
  operation: Operation,
  request: FastifyRequest,
  member: Member,
  { books, clock }: Serving,
  input: unknown,
): Context {
  const rule = rules[name] as Rule<unknown>;
  const key = request.headers['idempotency-key'];
  if (operation.idempotent && (typeof key !== 'string' || !isKey(key))) throw new Refusal('keyMissing');
  const context: Context = {
    books,
    organisation: member.organisation,
    organisationCode: member.organisationCode,
    person: member.person,
    user: member.user,
    name: member.name,
    grants: member.grants,
    limits: member.limits,
    locations: member.locations,
    settings: member.settings,
    lapsed: member.subscription.lapsed,
    today: todayIn(clock.now()),
    now: clock.now(),
    key: operation.idempotent && typeof key === 'string' ? key : undefined,
    digest: operation.idempotent
      ? createHash('sha256')
          .update(`${name}\n${JSON.stringify(request.body ?? request.query)}`)
          .digest()
      : undefined,
    session: member.digest,
    may: (action, kind) => may(member.grants, action, parentsOfKind(kind)),
    still: (row, now) => stillAllows(context, rule, row, now),
    require: (named) => requireCase(member, rule, named, input),
    sees: (what) => seen(member.grants, what),
    token: member.token?.name,
    inTransaction: (work) => books.inTransaction(member, work),
  };
  return context;
}

const keyShape = z.uuid();
const isKey = (key: string): boolean => keyShape.safeParse(key).success;

/** What the database cannot read as the number, id, day or text it was meant to be. */
const unreadable: readonly string[] = ['22P02', '22P05', '22021', '22003', '22007', '22008'];

/** As it is logged. */
const troubles: Readonly<Record<Trouble, string>> = {
  full: 'found no space left in the database',
  broken: 'found a database whose disk fails',
  away: 'did not reach the database',
};

type Troubled = Pick<Serving, 'log' | 'troubled'>;

/** What the database could not do is logged and counted, and may be asked again; undefined: it was something else. */
function sendTrouble(
  name: string,
  error: unknown,
  reply: FastifyReply,
  { log, troubled }: Troubled,
): FastifyReply | undefined {
  const trouble = troubleOf(error);
  if (!trouble) return undefined;
  troubled(trouble);
  const reference = newReference();
  log(`${name} ${troubles[trouble]}`, { reference, error: String(error) });
  return sendRefusal(reply, new Refusal('busy'), reference);
}

/** Problems at their fields, refusals from the catalogue, and bugs: logged with the call's name, answered as one plain sentence. */
function refuse(name: CallName, error: unknown, reply: FastifyReply, serving: Serving): unknown {
  const { log } = serving;
  const reference = newReference();
  if (error instanceof Problems)
    return reply
      .status(422)
      .send(failure(CORRECT.message, { code: 'problems', text: CORRECT.text, problems: error.problems, reference }));
  if (error instanceof Refusal) return sendRefusal(reply, error);
  if (error instanceof AmountTooLarge)
    return reply.status(422).send(
      failure(CORRECT.message, {
        code: 'problems',
        text: CORRECT.text,
        problems: [
          {
            field: 'lines',
            ...say('The total of a document is at most {{most}}: this one is higher', { most: rupeesText(MOST_PAISE) }),
          },
        ],
        reference,
      }),
    );
  if (unreadable.includes((error as { code?: string }).code ?? ''))
    return reply.status(422).send(
      failure(CORRECT.message, {
        code: 'problems',
        text: CORRECT.text,
        problems: [{ field: '', ...say('This contains characters that cannot be read') }],
        reference,
      }),
    );
  // the database has given up a question that took too long
  if ((error as { code?: string }).code === '57014') {
    log(`${name} took too long`, { reference });
    return sendRefusal(reply, new Refusal('tooSlow'));
  }
  const tried = sendTrouble(name, error, reply, serving);
  if (tried) return tried;
  log(`${name} failed`, { reference, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return reply.status(500).send(bug(reference));
}
