/** A sentence for people as a catalogue finds it: the English with `{{name}}` for each value, and its values (ADR 82). */
export interface Text {
  readonly key: string;
  /** Data as it is shown (numbers, names, days in words), or a sentence within the sentence. */
  readonly values: Readonly<Record<string, string | number | Text>>;
}

/** What is said to somebody: in English, and as the catalogue of another language finds it. */
export interface Said {
  readonly message: string;
  readonly text: Text;
}

/** What may be put at a place of a sentence; nothing is put there for `undefined` and `null`. */
export type Value = string | number | null | undefined | Said;
export type Values = Readonly<Record<string, Value>>;

const PLACE = /\{\{(\w+)\}\}/g;
const isSaid = (value: Value): value is Said => typeof value === 'object' && value !== null;

/** The sentence with what `valueAt` has for each of its places. */
export const filled = (sentence: string, valueAt: (name: string) => string | number | null | undefined): string =>
  sentence.replace(PLACE, (_, name: string) => String(valueAt(name) ?? ''));

/** Says a sentence: `say('{{number}} is cancelled', { number })`. The sentence is a literal, so that the catalogue has it. */
export const say = (key: string, values: Values = {}): Said => ({
  message: filled(key, (name) => {
    const value = values[name];
    return isSaid(value) ? value.message : value;
  }),
  text: {
    key,
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, isSaid(value) ? value.text : (value ?? '')]),
    ),
  },
});

/**
 * A text in the language that `sentenceOf` knows sentences of, those within it too. A value that is a label of the product is
 * one of its sentences.
 */
export const worded = ({ key, values }: Text, sentenceOf: (key: string) => string): string =>
  filled(sentenceOf(key), (name) => {
    const value = values[name];
    if (typeof value === 'object') return worded(value, sentenceOf);
    return typeof value === 'string' ? sentenceOf(value) : value;
  });

/** A text in English. */
export const inEnglish = (text: Text): string => worded(text, (key) => key);

/** A text that no catalogue has, as it came: data, or what a portal answered. */
export const verbatim = (text: string): Said => ({ message: text, text: { key: text, values: {} } });

/** Several, one after the other. */
export const listed = ([first = say(''), ...others]: readonly Said[]): Said =>
  others.reduce((one, other) => say('{{one}}, {{other}}', { one, other }), first);
