import { createInstance } from 'i18next';
import { filled, type Text, worded } from '../../domain/base/say.ts';

/** Values of a sentence by the names of their places; a place without a value is empty. */
export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The language of the keys: a sentence without a translation is shown as it is in the source. */
export const SOURCE_LANGUAGE = 'en';

/** Keys are English sentences (ADR 79): dots, colons and underscores in them mean nothing. */
export const catalogue = createInstance({
  lng: SOURCE_LANGUAGE,
  fallbackLng: SOURCE_LANGUAGE,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  returnEmptyString: false,
  initAsync: false,
});
void catalogue.init();

/** Sentences of the language chosen. An editor of fifty lines asks for a thousand at every key, mostly the same ones. */
const found = new Map<string, string>();
catalogue.on('languageChanged', () => found.clear());

const lookUp = (sentence: string): string => {
  const known = found.get(sentence);
  if (known !== undefined) return known;
  const text = catalogue.t(sentence, { skipInterpolation: true });
  found.set(sentence, text);
  return text;
};

/**
 * The text for people in the language chosen. The key is the English sentence; values are put where it has `{{name}}`.
 * A constant of a module keeps the English and is translated where it is drawn, because the language is chosen later.
 */
export function t(sentence: string, values?: Values): string;
export function t(sentence: string | undefined, values?: Values): string | undefined;
export function t(sentence: string | undefined, values?: Values): string | undefined {
  if (!sentence) return sentence;
  const text = lookUp(sentence);
  return values ? filled(text, (name) => values[name]) : text;
}

/** As domain and server say something. */
export interface Saying {
  readonly message: string;
  readonly text?: Text | undefined;
}

/**
 * What domain or server said, in the language chosen: its text where it comes with one (ADR 82), else its English, which is the
 * key of a sentence without values.
 */
export const translated = ({ message, text }: Saying): string => (text ? worded(text, t) : t(message));

/** One of two sentences by a number, which both may name as `{{count}}`. A language may have more forms than two. */
export const plural = (count: number, one: string, other: string, values: Values = {}): string => {
  const forms = { defaultValue_one: one, defaultValue_other: other };
  const all: Values = { count, ...values };
  return filled(catalogue.t(other, { ...forms, count, skipInterpolation: true }), (name) => all[name]);
};
