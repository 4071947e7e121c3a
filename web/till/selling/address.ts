import type { Address } from '../../../domain/document/document.ts';
import type { Problem } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import type { KnownParty } from '../../views/editor/facts.ts';

/** Where a buyer lives, as it is typed at the till. */
export interface TypedAddress {
  readonly line1: string;
  readonly city: string;
  readonly pincode: string;
  /** Two digits; empty is the state of the shop. */
  readonly state: string;
}
export const noAddress: TypedAddress = { line1: '', city: '', pincode: '', state: '' };
const parts = ['line1', 'city', 'pincode'] as const;

export const isTyped = (address: TypedAddress): boolean => parts.some((part) => address[part].trim() !== '');

/** As it goes on the bill; nothing where nothing was typed. `home`: the state of the shop. */
export const addressOf = (typed: TypedAddress, home: string): Address | undefined =>
  isTyped(typed)
    ? {
        ...{ line1: typed.line1.trim(), city: typed.city.trim(), pincode: typed.pincode.trim() },
        ...{ state: typed.state || home, country: 'IN' },
      }
    : undefined;

const PIN = /^[1-9]\d{5}$/;
/** What is missing of an address that was begun: the server would not take it. */
export const addressProblems = (typed: TypedAddress): Problem[] => {
  if (!isTyped(typed)) return [];
  const wrong = (part: string, message: string): Problem => ({ field: `billTo.${part}`, message });
  return [
    ...(typed.line1.trim() ? [] : [wrong('line1', t('Enter the address'))]),
    ...(typed.city.trim() ? [] : [wrong('city', t('Enter the city'))]),
    ...(PIN.test(typed.pincode.trim()) ? [] : [wrong('pincode', t('A PIN code has six digits'))]),
  ];
};

/** Lines of an address on the paper of a till, the state with its code (rule 46). */
export const addressLines = (
  { line1 = '', line2 = '', city = '', pincode = '', state = '' }: Partial<Record<keyof Address, string>>,
  named: (state: string) => string | undefined,
): readonly string[] =>
  [line1, line2, [city, pincode].filter(Boolean).join(' '), state && `State ${state} – ${named(state) ?? ''}`].filter(
    (line) => line.trim() !== '',
  );

/** The billing address of a customer's master. */
export const onRecord = (party: KnownParty): Partial<Record<keyof Address, string>> => {
  const all = party.addresses as readonly (Partial<Record<keyof Address, string>> & { readonly type?: string })[];
  return { ...(all.find(({ type }) => type !== 'shipping') ?? all[0]), state: party.state };
};
