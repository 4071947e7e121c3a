import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, textOf as sourceOf, withoutComments } from './source.ts';

/** The texts for people: pages in the root, and docs. */
const pages = [
  ...fs.readdirSync('.').filter((name) => name.endsWith('.md')),
  ...fs
    .readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join('docs', name)),
];
const textOf = (page: string): string => fs.readFileSync(page, 'utf8');
const records = pages.filter((page) => /^docs\/adr\/\d/.test(page));

/** The anchor that a heading gets: small letters, spaces as hyphens, no other signs. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('the pages are seen', () => {
  expect(pages).toContain('README.md');
  expect(records.length).toBeGreaterThan(50);
});

test('a relative link leads to a file, and to a heading of it', () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const found = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
        return !fs.existsSync(found) || (anchor !== undefined && !anchorsOf(found).includes(anchor));
      })
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** Of `domain/kinds/*.ts` the folder. */
const upToStar = (file: string): string => file.replace(/\/[^/]*\*.*$/, '');

test('a file or folder that a page names exists', () => {
  const named = /`((?:domain|contract|server|web|sandbox|db|e2e|bench|tools|docs)\/[\w./*-]+)`/g;
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(named)]
      .map(([, file = '']) => file)
      .filter((file) => !fs.existsSync(upToStar(file)))
      .map((file) => `${page}: ${file}`),
  );
  expect(missing).toEqual([]);
});

/** The top folders that hold source, and the folders of `server`. */
const rooms = ['domain', 'contract', 'server', 'web', 'sandbox', 'db', 'e2e', 'bench', 'tools'];
const foldersOf = (place: string): string[] =>
  fs
    .readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

test('the architecture page lists each module of the server', () => {
  const [, list = ''] = /^## Modules of the server\n([\s\S]*?)\n\n(?!\|)/m.exec(textOf('ARCHITECTURE.md')) ?? [];
  const listed = [...list.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  expect(listed.toSorted()).toEqual(foldersOf('server').toSorted());
});

/** Files of the tree by their last name, and names of files that the programs write or read. */
const fileNames = new Set(
  [
    ...fs.readdirSync('.'),
    ...[...rooms, 'docs'].flatMap((room) => fs.readdirSync(room, { recursive: true, encoding: 'utf8' })),
  ].map((name) => path.basename(name)),
);
const sources = rooms.flatMap(filesOf).map((file) => withoutComments(sourceOf(file)));
/** Names of files that belong to the reader. */
const exampleFiles = ['hi.json'];

test('a file that a page names without its folder exists', () => {
  const named = /`([\w.-]+\.(?:tsx?|mjs|sql|json|txt|css|html|md|key))`/g;
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(named)]
      .map(([, file = '']) => file)
      .filter((file) => !fileNames.has(file) && !exampleFiles.includes(file))
      .filter((file) => !sources.some((text) => text.includes(`'${file}'`)))
      .map((file) => `${page}: ${file}`),
  );
  expect(missing).toEqual([]);
});

/** How TypeScript declares a name: as a value or type, a property, a method, a shorthand, or as text (names of the wire). */
const declarations = [
  /\b(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/g,
  /(?<![\w.])(\w+)\??:/g,
  /^\s+(?:async )?(\w+)\(.*\{$/gm,
  /[{,]\s*(\w+)(?=\s*[,}])/g,
  /['"](\w+)['"]/g,
  /\bprocess\.env\.(\w+)/g,
];
const schemaWords = fs
  .readdirSync('db/schema')
  .map((file) => fs.readFileSync(`db/schema/${file}`, 'utf8').replace(/--.*$/gm, ''))
  .flatMap((text) => text.match(/\w+/g) ?? []);
const declared = new Set([
  ...sources.flatMap((text) => declarations.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name))),
  ...schemaWords,
]);
/** Names of other programs, libraries and portals. */
const namesOfOthers = [
  ...['pg_dump', 'pg_resetwal', 'pg_stat_user_tables', 'initdb', 'openssl'],
  ...['AsyncLocalStorage', 'Trans', 'GetErrorList'],
];

test('a function, type, call, table or setting that a page names is declared', () => {
  const unknown = pages
    .filter((page) => !/^State: (?!in force)/m.test(textOf(page)))
    .flatMap((page) =>
      [...textOf(page).matchAll(/`([A-Za-z_]\w*)(?:\(\))?`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !declared.has(name) && !namesOfOthers.includes(name))
        .map((name) => `${page}: ${name}`),
    );
  expect(unknown).toEqual([]);
});

test('an example in TypeScript is a whole file of the tree, which is named above it', () => {
  const examples = pages.flatMap((page) =>
    [...textOf(page).matchAll(/([^\n]*)\n\n```tsx?\n([\s\S]*?)```/g)].map(([, above = '', example = '']) => {
      const [, file = ''] = /`([\w/.-]+\.tsx?)`/.exec(above) ?? [];
      return { page, file, isSame: fs.existsSync(file) && textOf(file) === example };
    }),
  );
  expect(examples.length).toBeGreaterThan(0);
  expect(examples.filter(({ isSame }) => !isSame)).toEqual([]);
});

test('a decision record has its number, its state and its row in the index', () => {
  const index = textOf('docs/adr/README.md');
  const wrong = records.filter((page) => {
    const name = path.posix.basename(page);
    const number = Number(name.slice(0, 4));
    const [, title] = /^# \d+\. (.+)$/m.exec(textOf(page)) ?? [];
    return (
      !textOf(page).startsWith(`# ${number}. `) ||
      !/^State: (in force|replaced by ADR \d+|no longer holds)/m.test(textOf(page)) ||
      !index.includes(`| ${number} | [${title}](${name}) |`)
    );
  });
  expect(wrong).toEqual([]);
});

test('a decision that a page refers to has a record', () => {
  const numbers = new Set(records.map((page) => Number(path.posix.basename(page).slice(0, 4))));
  const unknown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bADR (\d+)/g)]
      .filter(([, number]) => !numbers.has(Number(number)))
      .map(([said]) => `${page}: ${said}`),
  );
  expect(unknown).toEqual([]);
});

test('a line of a page has at most 140 characters; rows of tables and examples may be longer', () => {
  const long = pages.flatMap((page) =>
    textOf(page)
      .replace(/```[\s\S]*?```/g, '')
      .split('\n')
      .filter((line) => line.length > 140 && !line.startsWith('|'))
      .map((line) => `${page}: ${line}`),
  );
  expect(long).toEqual([]);
});
