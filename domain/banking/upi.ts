import { moneyText } from '../base/decimal.ts';
import type { Paise } from '../base/money.ts';

/** What a UPI application is to fill in: to whom, how much, and for what. */
export interface UpiRequest {
  /** Address of the account, 'shop@bank'. */
  readonly id: string;
  readonly name: string;
  readonly amount: Paise;
  /** Number of the document. */
  readonly reference: string;
}

/** Whether the text is a UPI address: a name, @, and the handle of a bank. */
export const isUpiId = (text: string): boolean => /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/.test(text);

/** Letters that a link of NPCI's specification carries in `tr` and `tn`: at most so many, others are left out. */
const plain = (text: string, most: number): string => text.replace(/[^A-Za-z0-9 ./-]/g, '').slice(0, most);

/** The link of a UPI QR code with the exact amount (NPCI, UPI linking specification); undefined without an address or amount. */
export function upiLink({ id, name, amount, reference }: UpiRequest): string | undefined {
  if (!isUpiId(id) || amount <= 0) return undefined;
  const parts = [
    ['pa', id],
    ['pn', name.slice(0, 99)],
    ['am', moneyText(amount)],
    ['cu', 'INR'],
    ['tr', plain(reference, 35).replaceAll(' ', '')],
    ['tn', plain(reference, 50)],
  ];
  return `upi://pay?${parts.map(([key, value = '']) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
}
