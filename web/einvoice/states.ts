import type { z } from 'zod';
import type { einvoiceCalls, einvoiceRow, einvoiceStates } from '../../contract/einvoice.ts';
import type { wayCalls } from '../../contract/eway.ts';
import type { Tone } from '../kit/parts.tsx';
import { t } from '../kit/text.ts';

export type EinvoiceState = (typeof einvoiceStates)[number];
export type EinvoiceRow = z.output<typeof einvoiceRow>;
export type Attempt = z.output<(typeof einvoiceCalls)['GetEInvoiceAttempts']['details']>[number];
/** An exchange about an e-invoice or an e-way bill. */
export type AnyAttempt = Attempt | z.output<(typeof wayCalls)['GetEWayBillAttempts']['details']>[number];

interface StateRow {
  readonly word: string;
  readonly tone: Tone;
  /** What it means for who looks at it, in one sentence. */
  readonly says: string;
  /** A person may send it (again): nothing is on its way and the portal has not taken it. */
  readonly sendable?: true;
  /** The next state comes by itself. */
  readonly waiting?: true;
}

/** Every state of an e-invoice, as all screens show it. */
export const states: Readonly<Record<EinvoiceState, StateRow>> = {
  failed: {
    word: 'Failed',
    tone: 'bad',
    says: 'The portal refused it. Correct the errors that it names, then send it again.',
    sendable: true,
  },
  unclear: {
    word: 'No answer',
    tone: 'warn',
    says: 'It was sent and no answer came. The portal is asked for it before it is sent again.',
    sendable: true,
  },
  queued: { word: 'Queued', tone: 'info', says: 'It will be sent in a moment.', waiting: true },
  sending: { word: 'Sending', tone: 'info', says: 'It is on its way to the portal.', waiting: true },
  registered: { word: 'Registered', tone: 'ok', says: 'The portal has registered it.' },
  cancelled: {
    word: 'Cancelled',
    tone: 'neutral',
    says: 'The IRN is cancelled at the portal. This number can never be registered again.',
  },
  void: {
    word: 'Not sent',
    tone: 'neutral',
    says: 'The document was cancelled before it was sent: the portal has no record of it.',
  },
};

/** Registered, but the portal no longer gave out what it has signed. */
const unsigned: StateRow = {
  word: 'No signed copy',
  tone: 'warn',
  says: 'The portal has registered it, but its signed copy and QR code are missing here. Fetch them again, or download them at the portal.',
  sendable: true,
};

const isState = (text: string): text is EinvoiceState => Object.hasOwn(states, text);

/** The row of a state; a word this version does not know is shown as it came. */
export const stateOf = (state: string, signed = true): StateRow =>
  state === 'registered' && !signed
    ? unsigned
    : isState(state)
      ? states[state]
      : { word: state, tone: 'neutral', says: '' };

/** What the button is called that sends it: what failed goes again; what was turned away waits in line and may go now. */
export const sendWord = ({
  state,
  error,
  signed = true,
}: {
  readonly state: string;
  readonly error: string | null;
  readonly signed?: boolean;
}): string | undefined => {
  const { sendable, waiting } = stateOf(state, signed);
  if (state === 'registered') return sendable && t('Fetch signed copy');
  return sendable ? t('Send again') : waiting && error !== null ? t('Send now') : undefined;
};

/** Whether a document of a list may be sent: never asked for yet, or in a state that a person sends from. */
export const mayBeSent = ({ einvoice }: { readonly einvoice: string | null }): boolean =>
  einvoice === null || stateOf(einvoice).sendable === true;

interface Group {
  readonly key: string;
  readonly label: string;
  readonly states: readonly EinvoiceState[];
  /** The text for an empty list. */
  readonly none: string;
}

/** The segments of the inbox; no states means all. */
export const groups: readonly Group[] = [
  { key: '', label: 'All', states: [], none: 'No e-invoices yet' },
  { key: 'mend', label: 'To correct', states: ['failed', 'unclear'], none: 'Nothing to correct' },
  { key: 'waiting', label: 'Waiting', states: ['queued', 'sending'], none: 'Nothing is waiting' },
  { key: 'registered', label: 'Registered', states: ['registered'], none: 'Nothing is registered yet' },
  { key: 'cancelled', label: 'Cancelled', states: ['cancelled', 'void'], none: 'Nothing was cancelled' },
];

type Counts = Readonly<Partial<Record<EinvoiceState, number>>>;

/** How many e-invoices stand in a group. */
export const countOf = (group: Group, counts: Counts): number =>
  Object.entries(counts).reduce(
    (sum, [state, count]) =>
      group.states.length === 0 || group.states.includes(state as EinvoiceState) ? sum + count : sum,
    0,
  );

/** What an attempt did and how it went, in words. */
export const attemptWords: Readonly<Record<AnyAttempt['what'], string>> = {
  register: 'Sent',
  ask: 'Status requested',
  cancel: 'Cancelled',
  make: 'Sent',
  vehicle: 'Part B',
};
export const outcomes: Readonly<Record<AnyAttempt['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  accepted: { word: 'Accepted', tone: 'ok' },
  found: { word: 'Found', tone: 'ok' },
  missing: { word: 'Not there', tone: 'neutral' },
  refused: { word: 'Refused', tone: 'bad' },
  unclear: { word: 'No answer', tone: 'warn' },
};
