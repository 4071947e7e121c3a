import fs from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const place = /(file:\/\/\/[^\s()]+\.mjs):(\d+):(\d+)/;

/**
 * Makes stacks name the source's files and lines. A bundle's map is read with the first stack that is asked for: Node's own
 * `--enable-source-maps` reads it at the start, which is six megabytes of a server that has not failed yet.
 */
export function nameSources(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    if (!maps.has(url)) {
      const file = `${fileURLToPath(url)}.map`;
      maps.set(url, fs.existsSync(file) ? new SourceMap(JSON.parse(fs.readFileSync(file, 'utf8'))) : undefined);
    }
    return maps.get(url);
  };
  const inSource = (frame: string): string =>
    frame.replace(place, (built, url: string, line: string, column: string) => {
      const found = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!found || !('originalSource' in found)) return built;
      return `${new URL(found.originalSource, url).href}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    });
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSource(String(frame))}`)].join('\n');
}
