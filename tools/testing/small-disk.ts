import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A disk of a test's own that may be filled, and turned read-only. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  /** Turns it read-only or back. False: something is open on it for writing. */
  readOnly(is: boolean): boolean;
  end(): void;
}

const ran = (command: string, ...words: readonly string[]): boolean => spawnSync(command, words).status === 0;
const newFolder = (): string => {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-small-'));
  fs.chmodSync(made, 0o755);
  return made;
};

function fillUp(file: string): void {
  const to = fs.openSync(file, 'w');
  for (const size of [1024 * 1024, 4096]) {
    const zeros = Buffer.alloc(size);
    try {
      for (;;) fs.writeSync(to, zeros);
    } catch {
      // that is all of it
    }
  }
  fs.closeSync(to);
}

const memory = (megabytes: number, folder: string) =>
  ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder] as const;

/** Every user may mount in a namespace, where the kernel allows one; its process shows it to others below /proc. */
async function inNamespace(megabytes: number, folder: string): Promise<ChildProcess | undefined> {
  const script = `mount ${memory(megabytes, folder).join(' ')} && echo mounted && exec cat`;
  const holder = spawn('unshare', ['-Urm', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const mounted = new Promise<boolean>((resolve) => {
    holder.once('error', () => resolve(false));
    holder.once('exit', () => resolve(false));
    holder.stdout.once('data', () => resolve(true));
  });
  return (await mounted) ? holder : undefined;
}

/** A small disk in memory: root mounts it, another account does so in a namespace of its own. Undefined where neither may be done. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const made = newFolder();
  const isMounted = ran('mount', ...memory(megabytes, made));
  const holder = isMounted ? undefined : await inNamespace(megabytes, made);
  const clear = () => fs.rmSync(made, { recursive: true, force: true });
  if (!isMounted && !holder) return void clear();
  const folder = holder ? `/proc/${holder.pid}/root${made}` : made;
  const within = holder ? ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials'] : [];
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill: () => fillUp(filler),
    free: () => fs.rmSync(filler, { force: true }),
    readOnly: (is) => {
      // named with its source, or what is mounted would be asked for its owner, whom a namespace cannot name
      const [command = '', ...words] = [...within, 'mount', '-o', `remount,${is ? 'ro' : 'rw'}`, 'tmpfs', made];
      return ran(command, ...words);
    },
    end: () => {
      holder?.stdin?.end();
      if (isMounted) ran('umount', '-l', made);
      clear();
    },
  };
}

/** A disk that takes what is written and fails when it has to lie there, as one that dies does: there is no space below it. */
export interface FailingDisk {
  readonly folder: string;
  fail(): void;
  /** A disk in its place that works, with all that had reached it. False: something is still open on it. */
  mend(): boolean;
  end(): void;
}

/** Only root may, where the kernel has devices of files and ext4. */
export function failingDisk(megabytes: number): FailingDisk | undefined {
  const below = newFolder();
  const image = path.join(below, 'image');
  const folder = path.join(below, 'disk');
  const filler = path.join(below, 'filler');
  const mounted = () => ran('mount', '-o', 'loop,errors=continue', image, folder);
  const end = () => {
    ran('umount', '-l', folder);
    ran('umount', '-l', below);
    fs.rmSync(below, { recursive: true, force: true });
  };
  const makes = () => {
    if (!ran('mount', ...memory(megabytes, below))) return false;
    fs.mkdirSync(folder);
    fs.writeFileSync(image, Buffer.alloc((megabytes - 4) * 1024 * 1024));
    return ran('mkfs.ext4', '-q', '-E', 'nodiscard', image) && mounted();
  };
  if (!makes()) return void end();
  fs.chmodSync(folder, 0o755);
  return {
    folder,
    // what it has not used is given back to below, and taken there: its own tables and its journal stay
    fail: () => {
      ran('fstrim', folder);
      fillUp(filler);
    },
    mend: () => {
      fs.rmSync(filler, { force: true });
      return ran('umount', folder) && mounted();
    },
    end,
  };
}
