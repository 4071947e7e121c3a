import { expect, test, vi } from 'vitest';
import { bare, frozen, listed, sayers, sentences, sources, unsayable, written } from './texts.ts';

/** The whole of web is parsed. */
vi.setConfig({ testTimeout: 60_000 });

test('every text for people in a component comes from the catalogue', () => {
  expect(sources().flatMap((file) => bare(file))).toEqual([]);
});

test.each([
  ['a text between tags', '<p>Nothing was posted</p>'],
  ['the label of a field', '<TextField label="Bill no." />'],
  ['one of two labels', "<TextField label={isNew ? 'New number' : t('Number')} />"],
  ['a text after a value', '<p>{count} lines</p>'],
])('a bare sentence is found: %s', (_, tag) => {
  expect(bare('web/Trial.tsx', `export const Trial = () => ${tag};`)).toHaveLength(1);
});

test('names, marks and texts of the catalogue are not bare', () => {
  const tag = `<a title={t('Open')} className="wide link" href="/x">{t('Open {{number}}', { number })} · ₹ {rest}</a>`;
  expect(bare('web/Trial.tsx', `export const Trial = () => ${tag};`)).toEqual([]);
});

test('a sentence that domain or server says is a literal, so that the catalogue has it', () => {
  // its sentences are the rows of a table, which the list has
  const others = ['contract/errors.ts'];
  const found = sayers().flatMap((file) => unsayable(file));
  expect(found.filter((place) => !others.includes(place.split(':')[0] ?? ''))).toEqual([]);
  expect(unsayable('domain/trial.ts', 'export const wrong = (sentence: string) => say(sentence);')).toEqual([
    'domain/trial.ts:1',
  ]);
});

test('no constant of a module keeps a translation: the language is chosen later', () => {
  const trial = "const names = ['a'].map((each) => ({ each, label: t('Number') }));";
  expect(frozen('web/Trial.tsx', trial)).toHaveLength(1);
  expect(frozen('web/Trial.tsx', "const label = () => ['a'].map(() => t('Number'));")).toEqual([]);
  expect(sources().flatMap((file) => frozen(file))).toEqual([]);
});

test('web/locales/en.json lists every text, and no other: npm run check -- --texts writes it', () => {
  const [found, kept] = [sentences(), listed()];
  expect(Object.keys(found).filter((key) => !(key in kept))).toEqual([]);
  expect(Object.keys(kept).filter((key) => !(key in found))).toEqual([]);
  expect(written(kept)).toBe(written(found));
});

test('the list has texts of every sort', () => {
  const kept = listed();
  const sorts = [
    'Sale invoices',
    'Trial balance',
    'Left empty, the next free code is given',
    'There is no such record',
    'A shipping bill number has 3 to 7 digits',
    '{{item}} is posted to a bank or cash ledger: give it another one',
  ];
  expect(sorts.filter((key) => !(key in kept))).toEqual([]);
});
