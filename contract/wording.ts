import type { z } from 'zod';

type Raw = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

/** Begins the text behind a field's name; a sentence of the schema itself is used as it is. */
const MARK = '\u0000';

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};
const formats: Readonly<Record<string, string>> = {
  uuid: 'the id of a record',
  email: 'an e-mail address, like name@example.com',
  url: 'an address, like https://example.com',
  date: 'a date, written YYYY-MM-DD',
  datetime: 'a day with its time, written like 2026-04-01T10:00:00Z',
};

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** What one way of being right asks for. */
function expectedOf(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_type') return [kinds[issue.expected] ?? 'another value'];
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code === 'invalid_format') return formats[issue.format] ? [formats[issue.format] as string] : [];
  return [];
}

const size = (origin: string, count: number | bigint): string =>
  ({ string: `${count} characters`, array: `${count} entries`, set: `${count} entries` })[origin] ?? String(count);

/** What is wrong with a value, to be read behind the name of its field. */
function said(issue: Raw): string {
  if (issue.code !== 'unrecognized_keys' && issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected as string] ?? 'another value'}`;
    case 'invalid_value':
      return `must be ${listed((issue.values as readonly unknown[]).map((value) => (value === '' ? 'empty' : String(value))))}`;
    case 'invalid_format':
      return `must be ${formats[issue.format as string] ?? 'written in another form'}`;
    case 'too_big':
      return `has at most ${size(String(issue.origin), issue.maximum as number)}`;
    case 'too_small':
      return `has at least ${size(String(issue.origin), issue.minimum as number)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return `has ${listed(issue.keys as readonly string[])}, which is not known here`;
    case 'invalid_union': {
      const ways = [...new Set((issue.errors as Issue[][]).flatMap((way) => way.flatMap(expectedOf)))];
      // a whole number may be written as text, a switch as a word
      const kept =
        ways.includes('a whole number') || ways.includes('true or false')
          ? ways.filter((way) => !['text', 'true', 'false'].includes(way))
          : ways;
      return kept.length > 0 ? `must be ${listed(kept)}` : 'is written in a form that is not known here';
    }
    default:
      return 'is not right';
  }
}

/** Every sentence about an input that its schema does not say itself comes from here. */
export const wording = (issue: Raw): string => `${MARK}${said(issue)}`;

/** The sentence, with the field's name where the schema has not said its own. */
export const sentenceOf = (message: string, name: string): string =>
  message.startsWith(MARK) ? `${name || 'This'} ${message.slice(MARK.length)}` : message;
