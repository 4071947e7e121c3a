import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';

/** A sheet is as wide as a picture viewer shows it without making it smaller. */
const WIDTH = 1560;

/** Sheets of the pictures of a folder, two rows each with so many in a row, named after the folder and numbered. */
export async function drawSheets(browser: Browser, from: string, to: string, inARow: number): Promise<void> {
  fs.mkdirSync(to, { recursive: true });
  const pictures = fs
    .readdirSync(from)
    .filter((name) => name.endsWith('.png'))
    .sort();
  const page = await (await browser.newContext({ viewport: { width: WIDTH, height: 900 } })).newPage();
  const each = Math.floor(WIDTH / inARow) - 8;
  const onASheet = inARow < 4 ? inARow * 2 : inARow;
  for (let at = 0; at < pictures.length; at += onASheet) {
    const shown = pictures.slice(at, at + onASheet).map((name) => {
      const source = fs.readFileSync(path.join(from, name)).toString('base64');
      return `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${source}"></figure>`;
    });
    await page.setContent(
      `<style>body{margin:4px;background:#777;display:flex;flex-wrap:wrap;gap:6px;font:13px sans-serif}
       figure{margin:0;width:${each}px}figcaption{background:#ffd;overflow:hidden;white-space:nowrap}
       img{width:${each}px;max-height:${inARow < 4 ? 1000 : 1240}px;object-fit:cover;object-position:top}</style>${shown.join('')}`,
    );
    await page.locator('img').last().waitFor();
    const number = String(at / onASheet + 1).padStart(2, '0');
    await page.screenshot({ path: path.join(to, `${path.basename(from)}-${number}.png`), fullPage: true });
  }
  await page.context().close();
}
