import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { unbuilt } from './build.mjs';
import { serverFlags } from './flags.mjs';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';

checkNode();
ensureInstalled();
if (unbuilt().length > 0) await build();
run();

/** The build runs in a process of its own, so that its memory is gone when the server runs. */
async function build() {
  const code = await new Promise((done) => {
    spawn(process.execPath, [path.join(root, 'tools/build.mjs')], { cwd: root, stdio: 'inherit' }).once('exit', done);
  });
  if (code !== 0) process.exit(1); // the build has said why
  if (!fs.existsSync(path.join(root, 'dist/server.mjs')))
    fail('The file dist/server.mjs is missing after the build: delete the folder dist and start again.');
}

/** Runs the server until it ends; a signal to this process, or the end of npm above it, stops the server. */
function run() {
  const program = path.join(root, 'dist/server.mjs');
  const server = spawn(process.execPath, [...serverFlags, program], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const stop = (signal) => {
    if (server.exitCode === null && server.signalCode === null) server.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => stop(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    // a signal sent to npm ends npm's shell without reaching here: its end is seen by the change of the parent
    setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500).unref();
  }
  server.once('error', (error) => fail(`The server could not be started: ${error.message}`));
  server.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)));
}
