import {
  type Millionths,
  moneyText,
  type Percent,
  parseDecimal,
  percentText,
  quantityText,
  rateText,
} from '../base/decimal.ts';
import type { Paise } from '../base/money.ts';
import type { Said } from '../base/say.ts';
import type { Covers, Day, Id, StateCode } from './document.ts';

/*
 * The values that fields of a document have. In a draft amounts, quantities and rates are whole numbers, on the wire they are
 * decimal text: `textOf` and `readTexts` convert by a table of fields. `contract/document-fields.ts` has the schema of each value.
 */

/** Values without settings: their type in a draft, by their name in a table. */
interface Plain {
  /** Text that is checked elsewhere, such as the name of a kind or a GSTIN. */
  readonly word: string;
  readonly day: Day;
  readonly state: StateCode;
  readonly country: string;
  readonly currency: string;
  /** The currency of a part, in capital letters. */
  readonly currencyCode: string;
  readonly hsn: string;
  readonly pincode: string;
  readonly warningCode: string;
  readonly flag: boolean;
  readonly version: number;
  /** The number of a line, from 1. */
  readonly lineNumber: number;
  /** The number of a line, or 0 for the whole document. */
  readonly lineOrWhole: number;
  /** The number of a bill in the series of its till. */
  readonly counter: number;
  readonly money: Paise;
  readonly quantity: Millionths;
  readonly rate: Millionths;
  readonly exchangeRate: Millionths;
  readonly percent: Percent;
}
export type PlainValue = keyof Plain;

/** Which record an id names. */
export type RecordName =
  | 'draft'
  | 'session'
  | 'device'
  | 'user'
  | 'registration'
  | 'location'
  | 'party'
  | 'item'
  | 'ledger'
  | 'room'
  | 'costCentre'
  | 'document';

/** Text of at most `most` characters. `filled`: it may not be empty, and the message calls it so. */
export interface TextForm {
  readonly is: 'text' | 'number';
  readonly most: number;
  readonly filled?: string;
}
/** Values with settings. */
export type Form =
  | TextForm
  | { readonly is: 'id'; readonly of: RecordName }
  | { readonly is: 'choice'; readonly options: readonly string[] }
  | { readonly is: 'record'; readonly fields: Fields }
  | { readonly is: 'list'; readonly fields: Fields; readonly most?: number; readonly message?: Said }
  | { readonly is: 'texts'; readonly each: TextForm }
  | { readonly is: 'namedTexts'; readonly most: number }
  | { readonly is: 'quantitiesByLine' }
  | { readonly is: 'internal' };
/** `T` is the type in a draft; it is not there at run time. */
type Typed<T> = { readonly type?: T };
export type Value<T = unknown> = PlainValue | (Form & Typed<T>);

export interface Field {
  readonly value: Value;
  /** A draft always has it. So does the wire, unless `default` says what is taken where it is left out. */
  readonly required?: true;
  /** Taken where the wire leaves it out: text as a call would send it, or a number as it is in a draft. */
  readonly default?: string | number;
  /** Set by the server: no call sends it. */
  readonly server?: true;
}
export type Fields = Readonly<Record<string, Field>>;

type TypeOf<V> = V extends PlainValue ? Plain[V] : V extends Typed<infer T> ? T : never;
type RequiredIn<F> = { [N in keyof F]: F[N] extends { readonly required: true } ? N : never }[keyof F];
/** The type of the values that a table describes. */
export type ValuesOf<F extends Fields> = {
  readonly [N in keyof F as N extends RequiredIn<F> ? N : never]: TypeOf<F[N]['value']>;
} & {
  readonly [N in keyof F as N extends RequiredIn<F> ? never : N]?: TypeOf<F[N]['value']>;
};

/** A table whose values have the type `T`. */
export type FieldsOf<T> = { readonly [N in keyof T]-?: { readonly value: ValueFor<NonNullable<T[N]>> } };
type ValueFor<T> = { [P in PlainValue]: T extends Plain[P] ? P : never }[PlainValue] | (Form & { readonly type?: T });

/** The type of the same values on the wire. */
export type WireOf<T> = T extends Paise | Millionths | Percent
  ? string
  : T extends readonly (infer E)[]
    ? readonly WireOf<E>[]
    : T extends object
      ? { readonly [N in keyof T]: WireOf<T[N]> }
      : T;

export const text = (most: number, filled?: string): TextForm & Typed<string> => ({
  is: 'text',
  most,
  ...(filled && { filled }),
});
/** The number of a paper, a batch or a piece: numbers are compared, so they have no characters that cannot be seen. */
export const numberText = (most: number, filled?: string): TextForm & Typed<string> => ({
  is: 'number',
  most,
  ...(filled && { filled }),
});
export const idOf = (of: RecordName): Form & Typed<Id> => ({ is: 'id', of });
export const choice = <const O extends readonly string[]>(...options: O): Form & Typed<O[number]> => ({
  is: 'choice',
  options,
});
export const record = <T>(fields: FieldsOf<T>): Form & Typed<T> => ({ is: 'record', fields: fields as Fields });
/** A list of records. `most` rows, or the message. */
export const listOf = <T>(fields: FieldsOf<T>, most?: number, message?: Said): Form & Typed<readonly T[]> => ({
  is: 'list',
  fields: fields as Fields,
  ...(most && { most }),
  ...(message && { message }),
});
export const textsOf = (each: TextForm): Form & Typed<readonly string[]> => ({ is: 'texts', each });
export const namedTexts = (most: number): Form & Typed<Readonly<Record<string, string>>> => ({
  is: 'namedTexts',
  most,
});
export const quantitiesByLine: Form & Typed<Covers> = { is: 'quantitiesByLine' };
/** Set by the server, and not on the wire. */
export const internal = <T>(): Form & Typed<T> => ({ is: 'internal' });

const decimals: Readonly<Partial<Record<PlainValue, { readonly places: number; text(n: number): string }>>> = {
  money: { places: 2, text: moneyText },
  quantity: { places: 6, text: quantityText },
  rate: { places: 6, text: rateText },
  exchangeRate: { places: 6, text: rateText },
  percent: { places: 4, text: percentText },
};
const decimalOf = (value: Value) => (typeof value === 'string' ? decimals[value] : undefined);
/** The decimal places of a number; undefined: the value is no decimal number. */
export const placesOf = (value: Value): number | undefined => decimalOf(value)?.places;

type Given = Readonly<Record<string, unknown>>;
const mapped = (given: Given, convert: (value: unknown, name: string) => unknown): Given =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, convert(value, name)]));
const fieldOf = (fields: Fields, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Values of a draft as they go over the wire. A value that has no row in the table stays as it is. */
export const textOf = <T extends object>(fields: FieldsOf<T>, values: T): WireOf<T> =>
  wireOf(fields as Fields, values as Given) as WireOf<T>;

const wireOf = (fields: Fields, values: Given): Given =>
  mapped(values, (value, name) => {
    const field = fieldOf(fields, name);
    return field && value != null ? wireText(field.value, value) : value;
  });

function wireText(value: Value, given: unknown): unknown {
  if (typeof value === 'string') return typeof given === 'number' ? (decimals[value]?.text(given) ?? given) : given;
  switch (value.is) {
    case 'record':
      return wireOf(value.fields, given as Given);
    case 'list':
      return (given as readonly Given[]).map((row) => wireOf(value.fields, row));
    case 'quantitiesByLine':
      return mapped(given as Given, (quantity) => quantityText(quantity as number));
    default:
      return given;
  }
}

/**
 * Values of the wire as a draft has them. A number that cannot be read counts as not given, and as zero where a record has to
 * have it. A value that has no row in the table stays as it is.
 */
export const readTexts = <T extends object>(fields: FieldsOf<T>, texts: Given): Partial<T> =>
  readWire(fields as Fields, texts) as Partial<T>;

const readWire = (fields: Fields, texts: Given): Given =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, given]) => {
      const field = fieldOf(fields, name);
      const value = field && given != null ? readValue(field.value, given) : given;
      return value === undefined ? [] : [[name, value]];
    }),
  );

function readValue(value: Value, given: unknown): unknown {
  if (typeof value === 'string') {
    const places = placesOf(value);
    return places === undefined ? given : parseDecimal(String(given), places);
  }
  switch (value.is) {
    case 'record':
      return readRecord(value.fields, given as Given);
    case 'list':
      return (given as readonly Given[]).map((row) => readRecord(value.fields, row));
    case 'quantitiesByLine':
      return mapped(given as Given, (quantity) => parseDecimal(String(quantity), 6) ?? 0);
    default:
      return given;
  }
}

const readRecord = (fields: Fields, texts: Given): Given => ({ ...zerosOf(fields), ...readWire(fields, texts) });
const zerosOf = (fields: Fields): Given =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { value, required }]) => (required && decimalOf(value) ? [[name, 0]] : [])),
  );
