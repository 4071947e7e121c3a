/**
 * What keeps the database from doing what it is asked, though nothing is wrong with that: `full` has no space left, `broken` is
 * a disk that refuses to write or to read, `away` is everything that passes by itself.
 */
export type Trouble = 'full' | 'broken' | 'away';

/** Sorts of SQLSTATE and of the system's errors: connections, resources, an end from outside, a copy that may only be read, a lost race. */
const AWAY = /^(08|53|57P0|25006|40001|40P01|ECONN|EPIPE)/;
const CUT =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** A line that broke while something was asked on it, or that was broken before. */
export function isCut(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(57P01|ECONNRESET|EPIPE)$/.test(code) ||
    /^(Connection terminated|Client has encountered a connection error)/.test(message)
  );
}

/** The trouble of the database that an error tells of; undefined: it is another one. With its key the same may be asked again. */
export function troubleOf(error: unknown): Trouble | undefined {
  const { code = '', message = '', syscall } = error as { code?: string; message?: string; syscall?: string };
  if (code === '53100') return 'full';
  // a file system that became read-only is reported as a missing right
  if (code.startsWith('58') || message.includes('Read-only file system')) return 'broken';
  // its socket is not there
  if (code === 'ENOENT') return syscall === 'connect' ? 'away' : undefined;
  return AWAY.test(code) || CUT.test(message) ? 'away' : undefined;
}
