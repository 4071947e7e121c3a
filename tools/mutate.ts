import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseSync } from 'vite';
import { createVitest, type Vitest } from 'vitest/node';
import { equivalents, isAbout } from './testing/equivalents.ts';
import { type Mutant, mutantsOf } from './testing/mutants.ts';

/**
 * node tools/run.mjs tools/mutate.ts domain/document/price.ts [FIRST LAST]: changes one operator, number or condition of a
 * file at a time and runs the tests that import it. A change that no test notices survives and is printed: it needs a test, or a row in
 * `tools/testing/equivalents.ts` with the reason why it changes nothing. Works in a copy; prints the share that was killed.
 */
const [target = '', first = '0', last = String(Number.MAX_SAFE_INTEGER)] = process.argv.slice(2);
const root = process.cwd();
if (!fs.existsSync(path.join(root, target)) || target === '') throw new Error('Name a file of the domain to mutate.');

/** One run may take this long before it counts as killed: a loop that does not end. */
const LONGEST = 120_000;

const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'mutants-'));
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root }).toString().split('\0').filter(Boolean);
for (const file of files) {
  if (!fs.existsSync(path.join(root, file))) continue;
  fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
  fs.copyFileSync(path.join(root, file), path.join(copy, file));
}
fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

// tests that measure time set no limit then: a busy machine would fail them whatever was changed
process.env['BAHI_MUTANTS'] = '1';

const source = fs.readFileSync(path.join(root, target), 'utf8');
const name = path.basename(target, '.ts');
/** Tests of the domain that import the file, its own first. */
const tests = files
  .filter((file) => /^(domain|tools)\/.*\.test\.ts$/.test(file))
  .filter((file) => new RegExp(`/${name}\\.(test\\.)?ts'`).test(fs.readFileSync(path.join(root, file), 'utf8')))
  .sort((a, b) => Number(path.basename(b) === `${name}.test.ts`) - Number(path.basename(a) === `${name}.test.ts`));
if (tests.length === 0) throw new Error(`No test of the domain imports ${target}.`);

const start = (): Promise<Vitest> =>
  createVitest('test', {
    ...{ root: copy, watch: false, project: ['unit'], bail: 1, testTimeout: LONGEST, silent: true, maxWorkers: 2 },
    reporters: [{}],
  });
let vitest = await start();

/** Whether some test fails with this text of the file. */
async function fails(text: string): Promise<boolean> {
  fs.writeFileSync(path.join(copy, target), text);
  vitest.invalidateFile(path.join(copy, target));
  for (const test of tests) {
    const specifications = await vitest.globTestSpecifications([test]);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((done) => {
      timer = setTimeout(done, LONGEST, 'late');
    });
    const run = vitest.runTestSpecifications(specifications);
    const result = await Promise.race([run, late]);
    clearTimeout(timer);
    if (result === 'late') {
      run.catch(() => undefined);
      await vitest.cancelCurrentRun('keyboard-input');
      await vitest.close();
      vitest = await start();
      return true;
    }
    const { testModules, unhandledErrors } = result;
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true;
  }
  return false;
}

const isEquivalent = (mutant: Mutant): boolean =>
  equivalents.some((row) => row.file === target && isAbout(row, mutant, source));

const all = mutantsOf(parseSync(target, source, { lang: 'ts' }).program, source).slice(Number(first), Number(last));
try {
  if (await fails(source)) throw new Error(`The tests of ${target} fail before anything is changed.`);
  const survivors: Mutant[] = [];
  let equivalent = 0;
  for (const mutant of all) {
    if (isEquivalent(mutant)) equivalent += 1;
    else if (!(await fails(source.slice(0, mutant.start) + mutant.by + source.slice(mutant.end)))) {
      survivors.push(mutant);
      console.log(`${target}:${mutant.line}: ${mutant.text}  →  ${mutant.by}`);
    }
  }
  const tried = all.length - equivalent;
  const share = tried === 0 ? 100 : ((tried - survivors.length) * 100) / tried;
  console.log(
    `${target}: ${tried} mutants, ${survivors.length} survived, ${share.toFixed(1)} % killed; ${equivalent} equivalent`,
  );
  process.exitCode = survivors.length > 0 ? 1 : 0;
} finally {
  await vitest.close();
  fs.rmSync(copy, { recursive: true, force: true });
}
