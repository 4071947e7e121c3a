import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';

test('a stack names the lines of the source, of built files with a map; of others where they are', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-stacks-'));
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  const source = `interface Gone { readonly away: number }
interface GoneToo { readonly away: Gone }

export const fail = (what: string): never => {
  throw new TypeError(what);
};
export type { Gone, GoneToo };
`;
  const { code, map } = await transformWithOxc(source, 'source.ts', { sourcemap: true });
  write('built.mjs', code);
  write('built.mjs.map', JSON.stringify(map));
  write('plain.mjs', `import { fail } from './built.mjs';\nexport const start = () => fail('so it is');\n`);
  const kit = pathToFileURL(path.join(import.meta.dirname, 'stacks.ts')).href;
  write(
    'main.mts',
    `import { nameSources } from '${kit}'; nameSources();
     const { start } = await import('./plain.mjs');
     try { start(); } catch (error) { process.stdout.write((error as Error).stack ?? ''); }`,
  );
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', path.join(folder, 'main.mts')], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('TypeError: so it is');
  expect(lines[1]).toMatch(/^ {4}at fail \(file:.*\/source\.ts:5:9\)$/);
  expect(lines[2]).toMatch(/^ {4}at start \(file:.*\/plain\.mjs:2:28\)$/);
  fs.rmSync(folder, { recursive: true });
});
