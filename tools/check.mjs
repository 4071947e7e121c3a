import { checkNode, ensureInstalled, fail } from './install.mjs';
import { build, finish, lint, sum, tests, types } from './steps.mjs';

// npm run check: types, lint, walls, tidy; with --all every other test too, over every kind, screen and call instead of a sample
const unknown = process.argv.slice(2).find((word) => word !== '--all');
if (unknown !== undefined) fail(`There is no option ${unknown}: check takes --all or nothing.`);
checkNode();
ensureInstalled();
const counts = [await types(), await lint(), await tests('unit', ['tools/rooms.test.ts', 'tools/tidy.test.ts'])];
if (process.argv.includes('--all')) {
  const all = { BAHI_ALL: '1' };
  counts.push(await build(), await tests('server', [], all), await tests('browser', [], all));
}
finish(sum(counts));
