import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Ends with one sentence that says what is wrong and what to do. */
export function fail(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}

/** Node 20.19 is the oldest that the dependencies support. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Bahi needs Node 20.19 or newer and this is ${process.versions.node}: install a newer Node and run the command again.`,
  );
}

const read = (file) => {
  try {
    return fs.readFileSync(path.join(root, file), 'utf8');
  } catch {
    return undefined;
  }
};

/** Whether npm's own record of what lies in node_modules has every required package of the lock file in its version. */
function installedBy(lock) {
  const record = read('node_modules/.package-lock.json');
  if (record === undefined) return false;
  const here = JSON.parse(record).packages;
  return Object.entries(JSON.parse(lock).packages).every(
    ([place, wanted]) => place === '' || wanted.optional || wanted.peer || here[place]?.version === wanted.version,
  );
}

/** Runs a tool of npm's with this very Node, wherever npm lies. */
function npm(...words) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(command, [...first, ...words], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Installs the locked dependencies when they are missing or the lock file has changed since. */
export function ensureInstalled() {
  const lock = read('package-lock.json');
  if (lock === undefined) fail('The file package-lock.json is missing: restore it from the repository.');
  const mark = path.join(root, 'node_modules/.bahi-lock');
  const digest = createHash('sha256').update(`${lock}\n${process.platform} ${process.arch}`).digest('hex');
  if (read('node_modules/.bahi-lock') === digest) return;
  if (!installedBy(lock)) {
    process.stdout.write('Installing the locked dependencies (once, about half a minute)\n');
    const run = npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
    if (run.error) fail(`npm could not be started (${run.error.message}): install Node with npm.`);
    if (run.status !== 0)
      fail(
        'The dependencies could not be installed: see the lines above, check the network and that this folder can be written, and run the command again.',
      );
  }
  try {
    fs.writeFileSync(mark, digest);
  } catch {
    // a folder that cannot be written, fully installed: the comparison above runs again next time
  }
}
