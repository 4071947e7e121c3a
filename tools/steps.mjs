import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './install.mjs';

/** The largest first: begun last, one of them would keep the others waiting for it alone. */
const rooms = ['server', 'tools', 'web', 'contract', 'domain', 'sandbox'];
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Runs a program of node_modules. Quiet: its output comes back and is shown only when it fails. */
function program(file, words, { quiet = false, env = {} } = {}) {
  return new Promise((done) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const child = spawn(process.execPath, [path.join(root, 'node_modules', file), ...words], {
      cwd: root,
      stdio,
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const pipe of [child.stdout, child.stderr]) pipe?.on('data', (text) => (output += text));
    child.once('error', (error) => done({ ok: false, output: String(error) }));
    child.once('close', (code) => done({ ok: code === 0, output }));
  });
}

/** One step that passes or fails as a whole and counts as one test. */
async function step(name, work) {
  const from = performance.now();
  const { ok, output } = await work();
  process.stdout.write(`${ok ? '✓' : '✗'} ${name} (${seconds(from)})\n`);
  if (!ok) process.stdout.write(`${output.trimEnd()}\n\n`);
  return ok ? { passed: 1, failed: 0, names: [] } : { passed: 0, failed: 1, names: [name] };
}

/** Sums what steps have counted. */
export const sum = (counts) =>
  counts.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      names: [...all.names, ...one.names],
      unsteady: [...all.unsteady, ...(one.unsteady ?? [])],
      ran: [...all.ran, ...(one.ran ?? [])],
    }),
    { passed: 0, failed: 0, names: [], unsteady: [], ran: [] },
  );

/**
 * Types of every room, under that room's own settings. Two rooms at a time with one checker each: four checkers of one
 * room each work out for themselves what it shares, which cost three times as much.
 */
export async function types() {
  const counts = [];
  const waiting = [...rooms];
  const next = async () => {
    for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) {
      const words = ['-p', room, '--checkers', '1'];
      counts.push(await step(`types: ${room}`, () => program('typescript/bin/tsc', words, { quiet: true })));
    }
  };
  await Promise.all([next(), next()]);
  return sum(counts);
}

/** Lint and format of the whole tree. */
export const lint = () =>
  step('lint', () =>
    program('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--max-diagnostics=50', '.'], { quiet: true }),
  );

/** Builds what has changed; browser tests use the product as it ships. */
export const build = () =>
  step('build', async () => {
    const child = spawn(process.execPath, [path.join(root, 'tools/build.mjs')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (text) => (output += text));
    const code = await new Promise((done) => child.once('close', done));
    return { ok: code === 0, output };
  });

/** Vitest's own count: each test, and each file that could not even be loaded as one failure; with what was run. */
function counted(report) {
  if (!fs.existsSync(report)) return { passed: 0, failed: 1, names: ['no report was written'], ran: [] };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const unloaded = testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && !assertionResults.some((one) => one.status === 'failed');
  });
  const named = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map((one) => failure(name, one)),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloaded.length,
    names: [...named, ...unloaded.map(({ name, message }) => failure(name, { failureMessages: [message] }))],
    failedFiles: testResults.filter(({ status }) => status === 'failed').map(({ name }) => path.relative(root, name)),
    ran: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title, status }) => ({
        file: path.relative(root, name),
        title: [...ancestorTitles, title].join(' > '),
        status,
      })),
    ),
  };
}

/** A failed test as the end of the output names it: its file, its title and the first line of what was wrong. */
const failure = (file, { fullName = 'could not be loaded', failureMessages }) =>
  `${path.relative(root, file)}: ${fullName}: ${(failureMessages[0] ?? '').split('\n')[0]}`;

/** Runs files of one project, all when none is named, and counts. With a seed the tests of each file are shuffled by it. */
async function ran(project, files, env, seed) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-report-'));
  const report = path.join(folder, 'report.json');
  const words = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const shuffled = seed === undefined ? [] : ['--sequence.shuffle.tests', `--sequence.seed=${seed}`];
  const { ok } = await program('vitest/vitest.mjs', [...words, ...shuffled, ...files], { env });
  const count = counted(report);
  fs.rmSync(folder, { recursive: true, force: true });
  const isWhole = ok && count.passed > 0 && count.failed === 0;
  return isWhole || count.failed > 0 ? count : { ...count, failed: 1, names: [`the run of the ${project} tests`] };
}

/** So many files that failed are run a second time; more than this is no accident of timing. */
const MOST_AGAIN = 3;

/**
 * Runs one project of vitest.config.ts, or some files of it. A run without a passed test is a failure. Files of the server
 * and the browser that failed run once more by themselves. One that passes then is unsteady: it is named at the end, and is
 * a fault of the test or the product, but the run does not fail for it.
 */
export async function tests(project, files = [], env = {}) {
  process.stdout.write(`\n— ${project} tests\n`);
  const first = await ran(project, files, env);
  const again = first.failedFiles ?? [];
  if (project === 'unit' || again.length === 0 || again.length > MOST_AGAIN) return first;
  process.stdout.write(`\n— once more: ${again.join(', ')}\n`);
  const second = await ran(project, again, env);
  if (second.failed > 0) return first;
  const inOthers = first.ran.filter(({ file }) => !again.includes(file));
  return {
    passed: inOthers.filter(({ status }) => status === 'passed').length + second.passed,
    failed: 0,
    names: [],
    unsteady: first.names,
    ran: [...inOthers, ...second.ran],
  };
}

/**
 * Runs files of a project with the tests of each in the order of a seed. Nothing runs twice: a test that needs another one
 * before it fails.
 */
export async function shuffledTests(project, files, seed) {
  process.stdout.write(`\n— ${project} tests in the order of seed ${seed}: ${files.length} files from ${files[0]}\n`);
  const count = await ran(project, files, {}, seed);
  return { ...count, failedFiles: count.failedFiles ?? files };
}

/** Names what failed, prints the sum as the last line and ends with 0 or 1. */
export function finish({ passed, failed, names, unsteady = [] }) {
  for (const name of unsteady) process.stdout.write(`\nunsteady, passed the second time: ${name}`);
  for (const name of names) process.stdout.write(`\n✗ ${name}`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
