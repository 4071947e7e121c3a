import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

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
