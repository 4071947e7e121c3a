import type { z } from 'zod';
import { inEnglish, type Said, say, type Text, verbatim } from '../domain/base/say.ts';

type Raw = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

/** Begins a sentence that comes with its values; another sentence of a schema is used as it is. */
const MARK = '\u0000';

/** A sentence with its values as the message of an issue, which is one text. */
export const asMessage = ({ text }: Said): string => `${MARK}${JSON.stringify(text)}`;

const kinds: Readonly<Record<string, Said>> = {
  string: say('text'),
  number: say('a whole number'),
  int: say('a whole number'),
  boolean: say('true or false'),
  array: say('a list'),
  object: say('an object'),
  record: say('an object'),
  date: say('a date'),
};
const formats: Readonly<Record<string, Said>> = {
  uuid: say('the id of a record'),
  email: say('an e-mail address, like name@example.com'),
  url: say('an address, like https://example.com'),
  date: say('a date, written YYYY-MM-DD'),
  datetime: say('a day with its time, written like 2026-04-01T10:00:00Z'),
};
const another = say('another value');

const itself = (value: unknown): Said => verbatim(String(value));

/** Some, as a choice: "a, b or c". */
const oneOf = (ways: readonly Said[]): Said => {
  const [first = say(''), ...others] = ways;
  return others.reduce(
    (one, other, at) =>
      at === others.length - 1
        ? say('{{one}} or {{other}}', { one, other })
        : say('{{one}}, {{other}}', { one, other }),
    first,
  );
};

/** What one way of being right asks for. */
function expectedOf(issue: Issue): readonly Said[] {
  if (issue.code === 'invalid_type') return [kinds[issue.expected] ?? another];
  if (issue.code === 'invalid_value') return issue.values.map(itself);
  if (issue.code === 'invalid_format') return formats[issue.format] ? [formats[issue.format] as Said] : [];
  return [];
}

/** At most or at least so much. */
const size = (origin: string, count: number | bigint): Said => {
  const values = { count: String(count) };
  if (origin === 'string') return say('{{count}} characters', values);
  return origin === 'array' || origin === 'set' ? say('{{count}} entries', values) : itself(count);
};

const mustBe = (what: Said): Said => say('{{field}} must be {{what}}', { what });

/** What is wrong with a value; `field` is the name of its field, which is put in later. */
function said(issue: Raw): Said {
  if (issue.code !== 'unrecognized_keys' && issue.input === undefined) return say('{{field}} is required');
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(kinds[issue.expected as string] ?? another);
    case 'invalid_value':
      return mustBe(
        oneOf((issue.values as readonly unknown[]).map((value) => (value === '' ? say('empty') : itself(value)))),
      );
    case 'invalid_format':
      return mustBe(formats[issue.format as string] ?? say('written in another form'));
    case 'too_big':
      return say('{{field}} has at most {{size}}', { size: size(String(issue.origin), issue.maximum as number) });
    case 'too_small':
      return say('{{field}} has at least {{size}}', { size: size(String(issue.origin), issue.minimum as number) });
    case 'not_multiple_of':
      return say('{{field}} must be a multiple of {{divisor}}', { divisor: String(issue.divisor) });
    case 'unrecognized_keys':
      return say('{{field}} has {{keys}}, which is not known here', {
        keys: oneOf((issue.keys as readonly string[]).map(itself)),
      });
    case 'invalid_union': {
      const all = (issue.errors as Issue[][]).flatMap((way) => way.flatMap(expectedOf));
      const ways = [...new Map(all.map((each) => [each.message, each])).values()];
      // a whole number may be written as text, a switch as a word
      const isLoose = ways.some(({ message }) => message === 'a whole number' || message === 'true or false');
      const kept = isLoose ? ways.filter(({ message }) => !['text', 'true', 'false'].includes(message)) : ways;
      return kept.length > 0 ? mustBe(oneOf(kept)) : say('{{field}} is written in a form that is not known here');
    }
    default:
      return say('{{field}} is not right');
  }
}

/** Every sentence about an input that its schema does not say itself comes from here. */
export const wording = (issue: Raw): string => asMessage(said(issue));

/** The sentence, with the field's name where it asks for one. */
export function sentenceOf(message: string, name: string): Said {
  if (!message.startsWith(MARK)) return itself(message);
  const { key, values } = JSON.parse(message.slice(MARK.length)) as Text;
  const text = { key, values: { ...values, field: name === '' ? say('This').text : name } };
  return { message: inEnglish(text), text };
}
