import { isDay } from '../base/dates.ts';
import { parseDecimal } from '../base/decimal.ts';
import { type Said, say } from '../base/say.ts';
import type { Problem } from './document.ts';

export const additionalTypes = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['date', 'Date'],
  ['choice', 'Choice'],
  ['yesNo', 'Yes or no'],
] as const;
export type AdditionalType = (typeof additionalTypes)[number][0];

/** A field that an organisation has added to its documents or masters. */
export interface AdditionalField {
  /** Under this its value is kept; it never changes. */
  readonly key: string;
  readonly label: string;
  readonly type: AdditionalType;
  readonly required: boolean;
  /** The values of a choice. */
  readonly choices: readonly string[];
  readonly inLists: boolean;
  readonly onPrint: boolean;
  /** A retired field is shown where it has a value and asked for no more. */
  readonly active: boolean;
  /** Names of kinds and masters. */
  readonly appliesTo: readonly string[];
}

/** Where a field's text stands in a form. */
export const additionalPath = (key: string): string => `additional.${key}`;

export const MOST_ADDITIONAL_TEXT = 200;

const wrongs: Readonly<Record<AdditionalType, (text: string, field: AdditionalField) => Said | undefined>> = {
  text: (text) =>
    [...text].length > MOST_ADDITIONAL_TEXT
      ? say('At most {{mostAdditionalText}} characters', { mostAdditionalText: MOST_ADDITIONAL_TEXT })
      : undefined,
  number: (text) => (parseDecimal(text, 6) === undefined ? say('A number with at most 6 decimals') : undefined),
  date: (text) => (isDay(text) ? undefined : say('Enter a date')),
  choice: (text, { choices }) => (choices.includes(text) ? undefined : say('Choose one of the list')),
  yesNo: (text) => (text === 'yes' || text === 'no' ? undefined : say('Yes or no')),
};

/**
 * What is wrong with the additional values of one record, each at its field. `fields` are those of its kind or master, the
 * retired ones too: a document copied from an old one may still bear them.
 */
export function additionalProblems(
  fields: readonly AdditionalField[],
  values: Readonly<Record<string, string>>,
): Problem[] {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(values).filter((key) => !known.has(key));
  return [
    ...unknown.map((key) => ({
      field: additionalPath(key),
      ...say('There is no additional field {{key}} here', { key }),
    })),
    ...fields
      .filter(({ active }) => active)
      .flatMap((field): Problem[] => {
        const text = values[field.key]?.trim() ?? '';
        const message =
          text === ''
            ? field.required && say('{{field}} is required', { field: field.label })
            : wrongs[field.type](text, field);
        return message ? [{ field: additionalPath(field.key), ...message }] : [];
      }),
  ];
}
