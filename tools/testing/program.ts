import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { vi } from 'vitest';
import { root } from '../../server/kit/database/migrate.ts';

export interface Program {
  readonly process: ChildProcess;
  readonly url: string;
  /** What it has printed so far, where anybody reads that. */
  said(): string;
}

export interface Wanted {
  readonly port: number;
  /** What the test says of its databases, folders and workers. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where its log goes: to whoever asks what it said, or to an open file. */
  readonly output?: 'pipe' | number;
  /** Words for Node. */
  readonly flags?: readonly string[];
}

/** The program as it ships, which the set-up of a run has built: it may be killed, starved and begun again. Ready when this resolves. */
export async function startProgram({ port, settings, output = 'pipe', flags = [] }: Wanted): Promise<Program> {
  const url = `http://127.0.0.1:${port}`;
  const started = spawn(process.execPath, [...flags, path.join(root(), 'dist/server.mjs')], {
    cwd: root(),
    env: {
      PATH: process.env.PATH,
      BAHI_UNSAFE_DATABASE: '1', // a database of tests waits for no disk
      MASTER_KEY: Buffer.alloc(32, 7).toString('hex'),
      // what it would have by itself, tried out on its own database
      SANDBOX: '1',
      DRAIN_SECONDS: '0',
      PORT: String(port),
      ...settings,
    },
    stdio: ['ignore', output, output],
  });
  let said = '';
  for (const pipe of [started.stdout, started.stderr])
    pipe?.on('data', (text) => {
      said += text;
    });
  const ended = new Promise<never>((_, failed) => {
    // its last words come after it has ended
    started.once('close', () => failed(new Error(`The program ended: ${said}`)));
    started.once('error', failed);
  });
  ended.catch(() => undefined); // later it may end as it likes
  const isReady = async () => {
    if (output === 'pipe' ? !said.includes('Bahi is ready') : !(await fetch(`${url}/readyz`)).ok)
      throw new Error(`The program is not ready: ${said}`);
  };
  try {
    await Promise.race([ended, vi.waitFor(isReady, { timeout: 40_000, interval: 20 })]);
  } catch (error) {
    started.kill('SIGKILL');
    throw error;
  }
  return { process: started, url, said: () => said };
}
