import { checkNode, ensureInstalled, fail } from './install.mjs';
import { build, finish, lint, sum, tests, types } from './steps.mjs';

// npm test [types|lint|unit|server|browser ...]: all of them, in this order, when none is named
const stages = {
  types: () => types(),
  lint: () => lint(),
  unit: () => tests('unit'),
  server: () => tests('server'),
  browser: async () => sum([await build(), await tests('browser')]),
};

const wished = process.argv.slice(2);
const unknown = wished.find((name) => !Object.hasOwn(stages, name));
if (unknown !== undefined)
  fail(`There are no tests called ${unknown}: choose among ${Object.keys(stages).join(', ')}.`);
checkNode();
ensureInstalled();
const counts = [];
for (const [name, run] of Object.entries(stages)) {
  if (wished.length === 0 || wished.includes(name)) counts.push(await run());
}
finish(sum(counts));
