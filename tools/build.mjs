import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { billOfMaterials, readLock } from './bom.mjs';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';

const dist = path.join(root, 'dist');
const shared = ['package-lock.json', 'domain', 'contract'];

/** The parts of the product, what they are made of, and what must lie in dist afterwards. */
const parts = {
  web: {
    label: 'web app',
    inputs: [...shared, 'web', 'tools/routes.ts', 'tools/till-worker.ts', 'vite.config.ts'],
    outputs: ['web/index.html', 'web/till-worker.js'],
    run: buildWeb,
  },
  server: {
    label: 'server',
    inputs: [...shared, 'server', 'sandbox', 'vite.server.config.ts'],
    outputs: ['server.mjs', 'printer.mjs', 'bom.json'],
    run: buildServer,
  },
};

async function buildWeb({ build }) {
  await build({ root: path.join(root, 'web'), configFile: path.join(root, 'vite.config.ts'), logLevel: 'error' });
}

/**
 * Two programs, because the printer is a process of its own, and the list of what they are made of. What an earlier build
 * left is deleted.
 */
async function buildServer({ build }) {
  for (const name of fs.readdirSync(dist)) if (/\.mjs(\.map)?$/.test(name)) fs.rmSync(path.join(dist, name));
  const programs = {
    server: 'server/process/main.ts',
    printer: 'server/kit/paper/printer.ts',
  };
  const input = Object.fromEntries(Object.entries(programs).map(([name, entry]) => [name, path.join(root, entry)]));
  const configFile = path.join(root, 'vite.server.config.ts');
  await build({ root, configFile, logLevel: 'error', build: { rolldownOptions: { input } } });
  fs.writeFileSync(path.join(dist, 'bom.json'), `${JSON.stringify(billOfMaterials(readLock()), null, 1)}\n`);
}

function* filesUnder(place) {
  const full = path.join(root, place);
  if (!fs.existsSync(full)) return;
  if (!fs.statSync(full).isDirectory()) return yield place;
  for (const name of fs.readdirSync(full).sort()) yield* filesUnder(path.join(place, name));
}

const isInput = (file) => !/\.test\.tsx?$/.test(file);

function digestOf(inputs) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of inputs.flatMap((input) => [...filesUnder(input)]).filter(isInput)) {
    hash.update(`\n${file}\n`).update(fs.readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** What the file system says of the inputs: the same inodes, sizes and moments of change hold the same text, and nothing need be read. */
function looksOf(inputs) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of inputs.flatMap((input) => [...filesUnder(input)]).filter(isInput)) {
    const { ino, size, ctimeMs } = fs.statSync(path.join(root, file));
    hash.update(`${file} ${ino} ${size} ${ctimeMs}\n`);
  }
  return hash.digest('hex');
}

/** What the last build was made of: the digest of its inputs, and how they looked. */
const readMark = (mark) => (fs.existsSync(mark) ? fs.readFileSync(mark, 'utf8').split('\n') : []);

/** The parts whose inputs have changed since they were built, or that miss a file. */
export function unbuilt() {
  return Object.entries(parts).flatMap(([name, part]) => {
    const mark = path.join(dist, `.${name}-inputs`);
    const complete = part.outputs.every((output) => fs.existsSync(path.join(dist, output)));
    const [was, looked] = complete ? readMark(mark) : [];
    const looks = looksOf(part.inputs);
    if (looks === looked) return [];
    const digest = digestOf(part.inputs);
    if (digest !== was) return [{ name, mark, text: `${digest}\n${looks}`, ...part }];
    try {
      fs.writeFileSync(mark, `${digest}\n${looks}`);
    } catch {
      // a folder that cannot be written: the inputs are read again next time
    }
    return [];
  });
}

/** Builds the parts that need it; answers their names. */
export async function build(log = (line) => process.stdout.write(`${line}\n`)) {
  const built = [];
  for (const { name, mark, text, label, run } of unbuilt()) {
    log(`Building the ${label}`);
    fs.mkdirSync(dist, { recursive: true });
    fs.rmSync(mark, { force: true });
    await run(await import('vite')); // not before: the dependencies may have been missing until now
    fs.writeFileSync(mark, text);
    built.push(name);
  }
  return built;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkNode();
  ensureInstalled();
  try {
    await build();
  } catch (error) {
    const closed = ['EACCES', 'EROFS', 'ENOSPC'].includes(error.code);
    fail(
      closed
        ? `The folder dist cannot be written (${error.code}): make the checkout writable or free some space.`
        : `The build failed: ${error.message}`,
    );
  }
}
