// For a program that a test brings into trouble by a signal: imported before it, beside nothing of its own.

/** Longer than the database lets a transaction rest. Milliseconds. */
const BLOCKED = 11_000;

// its only thread is held: nothing is read, nothing is answered
process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED));

// all memory that it may have is used up
process.on('SIGHUP', () => {
  const held = [];
  for (;;) held.push(Array.from({ length: 100_000 }, () => held.length));
});
