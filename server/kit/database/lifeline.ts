import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Whose process it is; nothing said: ours. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export type Held = ChildProcess & { readonly stdin: Writable; readonly stderr: Readable };

/** `held SIGNAL COMMAND…` runs a command and sends it the signal when the lifeline (descriptor 3) closes. */
const held = `exec 3<&0
held() {
  signal=$1; shift
  "$@" 3<&- </dev/null & p=$!
  { read -r _ <&3; kill -$signal $p; } 2>/dev/null & w=$!
  wait $p; c=$?
  kill $w 2>/dev/null
  return $c
}
`;

interface Run {
  /** $1, $2 … of the text. */
  readonly words: readonly string[];
  readonly account: Account;
  /** What it finds in its environment, beside the path. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * Runs a text of the shell in a process without rights of ours. Its standard input is its lifeline: it closes when this process
 * dies, even by SIGKILL, and what runs under `held` gets the signal to end.
 */
export function withLifeline(text: string, { words, account, names }: Run): Held {
  return spawn('sh', ['-c', held + text, 'sh', ...words], {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...names },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  }) as Held;
}
