import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, test } from 'vitest';
import english from '../locales/en.json';
import { Badge, Empty, FigureSkeleton, TableHead } from './parts.tsx';
import { PSEUDO_LANGUAGE, pseudoCatalogue, pseudoText } from './pseudo.ts';
import { Sentence } from './Sentence.tsx';
import { catalogue, plural, SOURCE_LANGUAGE, t } from './text.ts';

const speak = async (language: string, sentences: Readonly<Record<string, string>>) => {
  catalogue.addResourceBundle(language, 'translation', sentences);
  await catalogue.changeLanguage(language);
};
afterEach(() => catalogue.changeLanguage(SOURCE_LANGUAGE));

describe('English', () => {
  test('an empty catalogue: a sentence is its own key, and has its values', () => {
    expect(t('Nothing to save: all is kept')).toBe('Nothing to save: all is kept');
    expect(t('Open {{number}} of {{party}}', { number: 'INV/1', party: 'Asha & Sons' })).toBe(
      'Open INV/1 of Asha & Sons',
    );
    expect(t('Due{{late}}', { late: undefined })).toBe('Due');
    expect(t(undefined)).toBeUndefined();
  });
  test('a name that looks like a place of a sentence stays a name', () => {
    expect(t('{{number}}')).toBe('{{number}}');
    expect(t('Open {{number}}', { number: '{{party}} $t(Open)' })).toBe('Open {{party}} $t(Open)');
  });
  test('a number has its own sentence when it is one', () => {
    const lines = (count: number) =>
      plural(count, 'One line of {{number}}', '{{count}} lines of {{number}}', { number: 7 });
    expect([lines(1), lines(2), lines(0)]).toEqual(['One line of 7', '2 lines of 7', '0 lines of 7']);
  });
});

describe('a second language', () => {
  test('its sentences have the values where it puts them, and English is left where it has none', async () => {
    await speak('hi', {
      '{{number}} of {{party}}': '{{party}} का {{number}}',
      lines_one: 'पंक्ति',
      lines_other: 'पंक्तियाँ',
    });
    expect(t('{{number}} of {{party}}', { number: 'INV/1', party: 'Asha' })).toBe('Asha का INV/1');
    expect([plural(1, 'line', 'lines'), plural(5, 'line', 'lines')]).toEqual(['पंक्ति', 'पंक्तियाँ']);
    expect(t('Nothing to save')).toBe('Nothing to save');
  });
  test('markup inside a sentence goes where the translation has it, and a value is never markup', async () => {
    const text = 'Read <link>the terms</link> of {{party}}';
    const drawn = () =>
      renderToStaticMarkup(
        <Sentence text={text} values={{ link: (inner) => <a href="/terms">{inner}</a>, party: '<link>Asha</link>' }} />,
      );
    expect(drawn()).toBe('Read <a href="/terms">the terms</a> of &lt;link&gt;Asha&lt;/link&gt;');
    await speak('hi', { [text]: '{{party}} की <link>शर्तें</link> पढ़ें' });
    expect(drawn()).toBe('&lt;link&gt;Asha&lt;/link&gt; की <a href="/terms">शर्तें</a> पढ़ें');
  });
});

describe('the pseudo-language', () => {
  test('it is longer, keeps places and markup, and has every key', () => {
    expect(pseudoText('Open {{number}} in <b>here</b>')).toBe('Óþéñ {{number}} íñ <b>ĥéŕé</b>····');
    expect(Object.keys(pseudoCatalogue(english))).toEqual(Object.keys(english));
  });
  test('parts of the kit draw no sentence beside the catalogue', async () => {
    await speak(PSEUDO_LANGUAGE, pseudoCatalogue(english));
    const drawn = renderToStaticMarkup(
      <>
        <Badge word="Draft" />
        <Empty sentence={t('No items yet')} />
        <FigureSkeleton cards={1} onRetry={() => undefined} />
        <table>
          <TableHead columns={['Date', { label: 'Number' }]} />
        </table>
      </>,
    );
    const shown = drawn.replace(/<[^>]*>/g, ' ');
    expect(shown).toMatch(/Đŕàƒţ/);
    expect(shown).not.toMatch(/[a-z]{2}/i);
  });
});
