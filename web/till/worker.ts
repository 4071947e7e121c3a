/** Where the worker stands and what it answers for: the till's own page, so that nobody else pays for it. */
const WORKER = '/till-worker.js';
const PAGE = '/layout/PoSNewCreation';

/** Keeps the till's page and programs in the browser, for a reload without the network. The development server has no worker. */
export async function keepPage(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // without it a tab that is open goes on; one that is reloaded needs the server
  await navigator.serviceWorker.register(WORKER, { scope: PAGE, updateViaCache: 'none' }).catch(() => undefined);
}
