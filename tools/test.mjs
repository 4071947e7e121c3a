import { checkNode, ensureInstalled, fail } from './install.mjs';
import { build, finish, lint, sum, tests, types } from './steps.mjs';

// npm test [types|lint|unit|build|server|browser ...]: all of them, in this order, when none is named. The tests of server and
// browser build what has changed, too: they try the product as it ships
const stages = {
  types: () => types(),
  lint: () => lint(),
  unit: () => tests('unit'),
  build: () => build(),
  server: () => tests('server'),
  browser: () => tests('browser'),
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
