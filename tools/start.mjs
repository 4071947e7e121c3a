import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { unbuilt } from './build.mjs';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';

checkNode();
ensureInstalled();
if (unbuilt().length > 0) await build();
await run();

/** The build runs in a process of its own, so that its memory is gone when the server runs. */
async function build() {
  const code = await new Promise((done) => {
    spawn(process.execPath, [path.join(root, 'tools/build.mjs')], { cwd: root, stdio: 'inherit' }).once('exit', done);
  });
  if (code !== 0) process.exit(1); // the build has said why
  if (!fs.existsSync(path.join(root, 'dist/server.mjs')))
    fail('The file dist/server.mjs is missing after the build: delete the folder dist and start again.');
}

/** Runs the server in this very process, as if it had been started itself. */
async function run() {
  const program = path.join(root, 'dist/server.mjs');
  process.chdir(root);
  process.argv[1] = program; // its workers are this program too
  const stop = () => process.kill(process.pid, 'SIGTERM');
  process.on('SIGHUP', stop);
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    // a signal sent to npm ends npm's shell without reaching here: its end is seen by the change of the parent
    setInterval(() => process.ppid !== parent && stop(), 500).unref();
  }
  await import(pathToFileURL(program).href);
}
