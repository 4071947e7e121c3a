// A process for tests of how processes are ended: `node tools/testing/ending.mjs deaf` ignores SIGTERM, `willing` ends with it.

const HOUR = 3_600_000;

/** Keeps running although it was asked to end, like a process that hangs. */
function ignoreTheRequest() {
  process.stdout.write('asked to end\n');
}

/** Would end the process by itself, should the test that started it be gone. */
function endAfterAnHour() {
  process.exit(1);
}

if (process.argv[2] === 'deaf') process.on('SIGTERM', ignoreTheRequest);
setTimeout(endAfterAnHour, HOUR);
process.stdout.write('up\n');
