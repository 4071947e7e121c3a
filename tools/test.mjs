import { checkNode, ensureInstalled, fail } from './install.mjs';
import { registered, registeredFiles } from './registers.mjs';
import { build, finish, lint, sum, tests, types } from './steps.mjs';

// npm test [types|lint|unit|build|server|browser ...]: all of them, in this order, when none is named; then the registers of
// faults, attacks and invariants are held against what was run. `npm test registers` runs the files that they name. The tests
// of server and browser build what has changed, too: they try the product as it ships
const stages = {
  types: () => types(),
  lint: () => lint(),
  unit: () => tests('unit'),
  build: () => build(),
  server: () => tests('server'),
  browser: () => tests('browser'),
};

const projects = ['unit', 'server', 'browser'];
async function registers() {
  const counts = [];
  for (const project of projects) counts.push(await tests(project, registeredFiles(project)));
  return sum([...counts, registered(sum(counts).ran)]);
}

const wished = process.argv.slice(2);
const names = [...Object.keys(stages), 'registers'];
const unknown = wished.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`There are no tests called ${unknown}: choose among ${names.join(', ')}.`);
checkNode();
ensureInstalled();
const counts = [];
for (const [name, run] of Object.entries(stages)) {
  if (wished.length === 0 || wished.includes(name)) counts.push(await run());
}
if (wished.includes('registers')) counts.push(await registers());
else if (wished.length === 0) counts.push(registered(sum(counts).ran));
finish(sum(counts));
