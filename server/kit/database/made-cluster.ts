import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Account } from './lifeline.ts';

/**
 * A cluster that the build has made and migrated: a first start unpacks it instead of making one (ADR 42). Two files: the
 * packed files, and what this says of them.
 */
interface Manifest {
  /** The binaries that made it: others make their own. */
  readonly binaries: string;
  /** The only file of its log. */
  readonly segment: string;
  /** Its control file, base64. It carries the cluster's identifier, and so does the log. */
  readonly control: string;
}

const files = (folder: string) => ({
  archive: path.join(folder, 'cluster.tar.gz'),
  manifest: path.join(folder, 'cluster.json'),
});

/** Which binaries lie there: platform, architecture and the version of the package that ships them. */
function binariesAt(root: string): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, '../package.json'), 'utf8')) as { version: string };
  return `${process.platform} ${process.arch} ${version}`;
}

/** Packs a cluster that was stopped in order; answers nothing, throws with what went wrong. */
export function packCluster(root: string, data: string, folder: string): void {
  const segments = fs.readdirSync(`${data}/pg_wal`).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const [segment] = segments;
  if (!segment || segments.length > 1) throw new Error(`The log has ${segments.length} files, not one.`);
  const control = fs.readFileSync(`${data}/global/pg_control`);
  controlStamped(control, newIdentifier()); // throws when its form is another one
  const leftOut = ['./global/pg_control', './postmaster.opts'].map((name) => `--exclude=${name}`);
  const packed = spawnSync('tar', ['-cf', '-', ...leftOut, '-C', data, '.'], { maxBuffer: 1024 ** 3 });
  if (packed.status !== 0) throw packed.error ?? new Error(packed.stderr.toString());
  const { archive, manifest } = files(folder);
  fs.writeFileSync(archive, gzipSync(packed.stdout));
  const said: Manifest = { binaries: binariesAt(root), segment, control: control.toString('base64') };
  fs.writeFileSync(manifest, JSON.stringify(said));
}

export interface MadeCluster {
  /** The packed files, open; whoever asked closes it. */
  readonly archive: number;
  readonly segment: string;
  /** Writes the files that tell this cluster from every other one; the log's part is `stamp`, for the shell to put in its place. */
  begin(making: string, account: Account): void;
}

/** What the build has packed for these binaries, or nothing. */
export function madeCluster(root: string, folder: string): MadeCluster | undefined {
  const { archive, manifest } = files(folder);
  if (!fs.existsSync(manifest)) return undefined;
  const { binaries, segment, control } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as Manifest;
  if (binaries !== binariesAt(root)) return undefined;
  return {
    archive: fs.openSync(archive, 'r'),
    segment,
    begin(making, { uid, gid }) {
      const identifier = newIdentifier();
      const mine = (name: string) =>
        uid !== undefined && gid !== undefined && fs.chownSync(`${making}/${name}`, uid, gid);
      fs.mkdirSync(`${making}/global`, { mode: 0o700 });
      mine('global');
      const stamped = controlStamped(Buffer.from(control, 'base64'), identifier);
      for (const [name, bytes] of [
        ['global/pg_control', stamped],
        ['stamp', identifier],
      ] as const) {
        fs.writeFileSync(`${making}/${name}`, bytes, { mode: 0o600 });
        mine(name);
      }
    },
  };
}

/** Eight bytes that no other cluster has, as `initdb` makes them: the second, and below it what chance says. */
function newIdentifier(): Buffer {
  const identifier = Buffer.alloc(8);
  identifier.writeUInt32LE(Math.floor(Date.now() / 1000), 4);
  randomBytes(4).copy(identifier, 0);
  return identifier;
}

/**
 * A control file with another identifier: its first eight bytes (`ControlFileData` of pg_control.h), and the CRC-32C over all
 * that stands before the sum. Where that is differs by version, and is found by the sum being right there.
 */
export function controlStamped(control: Buffer, identifier: Buffer): Buffer {
  const sums = [...crcs(control.subarray(0, 512))];
  const end = sums.findIndex((sum, at) => at >= 200 && at % 4 === 0 && control.readUInt32LE(at) === sum);
  if (end < 0) throw new Error('The control file has no sum where one is looked for.');
  const stamped = Buffer.from(control);
  identifier.copy(stamped, 0);
  stamped.writeUInt32LE([...crcs(stamped.subarray(0, end + 4))][end] ?? 0, end);
  return stamped;
}

/** The CRC-32C (Castagnoli) of each beginning of these bytes, the empty one first. */
function* crcs(bytes: Buffer): Generator<number> {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    yield ~sum >>> 0;
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1;
  }
}
