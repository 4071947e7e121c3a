import { pincodePrefixes } from '../../../facts/pincodes.ts';

/** Whether a PIN code can belong to a state. 999999 is for outside India and other territory only. */
export const pincodeFits = (pincode: string, state: string): boolean => {
  if (!/^[1-9][0-9]{5}$/.test(pincode)) return false;
  if (pincode === '999999') return state === '96' || state === '97';
  if (state === '96') return false;
  const ranges = pincodePrefixes[state];
  // The portal publishes no range for some states; those are not refused.
  if (!ranges) return true;
  const prefix = Number(pincode.slice(0, 3));
  return ranges.some(([from, to]) => prefix >= from && prefix <= to);
};

/** The states that a PIN code can belong to, the one with the fewest codes first; none for what is no PIN code. */
export const statesOfPincode = (pincode: string): readonly string[] => {
  const size = (state: string) => (pincodePrefixes[state] ?? []).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return Object.keys(pincodePrefixes)
    .filter((state) => pincodeFits(pincode, state))
    .toSorted((a, b) => size(a) - size(b));
};

/** The state of an address: of those that its PIN code can belong to, that of the GSTIN or party if it is one of them. */
export const stateProposed = (pincode: string, usual: string): string => {
  const states = statesOfPincode(pincode);
  return states.length === 0 || states.includes(usual) ? usual : (states[0] ?? '');
};
