import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const onPath = (): string | undefined =>
  ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
    .find((found) => found !== '');

interface Program {
  readonly executablePath: string;
  readonly env?: Record<string, string>;
}

const require = createRequire(import.meta.url);

/** Where the package's Chromium lies once unpacked: one folder per account and version. */
function unpackedFolder(): string {
  const manifest = path.join(path.dirname(require.resolve('@sparticuz/chromium')), '../../package.json');
  const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(os.tmpdir(), `bahi-chromium-${os.userInfo().uid}-${version}`);
}

/** Unpacks the package's Chromium into `folder`, to be moved to `final`; it goes by TMPDIR, hence a process of its own. */
function unpack(folder: string, final: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // named like this runtime it also unpacks the libraries that a bare machine lacks
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const script = `const { default: shipped } = await import('@sparticuz/chromium'); await shipped.executablePath();`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env,
    encoding: 'utf8',
  });
  if (run.status !== 0)
    throw new Error(`The browser of npm could not be unpacked: ${run.error?.message ?? run.stderr}`);
  const fonts = [`${final}/fonts`, path.dirname(require.resolve('@expo-google-fonts/noto-sans')), '/usr/share/fonts'];
  const lines = fonts.map((place) => `<dir>${place}</dir>`).join('');
  const head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  fs.writeFileSync(
    `${folder}/fonts/fonts.conf`,
    `${head}<fontconfig>${lines}<cachedir>${final}/cache</cachedir></fontconfig>`,
  );
}

/** The Chromium that npm brings, with its own libraries and fonts; unpacked once per machine, account and version. */
function fromNpm(): Program {
  const final = unpackedFolder();
  if (!fs.existsSync(final)) {
    const making = `${final}.${process.pid}`;
    unpack(making, final);
    if (fs.existsSync(final))
      fs.rmSync(making, { recursive: true }); // another run was faster
    else fs.renameSync(making, final);
  }
  const env = {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: `${final}/al2023/lib`,
    FONTCONFIG_PATH: `${final}/fonts`,
  };
  return { executablePath: `${final}/chromium`, env };
}

/** A headless Chromium: the one that `CHROMIUM` names, else the machine's, else the one from npm (`CHROMIUM=npm` insists on it). */
export async function launchBrowser(): Promise<Browser> {
  const wished = process.env.CHROMIUM;
  const installed = wished === 'npm' ? undefined : wished || onPath();
  return chromium.launch({ ...(installed ? { executablePath: installed } : fromNpm()), args: flags });
}

let shared: Promise<Browser> | undefined;

/** The browser that the walks of a worker share: closing it closes what was opened in it. It ends with its process. */
export async function openBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  const browser = await shared;
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

/** Waits until the page has been drawn as it now is: after another width, mode or state it first stands, or fades, as it was. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(fading.map((one) => one.finished));
  });

const engine = require.resolve('axe-core/axe.min.js');
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface Found {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What the page breaks of WCAG 2.2 A and AA, one line per element; `rules` narrows to some rules of axe. */
export async function axe(page: Page, { rules }: { rules?: readonly string[] } = {}): Promise<string[]> {
  await drawn(page);
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(fs.readFileSync(engine, 'utf8')); // evaluated, not added as a tag: the page's policy holds
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: levels };
  const found = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: Document, options: object): Promise<{ violations: Found[] }> };
    };
    const { violations } = await axe.run(document, { runOnly: chosen, resultTypes: ['violations'] });
    // what a modal dialog covers in part cannot be touched, so its size says nothing until the dialog is closed
    const modal = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
    const touched = ({ target }: Found['nodes'][number]) => modal?.contains(document.querySelector(target.join(' ')));
    return violations.map((found) =>
      modal && found.id === 'target-size' ? { ...found, nodes: found.nodes.filter(touched) } : found,
    );
  }, runOnly);
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`));
}

/** What makes the page scroll sideways, or stands beyond its right edge where nothing scrolls. */
export const tooWide = async (page: Page): Promise<string[]> => {
  await drawn(page);
  return page.evaluate(() => {
    const main = document.querySelector('.shell-main') ?? document.documentElement;
    const found = main.scrollWidth > main.clientWidth + 1 ? [`the screen is ${main.scrollWidth} wide`] : [];
    for (const element of document.querySelectorAll<HTMLElement>('body *:not(svg *)')) {
      const { right, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || right <= innerWidth + 1) continue;
      let around: Element | null = element;
      while (around && !['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(around).overflowX))
        around = around.parentElement;
      if (!around) found.push(`${element.tagName} ${element.className}: ${element.textContent?.slice(0, 60)}`);
    }
    return found;
  });
};

/**
 * Script time that each of so many keys costs where the focus is, and all work of the page for it, what follows from
 * it included. Milliseconds.
 */
export async function timesOfKeys(
  page: Page,
  keys: number,
  first = 10,
): Promise<{ readonly script: readonly number[]; readonly all: readonly number[] }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const used = async (): Promise<Readonly<Record<string, number>>> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]));
  };
  const script: number[] = [];
  const all: number[] = [];
  for (let key = -first; key < keys; key++) {
    await page.waitForTimeout(60);
    const before = await used();
    await page.keyboard.press(key % 2 === 0 ? '2' : 'Backspace');
    await page.waitForTimeout(60);
    const after = await used();
    if (key < 0) continue;
    script.push((after['ScriptDuration'] ?? 0) - (before['ScriptDuration'] ?? 0));
    all.push((after['TaskDuration'] ?? 0) - (before['TaskDuration'] ?? 0));
  }
  await devtools.detach();
  return { script, all };
}

/** A JPEG of 900 by 600 that the browser draws, to be chosen as a file. */
export async function drawnPicture(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 600 });
    const brush = canvas.getContext('2d') as CanvasRenderingContext2D;
    brush.fillStyle = 'teal';
    brush.fillRect(100, 100, 700, 400);
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });
  return Buffer.from(drawn, 'base64');
}
