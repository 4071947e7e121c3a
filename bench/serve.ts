import { systemClock } from '../server/kit/clock.ts';
import { makeLog } from '../server/process/log.ts';
import { startServer } from '../server/process/server.ts';

// The product's server as it is, but for the jobs: what is measured is the posting with its job's row, not the portal.
const port = Number(process.env.PORT);
const log = makeLog('warn');
const running = await startServer({
  url: process.env.DATABASE_URL ?? '',
  ownerUrl: process.env.DATABASE_OWNER_URL ?? '',
  masterKey: Buffer.alloc(32, 7),
  publicUrl: `http://127.0.0.1:${port}`,
  host: '127.0.0.1',
  port,
  clock: systemClock,
  oidc: undefined,
  organisationClaim: 'org_id',
  irp: 'sandbox',
  jobs: false,
  postingCache: process.env.POSTING_CACHE !== '0',
  checkAnswers: false,
  log: log.failed,
  answered: log.answered,
});
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)));
process.send?.({ ready: true });
