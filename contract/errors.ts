import { dayInWords } from '../domain/base/dates.ts';
import { grouped } from '../domain/base/decimal.ts';
import { type Said, say, type Text } from '../domain/base/say.ts';
import type { Problem } from '../domain/document/document.ts';
import type { KindName } from '../domain/document/kinds/index.ts';
import type { ScreenName } from './screens.ts';
import type { GeneralConfiguration } from './session.ts';
import { TOO_LARGE } from './size.ts';

/** Every refusal the server can give: one code, one status, one sentence for the user. */
export const refusals = {
  noAccess: [403, 'You are not allowed to do this: ask the person who manages the roles of your organisation'],
  costHidden: [403, 'This shows the cost of goods, which your roles do not include: ask a user whose roles do'],
  sessionExpired: [401, 'Your session has expired, please login again'],
  tokenInvalid: [401, 'This access token is not valid: it has expired, was revoked, or its user has left'],
  manyTokens: [409, 'You have 20 valid access tokens, which is the most: revoke one that is not used any more'],
  manyWebhooks: [409, 'There are 5 webhooks, which is the most: delete one that is not used any more'],
  webhookPaused: [409, 'This webhook is paused: go on with it first'],
  notByToken: [403, 'An access token cannot do this: sign in yourself'],
  tokenReadsOnly: [403, 'This access token may only read'],
  unreadable: [400, 'This request cannot be read: its body must be JSON'],
  wrongType: [415, 'A call takes its input as application/json'],
  tooLarge: [413, TOO_LARGE],
  returnWithoutSource: [
    403,
    'A {kind} without a source document needs full access: choose the source document of the goods, or ask a colleague with full access',
  ],
  unknownCall: [404, 'There is no such call'],
  nothingHere: [404, 'There is nothing here'],
  notFound: [404, 'There is no such record'],
  noProof: [403, 'This request did not come from the application'],
  keyMissing: [422, 'This call needs an Idempotency-Key'],
  keyReused: [422, 'This key was already used for another request'],
  noReturn: [409, 'There is no such return for this registration: {reason}'],
  tooLong: [422, 'This is more than {rows} rows: choose a shorter period'],
  tooMany: [429, 'Too many attempts, please wait a moment'],
  tooManyAtOnce: [503, 'Others of your organisation are waiting for reports and files: please try again in a moment'],
  stale: [409, '{who} has changed this record since you opened it'],
  bodiesFull: [503, 'The server takes in as much as it can hold just now: please try again in a moment'],
  numberTaken: [409, 'The number {number} is already used'],
  counterBehind: [
    409,
    'The number {number} was given already: the counter of its series is behind. The operator of the installation corrects it with ' +
      'npm run invariants -- --rebuild',
  ],
  noSeries: [409, 'There is no number series for {kind} in this registration: add one under Number Series'],
  numberTooLong: [409, 'The next number {number} does not fit the rules for GST numbers: correct the number series'],
  periodLocked: [409, 'The books are locked up to {date}{instead}'],
  registerLocked: [409, '{register} locked up to {date}{instead}'],
  returnFiled: [409, '{number} is in the {form} of {period}, which is filed{instead}'],
  settled: [409, '{number} is settled with {list}: {next}'],
  settledElsewhere: [409, '{number} is settled with {list}: {next}'],
  dayOpen: [409, 'The day of {number} is open: cancel it on its own day'],
  notReversible: [409, '{number} is not reversed on another day: make a {note} dated today'],
  yearClosed: [409, '{year} is closed: reopen it under Year-end before its days are unlocked'],
  cannotUnmark: [409, '{name} stays marked: {reason}'],
  cannotClose: [409, '{year} cannot be closed: {reason}'],
  cannotReopen: [409, '{year} cannot be reopened: {reason}'],
  cannotRestate: [409, 'Balances cannot be restated at {date}: {reason}'],
  cannotCertify: [409, 'There is no certificate for {name} yet: {reason}'],
  clearedAlready: [409, 'A line or an entry of these is matched already: look at them again'],
  lineDrafted: [409, '{who} has a {kind} of this line that is not posted yet: post it, or delete its draft, first'],
  figuresChanged: [409, 'The books have changed since these figures were drawn: look at them again'],
  stockShort: [409, 'Not enough stock of {item} at {location}: short by {quantity} on {date}'],
  batchShort: [409, 'Not enough of batch {part} of {item} at {location}: short by {quantity} on {date}'],
  serialAway: [409, 'Serial number {part} of {item} is not at {location} on {date}'],
  serialTwice: [409, 'Serial number {part} of {item} is in stock already, or comes in later'],
  beingRevalued: [409, 'Stock is being valued again from {date} on: the books are locked once that is done'],
  creditExceeded: [409, 'The credit limit of {party} would be exceeded by ₹{amount}'],
  moreThanGiven: [409, 'More is settled than the ₹{amount} that this document has: allocate less'],
  overAllocated: [409, 'More is allocated to {number} than is open'],
  allocationPosts: [
    409,
    'The settlements of {number} change tax, an advance or an exchange difference: make or cancel the document that does so',
  ],
  allowanceGiven: [
    409,
    '₹{amount} of {number} is a discount or write-off on what it settles, and no money: cancel {number} first, and enter it again',
  ],
  sourceExceeded: [409, 'Line {line} exceeds what is left of its source'],
  nothingLeft: [409, 'Nothing of {number} is left to continue: the documents made from it are listed on it'],
  tillOpen: [409, '{till} is already open: opened by {who}'],
  tillClosed: [409, 'The till session of this bill is closed: move the bill to the session that is open now'],
  tillMoved: [409, 'A bill came in while you counted: look at the figures again'],
  tillElsewhere: [409, '{till} is in use by another browser: take it over first, or sell on that browser'],
  tillNumberTaken: [409, 'The number {number} of this till is given to another bill: give this one the next number'],
  tillNumberAhead: [409, '{number} comes before this number and has not been received yet'],
  tillNumberSettled: [409, '{number} is in the books or void already'],
  tillBusy: [409, '{till} is open: close it first'],
  discountLimit: [409, 'At most {most} % off is given at this till without an approval; this bill gives {given} %'],
  heldAtStage: [409, '{number} is at the stage “{stage}”: documents are made from it once it is further on'],
  noWorkflow: [409, '{number} has no workflow'],
  notYourStep: [409, '“{action}” is for {roles}'],
  stageBlocked: [409, '{number} stays at “{stage}”: {reason}'],
  alreadyPosted: [409, 'This document is already posted as {number}'],
  alreadyCancelled: [409, '{number} is already cancelled'],
  notCancellable: [409, '{number} cannot be cancelled: {reason}'],
  inUse: [409, '{name} is in use and can only be deactivated'],
  cannotRetire: [409, '{name} cannot be retired: {reason}'],
  secondFactor: [403, 'Your organisation asks for a second factor: turn it on under Password and sessions'],
  ownLevel: [403, 'Nobody gives or takes away a level above their own'],
  signInElsewhere: [409, 'Passwords are kept by the sign-in service of this installation: {email} signs in there'],
  ownPasswordOnly: [409, '{name} also works in another organisation: only {name} can change that password'],
  lastOperator: [409, 'The last operator stays: name another one first'],
  noFounding: [403, 'Users may not make organisations here: ask the operator of this installation'],
  lastAdministrator: [
    409,
    'The last user with full rights on everything must stay: give another user these rights first',
  ],
  ownApproval: [409, 'Nobody approves their own document'],
  needsApproval: [409, '{kind} of ₹{total} needs the approval of another user: {instead}'],
  tillNeedsApproval: [
    409,
    '{kind} of ₹{total} needs the approval of another user, which is not possible at a till: leave the cash where it is, and send a ' +
      '{document} for approval once the till is closed',
  ],
  tillDifferenceNeedsApproval: [
    409,
    'The cash of {till} differs by ₹{total}, which needs approval: an approver of {documents} who neither opened this till nor ' +
      'entered anything at it must count and close it',
  ],
  sentFiguresChanged: [
    409,
    'The figures of this document have changed since it was sent for approval: {changed}. Reject it, so that its author looks at it ' +
      'and sends it again',
  ],
  needsNoApproval: [409, 'This needs no approval: post it'],
  draftSubmitted: [409, 'This draft waits for approval: withdraw it before you change it'],
  cannotChange: [409, '{name} cannot be changed any more: {reason}'],
  moduleOff: [409, 'This needs the module {module}'],
  requestOpen: [409, 'Your request of {date} is still on its way'],
  irpRefused: [409, 'The invoice portal refused this invoice: {reason}'],
  irpUnreachable: [503, 'The invoice portal did not answer, and has the IRN as it was: try again'],
  irnCancelUnclear: [
    503,
    'The invoice portal has not answered: whether {number} is cancelled there is asked in the background. A notification follows',
  ],
  irnInUse: [409, 'The IRN of {number} is not cancelled: {reason}'],
  irnCancelled: [
    409,
    'The IRN of {number} is cancelled, so no new document can refer to it: cancel {number} itself, and make a new document in its place',
  ],
  servicesPaidBefore: [
    409,
    'Invoice {invoice} is for services and in a later return than {number}: the tax was due when the money came (section 13(2) of ' +
      'the CGST Act). Cancel {number} and enter it as an advance receipt',
  ],
  irnTooLate: [409, 'The IRN of {number} is older than 24 hours and can no longer be cancelled: make a credit note'],
  wayTooLate: [
    409,
    'The e-way bill of {number} was made more than 24 hours ago and can no longer be cancelled: it ends with its validity',
  ],
  irnUnclear: [
    409,
    '{number} has no paper now: the portal has not confirmed the state of its IRN. It is asked in the background',
  ],
  wayRefused: [409, 'The e-way bill portal refused this: {reason}'],
  wayUnreachable: [503, 'The e-way bill portal does not answer: the status is requested before it is tried again'],
  wayImpossible: [409, '{number} cannot have this e-way bill: {reason}'],
  cannotMerge: [409, '{name} cannot be merged: {reason}'],
  gstinUnknown: [409, 'The portal does not know {gstin}: check each character'],
  registerAway: [503, 'The portal cannot be reached now ({reason}): type the fields, or try again later'],
  noPortal: [
    409,
    'This installation has no connection to the invoice and e-way bill portals: its operator sets IRP_URL, IRP_LOGIN_KEY and ' +
      'IRP_SIGNING_KEYS',
  ],
  noCredentials: [409, 'There are no portal credentials for {gstin}: enter them under E-Invoice'],
  noGateway: [409, 'There is no payment gateway: enter one under Configuration, Payment Gateway'],
  notPayable: [409, '{number} cannot be paid by a link: {reason}'],
  mailFailed: [503, 'The mail could not be sent: {reason}'],
  noMail: [409, 'This installation cannot send mail: its operator sets SMTP_URL'],
  cannotMail: [409, '{name} cannot be mailed: {reason}'],
  fileRefused: [422, 'This file cannot be used: {reason}'],
  expired: [403, 'Your pack is expired.'],
  tooSlow: [503, 'This takes too long just now: choose a shorter period, or try again'],
  unsafeDatabase: [
    503,
    'Nothing can be saved now: the database may lose data that it has confirmed, or its safeguards are switched off. The operator of ' +
      'this installation must correct this',
  ],
  busy: [503, 'The server is busy, please try again'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type RefusalCode = keyof typeof refusals;

/** Refusals that are about one field of what was typed: they are marked there too. */
export const refusedField: Readonly<Partial<Record<RefusalCode, string>>> = {
  periodLocked: 'date',
  registerLocked: 'date',
};

/** A way on from a refusal: a button with this label, which does one of three things. */
export interface WayOn {
  readonly label: string;
  /** A new document of this kind, which is needed first: it begins with the items and the place of the one that was refused. */
  readonly makes?: KindName;
  /** A setting of the organisation, for those who may change it, and the question before it is switched on. */
  readonly switchesOn?: { readonly setting: keyof GeneralConfiguration; readonly asks: string };
  /** The screen where it is put right. */
  readonly opens?: { readonly screen: ScreenName; readonly query?: Readonly<Record<string, string>> };
}

const openingStock: WayOn = { label: 'Enter opening stock', makes: 'openingStock' };
const negativeStock: WayOn = {
  label: 'Allow negative stock',
  switchesOn: {
    setting: 'isAllowNegative',
    asks:
      'More can then be sold than is on hand, in the whole organisation, and this document is posted. The cost of what is ' +
      'short is corrected when the goods come in. General configuration, Inventory, switches it off again.',
  },
};

/** What leads on from a refusal of a document. The document is kept as a draft meanwhile. */
export const waysOn: Readonly<Partial<Record<RefusalCode, readonly WayOn[]>>> = {
  stockShort: [openingStock, negativeStock],
  batchShort: [openingStock],
  noSeries: [{ label: 'Add a number series', opens: { screen: 'DoumentNew', query: { id: 'new' } } }],
  numberTooLong: [{ label: 'Correct the number series', opens: { screen: 'Number Series' } }],
  noCredentials: [{ label: 'Enter the credentials', opens: { screen: 'NIC Configuration' } }],
  moduleOff: [{ label: 'See the modules', opens: { screen: 'subscriptions' } }],
};

/** The sentence of a refusal as the catalogue of texts has it, with its places as `{{name}}` (ADR 79). */
export const textOfRefusal = (code: RefusalCode): string => refusals[code][1].replace(/\{(\w+)\}/g, '{{$1}}');

/** What a refusal names: data as text, or a sentence within its own. */
export type Details = Readonly<Record<string, string | Said>> & {
  /** These are sentences always. */
  readonly [sentence in 'reason' | 'instead' | 'next' | 'changed']?: Said;
};

/** What is put at the places of a sentence: days in words, amounts grouped, and nothing for an `instead` that is not there. */
function placed(code: RefusalCode, details: Details): Details {
  const { date } = details;
  const named = typeof date === 'string' ? { ...details, date: dayInWords(date) } : details;
  const places = [...refusals[code][1].matchAll(/(₹?)\{(\w+)\}/g)];
  return Object.fromEntries(
    places.map(([, sign, name = '']) => {
      const value = named[name] ?? (name === 'instead' ? '' : '?');
      return [name, sign === '' || typeof value !== 'string' ? value : grouped(value)];
    }),
  );
}

/**
 * The server will not: one of the catalogue, with what its sentence names; `date` is a day, 'YYYY-MM-DD', `instead`
 * what to do next, where there is something.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: Details;
  /** Its sentence as a catalogue finds it, and what that has at its places. */
  readonly text: Text;
  /** Where in the document it arises; rows count from 0. */
  readonly at: readonly Problem[];
  constructor(code: RefusalCode, details: Details = {}, at: readonly Problem[] = []) {
    const { message, text } = say(textOfRefusal(code), placed(code, details));
    super(message);
    this.code = code;
    this.details = details;
    this.text = text;
    this.at = at;
  }
}
