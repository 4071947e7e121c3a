import { pincodePrefixes } from '../facts/pincodes.ts';

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
