import fs from 'node:fs';
import path from 'node:path';
import { type Account, type Held, withLifeline } from './lifeline.ts';
import type { MadeCluster } from './made-cluster.ts';

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
 * Makes the cluster, puts it in its place and goes on as its server, without this process between, which may be busy: it is
 * loading the product. A thousand files are brought to the disk beside what is done with the new cluster meanwhile.
 */
const makeThenRun = `
if [ -n "$SEGMENT" ]; then
  held TERM tar -xzf - -C "$MAKING" || exit 1
  dd if="$MAKING/stamp" of="$MAKING/pg_wal/$SEGMENT" bs=8 seek=3 conv=notrunc 2>/dev/null && rm "$MAKING/stamp" || exit 1
else
  held TERM "$INITDB" -D "$MAKING" ${initdbFlags.join(' ')} || exit 1
fi
[ -z "$DURABLE" ] || : > "$MAKING/unsettled" || exit 1
mv "$MAKING" "$DATA" || exit 1
[ -z "$DURABLE" ] || {
  if "$INITDB" -D "$DATA" --sync-only; then echo "${ON_DISK}" >&2; else echo "${NOT_ON_DISK}" >&2; fi
} 3<&- 4<&- &
held INT "$@"`;

/** Begins the cluster and its server: what the build has packed, or what initdb makes. */
export function makeAndRun(server: readonly string[], wished: NewCluster, made: MadeCluster | undefined): Held {
  const { root, data, account, durable } = wished;
  const making = newFolder(data, account);
  made?.begin(making, account);
  return withLifeline(makeThenRun, {
    words: server,
    account,
    input: made?.archive,
    names: {
      ...{ MAKING: making, DATA: data, INITDB: `${root}/bin/initdb` },
      ...{ SEGMENT: made?.segment ?? '', DURABLE: durable ? 'yes' : '' },
    },
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
