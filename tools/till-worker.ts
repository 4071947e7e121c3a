import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

interface Chunk {
  readonly type: string;
  readonly fileName: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly moduleIds?: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

const TILL = '/web/till/';

/** What the till's page needs: the first page, the till, and what the till fetches later. Not what other screens fetch. */
export function filesOfTill(bundle: Readonly<Record<string, Chunk>>): string[] {
  const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
  const isTill = ({ moduleIds = [] }: Chunk) => moduleIds.some((id) => id.includes(TILL));
  const wanted = new Set<string>();
  const want = (fileName: string): void => {
    const chunk = bundle[fileName];
    if (!chunk || wanted.has(fileName)) return;
    wanted.add(fileName);
    for (const css of chunk.viteMetadata?.importedCss ?? []) wanted.add(css);
    for (const next of [...(chunk.imports ?? []), ...(isTill(chunk) ? (chunk.dynamicImports ?? []) : [])]) want(next);
  };
  for (const { fileName } of chunks.filter((chunk) => chunk.isEntry || isTill(chunk))) want(fileName);
  return [...wanted].map((fileName) => `/${fileName}`).sort();
}

/** Writes the worker that keeps the till's page, with the files of this build. */
export const tillWorker = (): Plugin => ({
  name: 'bahi-till-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const source = fs.readFileSync(path.join(import.meta.dirname, '../web/till-worker.js'), 'utf8');
      const files = filesOfTill(bundle as unknown as Record<string, Chunk>);
      const version = createHash('sha256').update(files.join('\n')).update(source).digest('hex').slice(0, 12);
      const made = source.replace('__VERSION__', version).replace('__FILES__', JSON.stringify(files));
      this.emitFile({ type: 'asset', fileName: 'till-worker.js', source: made });
    },
  },
});
