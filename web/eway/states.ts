import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { wayBill, wayCalls, wayRow, wayStates } from '../../contract/eway.ts';
import { type Advice, type AdviceTable, adviceFrom } from '../einvoice/advice.ts';
import type { Tone } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';

export type WayState = (typeof wayStates)[number];
export type WayRow = z.output<typeof wayRow>;
export type WayBillFacts = z.output<typeof wayBill>;
export type Standing = NonNullable<z.output<(typeof wayCalls)['GetEWayBill']['details']>>;
export type TransportText = Standing['suggested'];

interface StateRow {
  readonly word: string;
  readonly tone: Tone;
  /** What it means for who looks at it, in one sentence. */
  readonly says: string;
}

/** Every state of an e-way bill, as all screens show it. */
const states: Readonly<Record<WayState | 'expired', StateRow>> = {
  queued: { word: 'Queued', tone: 'info', says: 'It will be sent in a moment.' },
  sending: { word: 'Sending', tone: 'info', says: 'It is on its way to the portal.' },
  unclear: {
    word: 'No answer',
    tone: 'warn',
    says: 'It was sent and no answer came. The portal is asked for it before it is sent again.',
  },
  failed: {
    word: 'Failed',
    tone: 'bad',
    says: 'The portal refused it. Correct the errors that it names, then try again.',
  },
  partA: { word: 'Part A', tone: 'warn', says: 'The goods may not move yet: the vehicle is missing.' },
  active: { word: 'Active', tone: 'ok', says: 'The goods may move.' },
  expired: {
    word: 'Expired',
    tone: 'bad',
    says: 'Its validity is over. At the portal it can be extended up to eight hours after its end.',
  },
  cancelled: { word: 'Cancelled', tone: 'neutral', says: 'It is cancelled at the portal. Another one can be made.' },
  void: { word: 'Not sent', tone: 'neutral', says: 'The document was cancelled before it was made.' },
};

/** The row of a bill's state; one that has run out says so. */
export const stateOf = ({ state, expired }: { readonly state: WayState; readonly expired: boolean }): StateRow =>
  states[expired ? 'expired' : state];

interface Group {
  readonly key: string;
  readonly label: string;
  readonly states: readonly WayState[];
  readonly none: string;
}
/** The segments of the list; no states means all. */
export const groups: readonly Group[] = [
  {
    key: '',
    label: 'All',
    states: [],
    none: 'No e-way bills yet: they are made from the document, next to its e-invoice',
  },
  { key: 'failed', label: 'To correct', states: ['failed'], none: 'Nothing to correct' },
  { key: 'unclear', label: 'No answer', states: ['unclear'], none: 'Every answer has come' },
  { key: 'partA', label: 'Vehicle missing', states: ['partA'], none: 'No vehicle is missing' },
  { key: 'active', label: 'Active', states: ['active'], none: 'None is active' },
  { key: 'cancelled', label: 'Cancelled', states: ['cancelled'], none: 'Nothing was cancelled' },
];

const table: AdviceTable = [
  [
    'credentials',
    { says: 'Enter the portal credentials of this registration, then make it again.', screen: 'NIC Configuration' },
  ],
  [
    '101-111,227,1004-1020',
    {
      says: 'The portal does not accept the sign-in: correct the credentials and test them, then make it again.',
      screen: 'NIC Configuration',
    },
  ],
  [
    '702,721,4013,4029,4030',
    {
      says:
        'The portal has another distance between the two PIN codes, or none: enter the distance by road in km, within ' +
        '10 % of the portal’s.',
    },
  ],
  [
    '436,437,710',
    {
      says: 'A PIN code is of another state. Mend the address of the customer or the location, then make it again.',
      screen: 'Party Master',
    },
  ],
  ['222,4018', { says: 'The portal does not know this transporter: ask them for their GSTIN or transporter id.' }],
  ['225,303,4011,4014', { says: 'Write the vehicle as on its plate, KA01AB1234.' }],
  [
    '217',
    {
      says: 'The unit has no code of the portal’s list. Give the unit its UQC, then make it again.',
      screen: 'Supply Master',
    },
  ],
  ['216', { says: 'The HSN code is not one the portal knows. Mend it at the item.', screen: 'Supply Master' }],
  [
    '720',
    {
      says: 'This registration must register its invoices: switch e-invoicing on for it, and the e-way bill is made by the IRN.',
      screen: 'Registration',
    },
  ],
  ['207,4043', { says: 'The document is older than 180 days: no e-way bill is made for it any more.' }],
  ['315,728,4055', { says: 'The 24 hours are over: the bill stays. The customer can reject it within 72 hours.' }],
  ['311', { says: 'Its validity is over: it can be extended at the portal, up to eight hours after its end.' }],
  ['636,637,338', { says: 'The transporter is responsible: they enter the vehicle.' }],
  ['715-719', { says: 'One of the parties is blocked because its returns are overdue.' }],
  [
    '3095,3096,3108,4062,658,813',
    { says: 'The portal is busy or has had too many calls: it is tried again by itself.' },
  ],
];

/** What to do about what either portal said of an e-way bill. */
export const adviceOn = (codes: string | null | undefined): Advice | undefined => adviceFrom(table, codes);

/** Where a document stands with its e-way bill. */
export const useWayBill = (id: string) => {
  const key = useScreenKey('way bill', id);
  return useQuery({ queryKey: key, queryFn: () => api.GetEWayBill({ id }) });
};
