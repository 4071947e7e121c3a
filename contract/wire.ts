import { z } from 'zod';
import {
  FINEST_PRICE,
  type Millionths,
  MOST_PAISE,
  millionths,
  type Percent,
  parseDecimal,
  percent,
  rupeesText,
} from '../domain/base/decimal.ts';
import { type Paise, paise } from '../domain/base/money.ts';
import { rateOfNothing } from '../domain/document/rate.ts';
import { levels } from './levels.ts';

/** Decimals are text on the wire; parsing gives whole numbers. `places` says how many decimals are allowed. */
const decimal = <T extends number>(
  places: number,
  what: string,
  make: (n: number) => T,
  unfit: (text: string) => string | undefined = () => undefined,
) =>
  z.string().transform((text, context): T => {
    const n = parseDecimal(text, places);
    if (n === undefined) {
      const message = unfit(text) ?? `${what} is a number with at most ${places} decimals`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    return make(n);
  });

const LARGEST = MOST_PAISE;
export const money = decimal<Paise>(2, 'An amount', paise).refine(
  (n) => Math.abs(n) <= LARGEST,
  'The amount is too large',
);
export const quantity = decimal<Millionths>(6, 'A quantity', millionths).refine(
  (n) => Math.abs(n) <= 1_000_000_000_000_000,
  'The quantity is too large',
);
const MOST_PRICE = `${rupeesText(MOST_PAISE)}`;
/** Why a number with few enough decimals is no unit price: it is above what a document may come to, or too fine for its size. */
const unfitPrice = (text: string): string | undefined => {
  const [, head = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (head === '' || /[1-9]/.test(fraction.slice(6))) return undefined;
  if (BigInt(head + fraction.slice(0, 2).padEnd(2, '0')) > BigInt(MOST_PAISE))
    return `A document is at most ${MOST_PRICE}, and so is a rate`;
  return `A rate above ${rupeesText(Math.floor(FINEST_PRICE / 10_000))} has at most 2 decimals`;
};
export const unitRate = decimal<Millionths>(6, 'A rate', millionths, unfitPrice).refine(
  (n) => n >= 0,
  'A rate is not negative',
);
/** Rupees for one of a currency. Nothing is worth nothing: a rate that is not known is left out. */
export const exchangeRate = unitRate.refine((n) => n !== 0, rateOfNothing);
export const percentage = decimal<Percent>(4, 'A percentage', percent).refine(
  (n) => n >= 0 && n <= 1_000_000,
  'A percentage is between 0 and 100',
);

/** A real calendar day. */
export const day = z.iso.date('A date is written YYYY-MM-DD');
/** An input with the first and the last day of a period, either of which may be left out: it does not end before it begins. */
export const withPeriod = <T extends z.ZodRawShape>(shape: T, from: keyof T & string, to: keyof T & string) =>
  z.object(shape).refine(
    (input: Readonly<Record<string, unknown>>) => {
      const [first, last] = [input[from], input[to]];
      return typeof first !== 'string' || typeof last !== 'string' || last >= first;
    },
    { path: [to], message: 'End Date should be greater than Start Date' },
  );
export const id = z.uuid();
/** The level of a grant, as its number. */
export const grantLevel = z.union([
  z.literal(levels.none),
  z.literal(levels.view),
  z.literal(levels.create),
  z.literal(levels.approve),
  z.literal(levels.full),
]);
export const stateCode = z.string().regex(/^\d{2}$/, 'A state code has two digits');
/** Text without control characters or direction overrides, in NFC. */
export const text = (most: number) =>
  z
    .string()
    .max(most, `At most ${most} characters`)
    .transform((t) => t.normalize('NFC').trim())
    .refine(isPrintable, 'This text holds characters that cannot be printed');

/** No control characters but the line break, no overrides of writing direction. */
const isPrintable = (t: string): boolean =>
  [...t].every((character) => {
    const code = character.codePointAt(0) ?? 0;
    const control = (code < 32 && code !== 10) || code === 127;
    const direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    // spaces and joiners without width; the joiners of Indian scripts, U+200C and U+200D, belong to names
    const unseen = code === 0x200b || code === 0xfeff || (code >= 0x2060 && code <= 0x2064) || code === 0x00ad;
    // half a letter: what is stored in its place would be another text
    const half = code >= 0xd800 && code <= 0xdfff;
    return !control && !direction && !unseen && !half;
  });
/** A number or a reference is compared with others: it holds nothing that cannot be seen. */
export const numberText = (most: number) =>
  text(most).refine(
    (t) => !/\u200c|\u200d|\u200e|\u200f|\u061c/.test(t),
    'This number holds characters that cannot be seen',
  );
export const required = (most: number, what: string) => text(most).refine((t) => t.length > 0, `${what} is required`);
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((t) => t === 'true')]);
/** A whole number, also from a query. */
export const whole = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int());

/** Decimal text in an answer. */
export const decimalText = z.string();
export const nothing = z.object({});

/** A row of a page: the first is row 1; a list goes as far as row 10,000. */
export const position = whole.refine((n) => n >= 1 && n <= 10_000, 'A row is between 1 and 10,000');
/** Rows to leave out before a page, and where it ends: pickers and lists of parties and items go as far as row 5,000. */
export const paging = {
  LStart: whole.refine((n) => n >= 0 && n <= 5000, 'A page begins between 0 and 5,000').default(0),
  LEnd: whole.refine((n) => n >= 0 && n <= 5000, 'A page ends at row 5,000 at the latest').default(5000),
};

/** Organisation, location and user choose among what the session may see; they never grant. */
export const chosen = {
  OrgCode: z.string().optional(),
  SubOrgCode: z.string().optional(),
  /** A registration, by its GSTIN or its tax location. */
  TaxLocation: z.string().optional(),
  UserName: z.string().optional(),
};

/** What is said to people: in English, and as the catalogue of another language finds it (ADR 82). */
export const said = {
  message: z.string(),
  text: z.object({ key: z.string(), values: z.record(z.string(), z.any()) }).optional(),
};
