import type { ScreenName } from '../../contract/screens.ts';

export interface Advice {
  readonly says: string;
  /** Where that is done. */
  readonly screen?: ScreenName;
}

const copy = 'A posted document is not changed: cancel it, make a copy and mend it there.';

/** What to do about the portal's codes, the first that fits; `from-to` is a range. */
const table: AdviceTable = [
  [
    'credentials',
    { says: 'Enter the portal credentials of this registration, then send again.', screen: 'NIC Configuration' },
  ],
  [
    'differs',
    {
      says:
        'Look the number up at the portal. If it is taken there by another invoice, cancel this one and post a copy ' +
        'under a new number.',
    },
  ],
  [
    '1004-1020',
    {
      says: 'The portal does not accept the sign-in: correct the credentials and test them, then send again.',
      screen: 'NIC Configuration',
    },
  ],
  [
    '3026,2300,2231',
    {
      says: 'This registration is not enabled for e-invoices at the portal. Enable it there, or switch e-invoicing off for it.',
      screen: 'Registration',
    },
  ],
  ['2278', { says: `A number whose IRN was cancelled is never taken again. ${copy}` }],
  [
    '2150,2295',
    {
      says:
        'The portal has this number for another document. Compare the two there; if this one is right, cancel it ' +
        'and post a copy under a new number.',
    },
  ],
  ['2163,2218,2307', { says: 'The date is after today at the portal: send again on that day.' }],
  [
    '2284,2305',
    {
      says:
        'The document is older than the portal takes. It can no longer be registered; talk to your adviser about ' +
        'reporting it in the return.',
    },
  ],
  [
    '2176,2199,3047,3048',
    { says: `The HSN or SAC is wrong for what is sold. Mend it at the item. ${copy}`, screen: 'Supply Master' },
  ],
  [
    '2177',
    {
      says: 'The unit has no code of the portal’s list. Give the unit its UQC, then send again.',
      screen: 'Supply Master',
    },
  ],
  [
    '2172,2174,2179-2181,2222,2223,2237,2240,2241',
    { says: `The tax does not fit the states or the rates in force. ${copy}` },
  ],
  [
    '2182-2189,2193,2194,2227,2234,2235,2266',
    {
      says: 'The sums do not agree with the portal’s. Send again once; if it stays, tell support the code and the number of the document.',
    },
  ],
  ['2211', { says: `Seller and buyer have the same GSTIN: that is no sale and gets no IRN. ${copy}` }],
  [
    '2212,2246-2248,2298',
    {
      says: `The kind of supply does not fit what the customer is. Mend the customer’s category. ${copy}`,
      screen: 'Party Master',
    },
  ],
  [
    '2258,2265',
    {
      says: 'A state differs from the first two digits of the GSTIN. Mend the customer or the registration, then send again.',
      screen: 'Party Master',
    },
  ],
  [
    '2288,3028,3029,3074-3079',
    {
      says: 'The portal does not know the customer’s GSTIN as active. Ask the customer, correct it, then send again.',
      screen: 'Party Master',
    },
  ],
  [
    '2178,2244,2272-2276,3038-3041',
    {
      says: 'A PIN code is missing or is of another state. Mend the address of the customer or the registration, then send again.',
      screen: 'Party Master',
    },
  ],
  ['2214-2217', { says: 'The address of a party is not complete. Mend it, then send again.', screen: 'Party Master' }],
  ['2229,2232,2242,2243,2245,2261,2262,2269,2303', { says: `The place of supply does not fit. ${copy}` }],
  ['2173', { says: `The portal takes at most 1,000 lines: split the document. ${copy}` }],
  ['2230', { says: 'Cancel the e-way bill first.' }],
  ['2270', { says: 'The 24 hours are over: the IRN stays. Make a credit note instead.' }],
  ['3095,3096,3108,3109,4062', { says: 'The portal is busy or has had too many calls: it is tried again by itself.' }],
  ['2139,2141,2146,2147', { says: 'The portal has trouble of its own: send again later.' }],
  [
    '2140,2155-2161,2206-2209,2228,2255,2263,2279-2285,5001,5002',
    { says: 'The portal names a field that is missing or wrong. Mend it where it is kept, then send again.' },
  ],
];

const fits = (codes: string, code: string): boolean =>
  codes.split(',').some((each) => {
    const [from = '', to] = each.split('-');
    return to === undefined
      ? from === code
      : /^\d+$/.test(code) && Number(code) >= Number(from) && Number(code) <= Number(to);
  });

export type AdviceTable = readonly (readonly [codes: string, advice: Advice])[];

/** What a table advises on what the portal said; it may have named several codes ("2172, 2189"). */
export const adviceFrom = (rows: AdviceTable, codes: string | null | undefined): Advice | undefined =>
  (codes ?? '')
    .split(',')
    .map((code) => rows.find(([row]) => fits(row, code.trim()))?.[1])
    .find((advice) => advice !== undefined);

/** What to do about what the invoice portal said. */
export const adviceOn = (codes: string | null | undefined): Advice | undefined => adviceFrom(table, codes);
