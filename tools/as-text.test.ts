import { expect, test } from 'vitest';
import { notText } from './as-text.ts';

const trial = (line: string): string => `
import { sql } from 'kysely';
import { type Said, say } from '../domain/base/say.ts';
import { Refusal } from '../contract/errors.ts';
export const reason: Said = say('There is nothing here');
export const reasons: readonly Said[] | undefined = [reason];
export const refused = new Refusal('notFound');
export const printed = ${line.replaceAll('#{', '${')};
`;

/** One line each that prints a sentence, in a source of its own; `#{…}` is a place of a template. */
const wrong = {
  'server/trial-detail.ts': "String(refused.details['number'] ?? '')",
  'server/trial-join.ts': "reasons?.join(', ')",
  'server/trial-list.ts': '`#{[[reason]]}`',
  'server/trial-one-of-two.ts': "`It is not done: #{Math.random() > 1 ? 'it is late' : reason}`",
  'server/trial-plus.ts': "'It is not done: ' + reason",
  'server/trial-stored.ts': 'sql`insert into reasons values (#{reason})`',
  'server/trial-string.ts': 'String(reason)',
  'server/trial-template.ts': '`It is not done: #{reason}`',
  'server/trial-within.ts': "`#{reasons?.map((each) => `#{each}`).join(', ')}`",
};
const right = {
  'server/trial-error.ts': '`#{refused} #{String(refused)} #{new Date(0)} #{[1, 2]} #{String(JSON.parse("1"))}`',
  'server/trial-message.ts':
    "`#{reason.message}, #{reasons?.map(({ message }) => message).join(', ')}` + reasons?.length",
};

test('no sentence and no other object is printed as text, where "[object Object]" would be read', async () => {
  const trials = Object.fromEntries(Object.entries({ ...wrong, ...right }).map(([file, line]) => [file, trial(line)]));
  const found = await notText(trials);
  const isTrial = (line: string) => line.startsWith('server/trial-');
  // of what the compiler says only the first line names a place
  expect(found.filter((line) => !isTrial(line) && !line.startsWith(' '))).toEqual([]);
  expect([...new Set(found.filter(isTrial).map((line) => line.replace(/\(.*$/s, '')))].sort()).toEqual(
    Object.keys(wrong).sort(),
  );
}, 240_000);
