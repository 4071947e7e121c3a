import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { checkNode, ensureInstalled, fail, root } from './install.mjs';

// npm run dev: the server from its source, again at every change, with its database; the web app through Vite before it
checkNode();
ensureInstalled();
const settings = path.join(root, '.env');
if (fs.existsSync(settings)) process.loadEnvFile(settings);
const port = Number(process.env.PORT ?? 3000);
if (!Number.isInteger(port) || port < 1 || port > 65534)
  fail(`PORT must be a whole number from 1 to 65534, not ${process.env.PORT}.`);
const address = process.env.PUBLIC_URL ?? `http://127.0.0.1:${port}`;
process.env.BAHI_SERVER = `http://127.0.0.1:${port + 1}`;

const server = spawn(
  process.execPath,
  [
    path.join(root, 'node_modules/tsx/dist/cli.mjs'),
    'watch',
    '--clear-screen=false',
    path.join(root, 'server/process/main.ts'),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: String(port + 1), HOST: '127.0.0.1', PUBLIC_URL: address },
  },
);
const { createServer } = await import('vite');
const web = await createServer({
  root: path.join(root, 'web'),
  configFile: path.join(root, 'vite.config.ts'),
  server: { port, host: '127.0.0.1' },
});
try {
  await web.listen();
} catch (error) {
  server.kill('SIGTERM');
  fail(`The address ${address} cannot be used (${error.message}): stop what uses it or set PORT.`);
}
process.stdout.write(`The app in development: ${address}\n`);

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  server.kill('SIGTERM');
  await web.close();
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
server.once('exit', async (code) => {
  await stop();
  process.exit(code ?? 0);
});
