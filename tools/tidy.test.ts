import { expect, test } from 'vitest';
import { kindNames, kindOf } from '../domain/document/kinds/index.ts';
import { filesOf, isTest, textOf, withoutComments } from './source.ts';

const names = kindNames.join('|');
const quoted = `['"](?:${names})['"]`;
/** A kind's name in quotes beside an equality, in a `case`, or looked for in a list. Families of ledgers share some names. */
const comparedName = new RegExp(
  `(?<!\\b(?:family|effect|lineEffect)\\s*)(?<![!=])[!=]==?\\s*${quoted}|${quoted}\\s*[!=]==?|\\bcase ${quoted}|\\[[^\\]\\n]*${quoted}[^\\]\\n]*\\]\\s*\\.includes\\(`,
);
/**
 * A kind that goes by another name: a constant of its name, a list or set of nothing but kinds, a member of the table, a look-up
 * by its name.
 */
const aliasedName = new RegExp(
  [
    `\\bconst \\w+(?:\\s*:[^=;\\n]+)?\\s*=\\s*${quoted}`,
    `=\\s*(?:new Set(?:<[^>()]*>)?\\()?\\[\\s*${quoted}(?:\\s*,\\s*${quoted})*\\s*,?\\s*\\]`,
    `\\bkinds(?:\\.(?:${names})\\b|\\[${quoted}\\])`,
    `\\bkind(?:Of|Called|Label)\\(${quoted}`,
  ].join('|'),
);
const partNames = [
  ...new Set(
    kindNames.flatMap((name) => {
      const { posting, perpetual = [] } = kindOf(name).books;
      return [...posting, ...perpetual].map(([, part]) => part);
    }),
  ),
].join('|');
/** The legs of a posting rule taken from a kind, and a part of a rule that is compared. */
const searchedLegs = new RegExp(
  [
    '\\bbooks\\??\\.(?:posting|perpetual)\\b',
    '\\bbooks: \\{[^{}]*\\b(?:posting|perpetual)\\b',
    '\\{[^{}]*\\b(?:posting|perpetual)\\b[^{}]*\\}\\s*=[^;=]*\\bbooks\\b',
    `\\b(?:part|leg)\\s*[!=]==?\\s*['"](?:${partNames})['"]`,
    `['"](?:${partNames})['"]\\s*[!=]==?\\s*(?:part|leg)\\b`,
  ].join('|'),
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
    // rows of contract/screens.ts and examples of domain/testing and domain/facts are about kinds
    /^(server|web|contract|domain)\/(?!.*\.test\.)(?!screens\.ts|document\/kinds\/|testing\/|facts\/|demo\/)/,
    aliasedName,
    'kindFor(role), or a member of the row: what a kind is for is said there',
  ],
  [
    /^(server|web|contract|domain)\/(?!.*\.test\.)(?!books\/(?:legs|posting)\.ts|document\/kinds\/|testing\/)/,
    searchedLegs,
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

test.each([
  [`const RECEIPT = 'saleReceipt';`, true],
  [`const receipt: KindName = 'saleReceipt';`, true],
  [`const bills = ['posSale', 'posReturn'] as const;`, true],
  [`const bills: ReadonlySet<string> = new Set(['posSale',\n  'posReturn',\n]);`, true],
  [`kinds.saleInvoice.label`, true],
  [`kinds['saleInvoice']`, true],
  [`kindOf('saleInvoice')`, true],
  [`kindCalled("payment")?.label`, true],
  [`const one = kindFor('reversal');`, false],
  [`const bought = ['purchase', 'purchaseReturn'];`, false],
  [`kindOf(name).life.till`, false],
  [`{ kind: 'saleReceipt', money: 'in' }`, false],
])('the check tells a kind under another name and a row that has one apart: %s', (text, aliased) => {
  expect(aliasedName.test(text)).toBe(aliased);
});

test.each([
  [`kind.books.posting.some(([, part]) => part === 'bank')`, true],
  [`kindCalled(name)?.books?.posting`, true],
  [`({ books: { opens, posting } }: Kind) => posting.length`, true],
  [`const { posting, opens } = kind.books;`, true],
  [`[...kind.books.perpetual]`, true],
  [`rule.some(([, part]) => part === 'tenders')`, true],
  [`'openingGap' !== part`, true],
  [`part === 'line1'`, false],
  [`const posting = poster(books.pool);`, false],
  [`kind.books.opens === 'receivable'`, false],
])('the check tells a search for legs of a rule and other words apart: %s', (text, searches) => {
  expect(searchedLegs.test(text)).toBe(searches);
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
