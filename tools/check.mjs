import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';
import { registered } from './registers.mjs';
import { build, finish, lint, sum, tests, types } from './steps.mjs';

// npm run check: types, lint, import rules, tidy; with --all every other test too, over every kind, screen and call instead of a sample;
// with --alone it runs the tests of all projects in a shuffled order, and no other check: --alone=SEED repeats an order;
// with --sizes it checks nothing and prints the largest of what the sources have; with --texts it lists the texts for people
const options = ['--all', '--alone', '--sizes', '--texts'];
const unknown = process.argv.slice(2).find((word) => !options.includes(word) && !/^--alone=\d+$/.test(word));
if (unknown !== undefined) fail(`There is no option ${unknown}: check takes ${options.join(', ')} or nothing.`);
checkNode();
ensureInstalled();
const programs = { '--sizes': 'tools/sizes.ts', '--texts': 'tools/write-texts.ts' };
const program = process.argv.slice(2).find((word) => word in programs);
if (program !== undefined) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', path.join(root, programs[program])], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
const alone = process.argv.find((word) => word.startsWith('--alone'));
finish(sum(alone === undefined ? await checks(process.argv.includes('--all')) : await shuffled(alone.split('=')[1])));

async function checks(isAll) {
  const counts = [
    await types(),
    await lint(),
    await tests('unit', isAll ? [] : ['tools/rooms.test.ts', 'tools/tidy.test.ts']),
  ];
  if (!isAll) return counts;
  const all = { BAHI_ALL: '1' };
  counts.push(await build(), await tests('server', [], all));
  // the same books without the cache of postings
  counts.push(await tests('server', ['server/documents'], { BAHI_POSTING_CACHE: '0' }));
  counts.push(await tests('browser', [], all));
  counts.push(registered(sum(counts).ran, true));
  return counts;
}

/** The tests of all projects, those of each file in the order of a seed. */
async function shuffled(named) {
  const seed = Number(named ?? Math.floor(Math.random() * 1_000_000));
  const counts = [await build()];
  for (const project of ['unit', 'server', 'browser']) counts.push(await tests(project, [], {}, seed));
  process.stdout.write(`\nThe order is that of seed ${seed}: npm run check -- --alone=${seed} repeats it.\n`);
  return counts;
}
