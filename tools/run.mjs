import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';

// node tools/run.mjs file.ts [words]: runs a TypeScript program of the checkout
const [file, ...words] = process.argv.slice(2);
if (file === undefined || !fs.existsSync(path.resolve(root, file))) {
  fail(file === undefined ? 'Name a file to run: node tools/run.mjs file.ts.' : `There is no file ${file} to run.`);
}
checkNode();
ensureInstalled();
const child = spawn(process.execPath, ['--import', 'tsx', path.resolve(root, file), ...words], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
