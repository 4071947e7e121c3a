import type { DraftBody } from '../../../contract/documents.ts';
import {
  formatDecimal,
  HUNDRED_PERCENT,
  millionths,
  ONE,
  parseDecimal,
  percent,
  quantityText,
} from '../../../domain/base/decimal.ts';
import { type Paise, paise, scale, zero } from '../../../domain/base/money.ts';
import { discountProblem } from '../../../domain/document/discount.ts';
import type {
  Allocation,
  Discount,
  Draft,
  DraftAdjustment,
  DraftCharge,
  DraftLine,
} from '../../../domain/document/document.ts';
import { headFields, lineFields } from '../../../domain/document/fields.ts';
import { heldOf } from '../../../domain/document/holds.ts';
import { kindCalled } from '../../../domain/document/kinds/index.ts';
import { isRateOfNothing, rateOfNothing } from '../../../domain/document/rate.ts';
import { type Fields, placesOf, readTexts, type Value } from '../../../domain/document/values.ts';
import {
  batchesFrom,
  batchesText,
  serialsFrom,
  serialsText,
  type TypedBatch,
  wholeText,
} from '../../../domain/stock/part-text.ts';
import { nothingChosen } from '../../kit/fields/unchosen.ts';
import type { Problem } from '../../kit/server/api.ts';
import { t, translated } from '../../kit/text.ts';

/** A document in the making is flat text by field ('shipTo.city'), as it is typed; this file carries it to the wire and back. */
export type Texts = Readonly<Record<string, string>>;
export interface Typed {
  readonly kind: string;
  readonly head: Texts;
  readonly lines: readonly Texts[];
  readonly charges: readonly Texts[];
  readonly adjustments: readonly Texts[];
  readonly tenders: readonly Texts[];
  readonly allocations: readonly Texts[];
}

type Plain = Readonly<Record<string, unknown>>;
const namesOf = (fields: Fields, fits: (value: Value) => boolean): readonly string[] =>
  Object.entries(fields).flatMap(([name, { value }]) => (fits(value) ? [name] : []));
const isDecimal = (value: Value): boolean => placesOf(value) !== undefined;
const isText = (value: Value): boolean =>
  typeof value === 'string' ? value === 'day' || value === 'hsn' : ['text', 'number', 'choice'].includes(value.is);
/** A record that is searched by what is typed. Registrations and locations are chosen from a list. */
const isSearched = (value: Value): boolean =>
  typeof value === 'object' && value.is === 'id' && !['draft', 'registration', 'location'].includes(value.of);

const flags = new Set(namesOf(headFields, (value) => value === 'flag'));
const lineFigures = namesOf(lineFields, isDecimal);
const lineTexts = namesOf(lineFields, isText);
/** Fields of a line that name a record: the cell shows its name, another has its id. */
export const picked: readonly (readonly [shown: string, id: string])[] = namesOf(lineFields, isSearched).map((name) => [
  name,
  `${name}Id`,
]);

/** '10%' or '10.5 %' is a percent, '120' an amount. */
export const discountOf = (text: string | undefined): { percent: string } | { amount: string } | undefined => {
  const bare = (text ?? '').replaceAll(',', '').trim();
  if (bare === '') return undefined;
  return bare.endsWith('%') ? { percent: bare.slice(0, -1).trim() } : { amount: bare };
};
export const discountText = (discount: unknown): string => {
  const { percent: rate, amount } = (discount ?? {}) as { percent?: string; amount?: string };
  return rate !== undefined ? `${rate}%` : (amount ?? '');
};

/** Sets a value at a dotted path of a copy. */
const put = (into: Plain, path: string, value: unknown): Plain => {
  const [first = '', ...rest] = path.split('.');
  return { ...into, [first]: rest.length ? put((into[first] ?? {}) as Plain, rest.join('.'), value) : value };
};

const headBody = (head: Texts): Plain => {
  let body: Plain = {};
  for (const [field, text] of Object.entries(head)) {
    if (text === '' || field.startsWith('_') || field.startsWith(ACCEPTED)) continue;
    const value = field === 'discount' ? discountOf(text) : flags.has(field) ? text === 'true' : text;
    body = put(body, field, value);
  }
  return { ...body, ...acceptedOf(head) };
};

/** Reasons given for warnings stand in the head under their codes: 'accepted.duplicateBill'. */
const ACCEPTED = 'accepted.';
export const acceptedField = (code: string): string => `${ACCEPTED}${code}`;
const acceptedOf = (head: Texts): Plain => {
  const given = Object.entries(head).flatMap(([field, reason]) =>
    field.startsWith(ACCEPTED) && reason !== '' ? [{ warning: field.slice(ACCEPTED.length), reason }] : [],
  );
  return given.length > 0 ? { accepted: given } : {};
};
const acceptedFrom = (accepted: unknown): Texts =>
  Array.isArray(accepted)
    ? Object.fromEntries(accepted.map(({ warning, reason }) => [acceptedField(String(warning)), String(reason)]))
    : {};

const isOwnRate = (row: Texts): boolean => row['gstRate'] === row['gstOwn'];
/** The line as the server takes it. A rate of tax that is the item's own is not sent: it is an override only when it differs. */
const lineBody = (row: Texts): Plain => {
  const names = [...lineTexts, ...lineFigures].filter((name) => row[name] && !(name === 'gstRate' && isOwnRate(row)));
  const [document, line] = (row['source'] ?? '').split('/');
  const discount = discountOf(row['discount']);
  return {
    ...Object.fromEntries(picked.flatMap(([shown, id]) => (row[id] ? [[shown, row[id]]] : []))),
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
    ...(discount && { discount }),
    ...(row['creditBlocked'] ? { creditBlocked: row['creditBlocked'] === 'true' } : {}),
    ...(document && line ? { source: { document, line: Number(line) } } : {}),
    ...partsBody(row),
  };
};

/** Text for which no record is chosen is kept in a draft in the place of the record's id, until it is mended. */
const unchosenBody = (row: Texts): Plain =>
  Object.fromEntries(
    picked.flatMap(([shown, id]) => (row[shown] && !row[id] && !hasNoItem(row) ? [[shown, row[shown]]] : [])),
  );
const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
/** The fields of the head that name a record. */
const records = namesOf(headFields, isSearched);

/** Batches and serial numbers are typed in a cell each. */
const partsBody = (row: Texts): { readonly batches?: readonly TypedBatch[]; readonly serials?: readonly string[] } => ({
  ...(row['batches'] && { batches: batchesFrom(row['batches'], wholeText(row)) }),
  ...(row['serials'] && { serials: serialsFrom(row['serials']) }),
});

/** Whether anything was typed in a line; blank ones are left out, and those that were only listed to be counted. */
export const isFilled = (row: Texts): boolean =>
  row['listed'] && !['counted', 'delta', 'batches', 'serials'].some((name) => row[name])
    ? false
    : typedCells.some((name) => row[name]);
const typedCells = [...picked.flat(), ...lineTexts, ...lineFigures]
  .concat('discount', 'creditBlocked', 'counted', 'batches', 'serials')
  .filter((name) => name !== 'treatment');

/** Under this name is kept what was typed for a record in the head and matched none. */
export const leftAt = (field: string): string => `_left.${field}`;

/** A line of a document that was booked as an expense, or of a charge: its ledger or name is shown in the place of an item. */
const hasNoItem = (row: Texts): boolean =>
  Boolean((row['ledgerId'] || row['charge']) && row['source'] && !row['itemId']);

/** Text for which no record is chosen: it is never dropped in silence. */
export const unpicked = ({ head, lines, charges, adjustments, tenders }: Typed): readonly Problem[] => {
  const withoutAmount = (rows: readonly Texts[], before: string) =>
    rows.flatMap((row, index) =>
      isTypedRow(row) && !row['amount']
        ? [{ field: `${before}amount`, row: index, message: t('Enter an amount, or delete the line') }]
        : [],
    );
  const wrong = (field: string, text: string, row?: number): Problem => ({
    ...{ field, message: nothingChosen(text) },
    ...(row !== undefined && { row }),
  });
  const inRows = (rows: readonly Texts[], before: string) =>
    rows.flatMap((row, index) =>
      picked.flatMap(([shown, id]) =>
        row[shown] && !row[id] && !hasNoItem(row) ? [wrong(before + shown, row[shown], index)] : [],
      ),
    );
  return [
    ...Object.entries(head).flatMap(([name, text]) =>
      text && name.startsWith(leftAt('')) ? [wrong(name.slice(leftAt('').length), text)] : [],
    ),
    ...inRows(lines, ''),
    ...inRows(charges, 'charges.'),
    ...inRows(adjustments, 'adjustments.'),
    ...inRows(tenders, 'tenders.'),
    ...withoutAmount(charges, 'charges.'),
    ...withoutAmount(adjustments, 'adjustments.'),
    ...withoutAmount(tenders, 'tenders.'),
  ];
};

/** The figures of a line in which something stands that is no number. */
const notNumbers = (row: Texts): readonly string[] =>
  lineFigures.filter((name) => row[name] && !(name in readTexts<DraftLine>(lineFields, { [name]: row[name] })));
/** Whether all figures of a line are numbers: another line comes to nothing and is not counted. */
export const isReadable = (row: Texts): boolean => notNumbers(row).length === 0 && discountWrong(row).length === 0;
const discountWrong = ({ discount }: Texts): readonly Problem[] => {
  const message = discountProblem(discountOf(discount));
  return message === undefined ? [] : [{ field: 'discount', message: translated(message) }];
};
/** Text where a number or a discount belongs, at its cell, and a rate of exchange of 0. */
export const unreadable = ({ head, lines }: Pick<Typed, 'head' | 'lines'>): readonly Problem[] => [
  ...(isRateOfNothing(head['exchangeRate']) ? [{ field: 'exchangeRate', message: t(rateOfNothing) }] : []),
  ...discountWrong(head),
  ...lines.flatMap((line, row) => discountWrong(line).map((problem) => ({ ...problem, row }))),
  ...lines.flatMap((line, row) =>
    notNumbers(line).map((field) => ({
      field,
      row,
      message: t('“{{line}}” is not a number. Enter a number', { line: line[field] }),
    })),
  ),
];

/** Whether anything was typed in a row of a small list. */
export const isTypedRow = (row: Texts): boolean =>
  ['name', 'ledger', 'ledgerId', 'amount', 'gstRate', 'hsn', 'reference'].some((name) => row[name]);

/** An open item in one word: its document, and the line where each line is due by itself. */
export const itemName = ({ document, line = 0 }: { readonly document: string; readonly line?: number }): string =>
  line === 0 ? document : `${document}/${line}`;
const itemNamed = (name: string): { readonly document: string; readonly line?: number } => {
  const [document = '', line] = name.split('/');
  return line === undefined ? { document } : { document, line: Number(line) };
};

/** What is posted of what was typed: of a source's lines only those of which something is taken, of a count what differs. */
export const taken = (typed: Typed): Typed => ({
  ...typed,
  lines: typed.lines.map((row) => (isNothingTaken(row) || isNoChange(row) ? {} : row)),
});
const isNothingTaken = (row: Texts): boolean =>
  Boolean(row['source']) && parseDecimal(row['quantity'] || '0', 6) === 0 && !row['delta'];
const isNoChange = (row: Texts): boolean => Boolean(row['counted']) && parseDecimal(row['delta'] ?? '', 6) === 0;

export interface Sendable {
  readonly body: DraftBody;
  /** For each line sent, the row of the grid it came from: problems come back by the sent line. */
  readonly rowOf: readonly number[];
}

/** The document as the server takes it. What cannot be read stays as typed, so that the server names it. */
export const bodyOf = ({ kind, head, lines, charges, adjustments, tenders, allocations }: Typed): Sendable => {
  const filled = lines.flatMap((row, index) => (isFilled(row) ? [{ row, index }] : []));
  const listed = (name: string, rows: readonly Plain[]) => (rows.length ? { [name]: rows } : {});
  const body = {
    ...headBody(head),
    ...Object.fromEntries(records.flatMap((name) => (head[leftAt(name)] ? [[name, head[leftAt(name)]]] : []))),
    kind,
    lines: filled.map(({ row }) => ({ ...lineBody(row), ...unchosenBody(row) })),
    ...listed(
      'charges',
      charges
        .filter(isTypedRow)
        .map(({ name = '', amount = '', ledger = '', ledgerId = ledger, gstRate = '', hsn = '' }) => ({
          name,
          amount,
          apportion: 'value',
          ...(ledgerId && { ledger: ledgerId }),
          ...(gstRate && { gstRate, hsn }),
        })),
    ),
    ...listed(
      'adjustments',
      adjustments.filter(isTypedRow).map(({ name = '', amount = '', sign = '', ledger = '', ledgerId = ledger }) => ({
        ...{ name, amount, sign: sign || 'add' },
        ...(ledgerId && { ledger: ledgerId }),
      })),
    ),
    ...listed(
      'tenders',
      tenders.filter(isTypedRow).map(({ ledger = '', ledgerId = ledger, amount = '', reference = '' }) => ({
        ledger: ledgerId,
        amount,
        ...(reference && { reference }),
      })),
    ),
    ...listed(
      'allocations',
      allocations.filter((row) => row['amount']).map(({ item = '', amount = '' }) => ({ ...itemNamed(item), amount })),
    ),
  };
  return { body: body as unknown as DraftBody, rowOf: filled.map(({ index }) => index) };
};

const flatPairs = (plain: Plain, before: string): readonly (readonly [string, string])[] =>
  Object.entries(plain).flatMap(([field, value]): readonly (readonly [string, string])[] => {
    if (value == null || Array.isArray(value)) return [];
    if (field === 'discount') return [['discount', discountText(value)]];
    if (typeof value === 'object') return flatPairs(value as Plain, `${before}${field}.`);
    return [[before + field, String(value)]];
  });
const flatten = (plain: Plain): Texts => Object.fromEntries(flatPairs(plain, ''));

/**
 * A stored or converted body back as texts, without what its kind does not have and no field shows; names of records
 * are filled in when their facts are there.
 */
export const typedOf = (kind: string, kept: Plain): Typed => {
  const row = kindCalled(kind);
  const body = row ? heldOf(row, kept) : kept;
  const rows = (name: string) => (Array.isArray(body[name]) ? (body[name] as Plain[]) : []);
  const { kind: _kind, id: _id, version: _version, total: _total, ...flat } = flatten(body);
  const head = Object.fromEntries(
    Object.entries(flat).map(([name, text]) =>
      records.includes(name) && !isId(text) ? [leftAt(name), text] : [name, text],
    ),
  );
  return {
    kind,
    head: { ...head, ...acceptedFrom(body['accepted']) },
    lines: rows('lines').map((line) => {
      const texts = flatten(line);
      const source = line['source'] as { document: string; line: number } | undefined;
      const bare = Object.fromEntries(
        Object.entries(texts).filter(([name]) => !name.startsWith('source.') && !shownCells.includes(name)),
      );
      return {
        ...bare,
        ...Object.fromEntries(picked.flatMap(([shown, id]) => Object.entries(recordOf(texts[shown] ?? '', shown, id)))),
        ...(source && { source: `${source.document}/${source.line}` }),
        ...(Array.isArray(line['batches']) && { batches: batchesText(line['batches'] as TypedBatch[]) }),
        ...(Array.isArray(line['serials']) && { serials: serialsText(line['serials'] as string[]) }),
      };
    }),
    charges: rows('charges').map(withLedger),
    adjustments: rows('adjustments').map(withLedger),
    tenders: rows('tenders').map(withLedger),
    allocations: rows('allocations').map((row) => ({
      item: itemName(row as { document: string; line?: number }),
      amount: String(row['amount'] ?? ''),
    })),
  };
};

const shownCells = picked.map(([shown]) => shown);
/** A record of a line by its id, or the text for which none is chosen yet. */
const recordOf = (kept: string, shown: string, id: string): Texts =>
  isId(kept) ? { [id]: kept } : { [id]: '', ...(kept && { [shown]: kept }) };

/** A row of a small list: the name of its ledger is filled in when it is known. */
const withLedger = (row: Plain): Texts => ({
  ...flatten(row),
  ledger: '',
  ...recordOf(String(row['ledger'] ?? ''), 'ledger', 'ledgerId'),
});

export const discountFrom = (text: string | undefined): Discount | undefined => {
  const typed = discountOf(text);
  if (!typed) return undefined;
  if ('percent' in typed) {
    const rate = parseDecimal(typed.percent, 4);
    return rate === undefined || rate < 0 || rate > HUNDRED_PERCENT ? undefined : { percent: percent(rate) };
  }
  const amount = parseDecimal(typed.amount, 2);
  return amount === undefined ? undefined : { amount: paise(amount) };
};

// Rows never change, they are replaced: a line is read once.
const readLines = new WeakMap<Texts, DraftLine>();
export const readLine = (row: Texts): DraftLine => {
  const known = readLines.get(row);
  if (known) return known;
  const { discount: _typed, ...wire } = lineBody(row);
  const discount = discountFrom(row['discount']);
  const line: DraftLine = { ...readTexts<DraftLine>(lineFields, wire), ...(discount && { discount }) };
  readLines.set(row, line);
  return line;
};

/** The draft with whole numbers, for `resolve` and `price`. What cannot be read counts as not given. */
export const draftOf = (typed: Typed): Draft => {
  const { discount: _typed, ...wire } = headBody(typed.head);
  const discount = discountFrom(typed.head['discount']);
  const charges = typed.charges.flatMap((row): DraftCharge[] => {
    const amount = parseDecimal(row['amount'] ?? '', 2);
    const gstRate = parseDecimal(row['gstRate'] ?? '', 4);
    const taxed = gstRate === undefined ? {} : { gstRate: percent(gstRate), hsn: row['hsn'] ?? '' };
    return amount === undefined
      ? []
      : [{ name: row['name'] ?? '', amount: paise(amount), apportion: 'value', ...taxed }];
  });
  const adjustments = typed.adjustments.flatMap((row): DraftAdjustment[] => {
    const amount = parseDecimal(row['amount'] ?? '', 2);
    const sign = row['sign'] === 'less' ? 'less' : 'add';
    const ledger = row['ledgerId'];
    return amount === undefined
      ? []
      : [{ name: row['name'] ?? '', amount: paise(amount), sign, ...(ledger && { ledger }) }];
  });
  const allocations = typed.allocations.flatMap(({ item = '', amount = '' }): Allocation[] => {
    const settled = parseDecimal(amount, 2);
    return settled === undefined ? [] : [{ ...itemNamed(item), amount: paise(settled) }];
  });
  const draft: Partial<Draft> = {
    currency: 'INR',
    exchangeRate: millionths(ONE),
    ...readTexts<Draft>(headFields, wire),
    ...(discount && { discount }),
    ...(charges.length && { charges }),
    ...(adjustments.length && { adjustments }),
    ...(allocations.length && { allocations }),
    kind: typed.kind,
    lines: typed.lines.filter(isFilled).map(readLine),
  };
  // the head may lack its date, registration or location: the check says so
  return draft as Draft;
};

/** What a line comes to by itself: quantity × rate less its discount, in the document's currency. */
export const lineAmount = (row: Texts): Paise => {
  const { quantity, delta, rate, discount } = readLine(row);
  const gross = scale(Math.abs(delta ?? quantity ?? 0), rate ?? 0, 10_000_000_000);
  const less =
    discount?.percent !== undefined ? scale(gross, discount.percent, HUNDRED_PERCENT) : (discount?.amount ?? zero);
  return paise(gross - less);
};

/** What a part of a source line is worth: its share of the source's value. */
export const sourceShare = (row: Texts): Paise => {
  const whole = parseDecimal(row['sourceQuantity'] ?? '', 6) ?? 0;
  const value = parseDecimal(row['sourceTaxable'] ?? '', 2) ?? 0;
  return whole === 0 ? lineAmount(row) : scale(value, readLine(row).quantity ?? 0, whole);
};

/** The difference between what was counted and what the books hold, as decimal text; '' when either cannot be read. */
export const countedDelta = (counted: string, onHand: string): string => {
  const [a, b] = [parseDecimal(counted, 6), parseDecimal(onHand, 6)];
  return a === undefined || b === undefined ? '' : quantityText(a - b);
};

/** Adds up decimal text of money; what cannot be read counts as nothing. */
export const addMoney = (texts: readonly (string | undefined)[]): Paise =>
  texts.reduce<Paise>((total, text) => paise(total + (parseDecimal(text ?? '', 2) ?? 0)), zero);

export const percentOf = (rate: number): string => formatDecimal(rate, 4, 0);
