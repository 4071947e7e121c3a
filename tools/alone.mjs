import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail, root } from './install.mjs';
import { build, shuffledTests, sum } from './steps.mjs';

/** Where a run keeps its seed and the files it has done, so that the next one can go on. */
const record = path.join(root, 'dist', 'alone.json');
/** Files of one start of vitest: what is done is kept after each slice. */
const sliceOf = { unit: 60, server: 10, browser: 6 };

/** The files of a project, by name: an order that a resumed run finds again. */
function filesOf(project) {
  const list = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-files-')), 'files.json');
  const words = ['list', '--filesOnly', '--project', project, `--json=${list}`];
  const { status, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], { cwd: root });
  if (status !== 0) fail(`The ${project} tests could not be listed: ${stderr}`);
  const files = JSON.parse(fs.readFileSync(list, 'utf8')).map(({ file }) => path.relative(root, file));
  fs.rmSync(path.dirname(list), { recursive: true, force: true });
  return [...new Set(files)].sort();
}

const slices = (files, size) =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, at) => files.slice(at * size, (at + 1) * size));

/**
 * Runs the tests of each file in a shuffled order, to find tests that need another one before them. `wished` are projects or parts
 * of paths; none is all. A resumed run has the seed of the last one and leaves out the files that passed in it.
 */
export async function alone({ seed: named, wished, resumes }) {
  const last = resumes && fs.existsSync(record) ? JSON.parse(fs.readFileSync(record, 'utf8')) : undefined;
  if (resumes && last === undefined) fail('There is no run to go on with: leave --resume out.');
  const seed = last?.seed ?? named ?? Math.floor(Math.random() * 1_000_000);
  const done = new Set(last?.done);
  const isWished = (project) => (file) =>
    wished.length === 0 || wished.some((word) => (word in sliceOf ? word === project : file.includes(word)));
  const planned = Object.entries(sliceOf).flatMap(([project, size]) => {
    const files = filesOf(project).filter(isWished(project));
    return slices(
      files.filter((file) => !done.has(file)),
      size,
    ).map((slice) => ({ project, slice }));
  });
  if (planned.length === 0)
    fail('There is no test file to run: name a project or a part of a path, or leave --resume out.');
  const counts = [await build()];
  for (const { project, slice } of planned) {
    const count = await shuffledTests(project, slice, seed);
    counts.push(count);
    for (const file of slice) if (!count.failedFiles.includes(file)) done.add(file);
    fs.writeFileSync(record, `${JSON.stringify({ seed, done: [...done] }, null, 1)}\n`);
  }
  process.stdout.write(
    `\nThe order is that of seed ${seed}: npm run check -- --alone=${seed} repeats it, --alone --resume leaves out what passed.\n`,
  );
  return sum(counts);
}
