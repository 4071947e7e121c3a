// Keeps the till's page for a reload without the network. It answers for that page and its hashed files alone, never for a
// call: what the server says is asked of the server. The build puts in the files and what tells this build from others.
const version = '__VERSION__';
const files = JSON.parse('__FILES__');
const page = '/layout/PoSNewCreation';
const prefix = 'bahi-till-';
const name = `${prefix}${version}`;
/** A page that cannot be had within this time is taken from here. */
const PATIENCE = 4000;

/** The page without a user: without a cookie it holds no preferences. A page of another build would ask for files that are not here. */
async function install() {
  const cache = await caches.open(name);
  const fresh = await fetch(page, { credentials: 'omit', cache: 'no-store' });
  const text = await fresh.clone().text();
  if (!fresh.ok || !files.some((file) => text.includes(file))) throw new Error('this page belongs to another build');
  await cache.addAll(files);
  await cache.put(page, fresh);
  await self.skipWaiting();
}

/** Tabs that are open still ask for files of the build before: the newest other one stays. */
async function tidy() {
  const others = (await caches.keys()).filter((one) => one.startsWith(prefix) && one !== name);
  for (const old of others.slice(0, -1)) await caches.delete(old);
  await self.clients.claim();
}

async function pageFor(request) {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), PATIENCE);
  try {
    return await fetch(request, { signal: gone.signal });
  } catch (problem) {
    const kept = await (await caches.open(name)).match(page);
    if (!kept) throw problem;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

async function fileFor(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  // fonts and the like, by their hashed names
  if (answer.ok) await (await caches.open(name)).put(request, answer.clone());
  return answer;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(tidy()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && url.pathname === page) event.respondWith(pageFor(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(fileFor(request));
});
