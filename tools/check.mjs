import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { alone } from './alone.mjs';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';
import { registered } from './registers.mjs';
import { build, finish, lint, sum, tests, types } from './steps.mjs';

// npm run check: types, lint, import rules, tidy; with --all every other test too, over every kind, screen and call instead of a sample;
// with --alone it runs the tests of each file in a shuffled order, and no other check: --alone=SEED repeats an order, --resume goes on
// with the last run, and further words are projects or parts of paths;
// with --sizes it checks nothing and prints the largest of what the sources have; with --texts it lists the texts for people
const options = ['--all', '--alone', '--resume', '--sizes', '--texts'];
const words = process.argv.slice(2);
const shuffle = words.find((word) => /^--alone(=\d+)?$/.test(word));
const wished = words.filter((word) => !word.startsWith('--'));
const unknown = words.find((word) => word !== shuffle && !options.includes(word) && !wished.includes(word));
if (unknown !== undefined) fail(`There is no option ${unknown}: check takes ${options.join(', ')} or nothing.`);
if (shuffle === undefined && (wished.length > 0 || words.includes('--resume')))
  fail('Only --alone takes --resume and names.');
checkNode();
ensureInstalled();
const programs = { '--sizes': 'tools/sizes.ts', '--texts': 'tools/write-texts.ts' };
const program = words.find((word) => word in programs);
if (program !== undefined) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', path.join(root, programs[program])], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
const seed = shuffle?.split('=')[1];
finish(
  shuffle === undefined
    ? sum(await checks(words.includes('--all')))
    : await alone({ seed: seed && Number(seed), wished, resumes: words.includes('--resume') }),
);

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
