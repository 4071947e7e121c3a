import fs from 'node:fs';
import path from 'node:path';
import { type Account, type Held, withLifeline } from './lifeline.ts';

export interface NewCluster {
  /** Where the binaries lie. */
  readonly root: string;
  /** Where it is to lie. */
  readonly data: string;
  readonly account: Account;
  readonly durable: boolean;
}

/** Stands in a cluster until it lies on the disk: what is found with it after a power cut was never used. */
export const unsettled = (data: string): string => `${data}/unsettled`;

const initdbFlags = [
  ...['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-instructions', '--no-sync'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
];

const ON_DISK = 'The new cluster is on the disk.';
const NOT_ON_DISK = 'The new cluster could not be brought to the disk.';

/**
 * Makes the cluster, moves it into its place and becomes its server. The shell does it without this process, which is busy
 * loading the product. The thousand files of the cluster are written to disk while the server already runs.
 */
const makeThenRun = `
held TERM "$INITDB" -D "$MAKING" ${initdbFlags.join(' ')} || exit 1
[ -z "$DURABLE" ] || : > "$MAKING/unsettled" || exit 1
mv "$MAKING" "$DATA" || exit 1
[ -z "$DURABLE" ] || {
  if "$INITDB" -D "$DATA" --sync-only; then echo "${ON_DISK}" >&2; else echo "${NOT_ON_DISK}" >&2; fi
} 3<&- &
held INT "$@"`;

/** Makes a cluster with initdb, and starts its server. */
export function makeAndRun(server: readonly string[], wished: NewCluster): Held {
  const { root, data, account, durable } = wished;
  const making = newFolder(data, account);
  return withLifeline(makeThenRun, {
    words: server,
    account,
    names: { MAKING: making, DATA: data, INITDB: `${root}/bin/initdb`, DURABLE: durable ? 'yes' : '' },
  });
}

/**
 * An empty folder beside its place, to be renamed, so that an interrupted start leaves nothing half made; under a name
 * of its own, for what that start began may just be ending and sweep up after itself.
 */
function newFolder(data: string, { uid, gid }: Account): string {
  for (const name of fs.readdirSync(path.dirname(data)))
    if (name.startsWith(`${path.basename(data)}.making`))
      fs.rmSync(path.join(path.dirname(data), name), { recursive: true, force: true, maxRetries: 10 });
  fs.rmSync(data, { recursive: true, force: true });
  const making = fs.mkdtempSync(`${data}.making-`);
  if (uid !== undefined && gid !== undefined) fs.chownSync(making, uid, gid);
  return making;
}

/** Resolves when the cluster lies on the disk; then nothing says any more that it may not. */
export async function settled(server: Held, data: string): Promise<void> {
  const awake = setInterval(() => undefined, 1000); // nobody waits for the server itself, and a script that waits for this goes on
  await new Promise<void>((done, failed) => {
    let said = '';
    server.stderr.on('data', (text) => {
      said = (said + text).slice(-8000);
      if (said.includes(ON_DISK)) done();
      if (said.includes(NOT_ON_DISK)) failed(new Error(said));
    });
    server.once('exit', () => failed(new Error(said)));
  }).finally(() => clearInterval(awake));
  fs.unlinkSync(unsettled(data));
  for (const folder of [data, path.dirname(data)]) {
    const handle = fs.openSync(folder, 'r');
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  }
}
