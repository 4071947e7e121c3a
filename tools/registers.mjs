import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

/**
 * The registers of faults, attacks and invariants (registers.json) name a test for each row. A row holds when that test
 * was run and passed: a title that is still there over an emptied file is not enough. `%s` stands for any text.
 */
const registers = JSON.parse(fs.readFileSync(path.join(root, 'tools/registers.json'), 'utf8'));
const rows = Object.values(registers).flatMap((register) => Object.entries(register));

/** The files that the registers name, those of one project of vitest.config.ts. */
export const registeredFiles = (project) => [
  ...new Set(rows.map(([, { file }]) => file).filter((file) => projectOf(file) === project)),
];

const projectOf = (file) =>
  file.startsWith('e2e/') ? 'browser' : /^(server|sandbox|db)\//.test(file) ? 'server' : 'unit';

const pattern = (title) =>
  new RegExp(
    title
      .split(/%[a-z]/)
      .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

/** What is wrong with a row, or undefined. Rows marked `all` are run with BAHI_ALL=1 only. */
function problemOf({ file, test, all }, ran, isAll) {
  const named = ran.filter((one) => one.file === file && pattern(test).test(one.title));
  if (named.some(({ status }) => status === 'failed')) return 'failed';
  if (named.some(({ status }) => status === 'passed')) return undefined;
  return all && !isAll ? undefined : 'was not run';
}

/** Holds each row against the tests that were run: file, title and status of each. */
export function registered(ran, isAll = process.env.BAHI_ALL === '1') {
  const wrong = rows.flatMap(([id, row]) => {
    const problem = problemOf(row, ran, isAll);
    return problem ? [`${id}: ${row.file}: "${row.test}" ${problem}`] : [];
  });
  process.stdout.write(`${wrong.length === 0 ? '✓' : '✗'} registers: ${rows.length} rows\n`);
  return { passed: rows.length - wrong.length, failed: wrong.length, names: wrong, ran: [] };
}
