import { launchBrowser, tooWide, axe } from './tools/testing/browser.ts';
const url = 'http://127.0.0.1:3471';
const browser = await launchBrowser();
const jobs = process.argv.slice(3); const who = process.argv[2]!;
const signIn = async (email: string, opts: object) => { const p = await (await browser.newContext({ reducedMotion: 'reduce', ...opts })).newPage(); p.on('pageerror', (e) => console.log('BUG', p.url(), e.message)); await p.goto(url); await p.getByRole('button', { name: 'Sign in' }).click(); await p.getByLabel('Email').fill(email); await p.getByLabel('Password').fill('Demo-Bahi-2026'); await p.getByRole('button', { name: 'Sign in' }).click(); await p.waitForURL('**/layout/Home'); return p; };
for (const [w, o] of [['w', { viewport: { width: 1440, height: 900 } }], ['n', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }]] as const) {
  const p = await signIn(who, o);
  for (const job of jobs) {
    const [path, name, click] = job.split('|');
    await p.goto(`${url}${path}`); await p.waitForLoadState('networkidle').catch(() => 0);
    if (click) for (const c of click.split('>>')) { const [role, nm] = c.split(':'); const l = p.getByRole(role as 'button', { name: nm!, exact: false }).first(); if (await l.count()) { await l.click().catch((e: Error) => console.log('noclick', c, e.message.slice(0, 80))); await p.waitForTimeout(300); } else console.log('none', c, w); }
    await p.waitForTimeout(200);
    await p.screenshot({ path: `/tmp/shots/${name}-${w}.png` });
    const wide = await tooWide(p); if (wide.length) console.log(name, w, 'WIDE', wide.slice(0, 3));
    const a = await axe(p).catch((e: Error) => [e.message]); if (a.length) console.log(name, w, 'AXE', a.slice(0, 3));
  }
}
await browser.close();
