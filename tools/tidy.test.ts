import { expect, test } from 'vitest';
import { kindNames } from '../domain/document/kinds/index.ts';
import { filesOf, isTest, textOf, withoutComments } from './source.ts';

const names = kindNames.join('|');
/** A kind's name in quotes beside an equality, in a `case`, or looked for in a list. Families of ledgers share some names. */
const comparedName = new RegExp(
  `(?<!\\b(?:family|effect|lineEffect)\\s*)(?<![!=])[!=]==?\\s*['"](?:${names})['"]|['"](?:${names})['"]\\s*[!=]==?|\\bcase ['"](?:${names})['"]|\\[[^\\]\\n]*['"](?:${names})['"][^\\]\\n]*\\]\\s*\\.includes\\(`,
);

/** Where, what not, and what instead. Each row stands for a fault that was found. */
const banned: readonly [where: RegExp, what: RegExp, instead: string][] = [
  [/^domain\/(?!.*\.test\.)/, /\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b/, 'what the caller hands in'],
  [/^(server|sandbox)\/(?!.*\.test\.)(?!.*clock\.ts$)/, /\bnew Date\(\)/, 'the clock that is handed in'],
  [
    /^(server|web|contract|domain\/(?!document\/kinds\/))(?!.*\.test\.)/,
    comparedName,
    'a field of Kind: engines do not know kinds by name',
  ],
  [
    /^(server|web|contract|domain)\/(?!.*\.test\.)(?!server\/demo)/,
    new RegExp(`\\bKindName\\s*=\\s*['"](?:${names})['"]|\\bkindOf\\(['"](?:${names})['"]`),
    'kindFor(role): what a kind is for is said on its row',
  ],
  [
    /^(server|web|contract|domain\/(?!books\/|document\/kinds\/))(?!.*\.test\.)(?!.*testing\/)/,
    /\bbooks\.posting\b|\bbooks: \{ posting/,
    'a question of domain/books/legs.ts: only that file and posting.ts look for parts of a posting rule',
  ],
  [/^(server|web)\//, /\bparseFloat\b|\btoFixed\(/, 'the decimals of the domain'],
  [/./, /\bas any\b|:\s*any\b(?!')|<any\b|\bany\[\]|@ts-(ignore|nocheck)/, 'a type'],
  // the verifier of the edit log is the customer's own program and has only a console
  [
    /^(server|web|contract|domain|sandbox)\/(?!.*\.test\.|views\/settings\/verify-edit-log\.mjs)/,
    /\bconsole\.\w+\(/,
    'the logger, or a message to the user',
  ],
  [/./, /\b(TODO|FIXME)\b/, 'the thing itself'],
  [/\.test\.tsx?$/, /\b(test|it|describe)\.(skip|todo|only|skipIf)\b/, 'a test that runs'],
  [/^(?!vite|vitest)/, /^export default /m, 'a name'],
];

const files = ['domain', 'contract', 'server', 'web', 'sandbox', 'db', 'e2e', 'bench', 'tools']
  .flatMap(filesOf)
  .filter((file) => file !== 'tools/tidy.test.ts');
/** Comments may speak of what code may not do; a note of unfinished work is looked for there as well. */
const searched = (file: string, what: RegExp) =>
  /TODO|@ts-/.test(what.source) ? textOf(file) : withoutComments(textOf(file));

const linesWith = (file: string, what: RegExp) => {
  const text = searched(file, what);
  const found = text.search(what);
  return found < 0 ? [] : [`${file}:${text.slice(0, found).split('\n').length}`];
};

test('the files are seen', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(kindNames.length).toBeGreaterThan(30);
});

test.each([
  [`if (kind === 'saleInvoice') return`, true],
  [`switch (name) { case 'payment': }`, true],
  [`'saleInvoice' !== document.kind`, true],
  [`['saleReturn', 'saleInvoice'].includes(kind)`, true],
  [`if (family === 'purchaseReturn') return`, false],
  [`{ kind: 'saleInvoice' }`, false],
  [`const kinds = ['saleReturn', 'saleInvoice'];`, false],
])('a comparison with a kind’s name is distinguished from a mention: %s', (text, compared) => {
  expect(comparedName.test(text)).toBe(compared);
});

test.each(banned.map(([where, what, instead]) => ({ where, what, instead })))(
  'where it holds: $instead',
  ({ where, what }) => {
    expect(files.filter((file) => where.test(file)).flatMap((file) => linesWith(file, what))).toEqual([]);
  },
);

test('every test file belongs to a room whose tests are run', () => {
  expect(
    filesOf('.').filter(
      (file) => isTest(file) && !/^(node_modules|dist|domain|contract|server|web|sandbox|db|e2e|tools)\//.test(file),
    ),
  ).toEqual([]);
});
