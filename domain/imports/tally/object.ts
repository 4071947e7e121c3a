/** What an element of a Tally file holds: texts, and elements within it, by their names in capitals without `.LIST`. */
export interface TallyFields {
  readonly [name: string]: readonly (string | TallyFields)[];
}

/** A master or voucher of a Tally file. */
export interface TallyObject {
  /** `LEDGER`, `STOCKITEM`, … */
  readonly type: string;
  readonly name: string;
  /** The name that the program gave it: it stays when the user gives it another one. */
  readonly reserved: string;
  readonly fields: TallyFields;
}

/**
 * A text without the mark that stands before reserved words, `\u0004 Primary`, and without blanks around it. Words that
 * mean nothing are empty.
 */
export const plain = (text: string): string => {
  const bare = text
    .replaceAll('\u0004', '')
    .replace(/[\r\n]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return /^(not applicable|primary)$/i.test(bare) ? '' : bare;
};

/** Names are compared without case and without the blanks that a file may hold more than one of. */
export const keyOf = (name: string): string => plain(name).toLowerCase();

/** The first text of this name, or of the first of several names that has one. */
export function textOf(fields: TallyFields, ...names: readonly string[]): string {
  for (const name of names)
    for (const value of fields[name] ?? []) {
      const text = typeof value === 'string' ? plain(value) : '';
      if (text !== '') return text;
    }
  return '';
}

export const textsOf = (fields: TallyFields, name: string): readonly string[] =>
  (fields[name] ?? []).flatMap((value) => (typeof value === 'string' && plain(value) !== '' ? [plain(value)] : []));

/** The elements of this name. */
export const listOf = (fields: TallyFields, name: string): readonly TallyFields[] =>
  (fields[name] ?? []).filter((value): value is TallyFields => typeof value !== 'string');

/** The row that is in force last: of a list whose rows each say from which day on they hold. */
export const latestOf = (fields: TallyFields, name: string): TallyFields | undefined =>
  [...listOf(fields, name)]
    .sort((a, b) => textOf(a, 'APPLICABLEFROM').localeCompare(textOf(b, 'APPLICABLEFROM')))
    .at(-1);

export const isYes = (text: string): boolean => /^(yes|true|1)$/i.test(text);
