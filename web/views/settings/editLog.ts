import type { z } from 'zod';
import type { trailCalls } from '../../../contract/trail.ts';

export type Page = z.output<(typeof trailCalls)['ExportEditLog']['details']>;

const PAGE = 500;

/** Up to which row the log is proven, and when that was signed; later rows are not signed yet. */
interface Signed {
  readonly through: number;
  readonly on: string;
}

function signedThrough(line: string | undefined): Signed | null {
  if (line === undefined) return null;
  const [, on, through] = JSON.parse((JSON.parse(line) as { text: string }).text) as [number, string, number];
  return { through, on };
}

/** The whole sealed log as lines of JSON, as the verifier reads them: a head, what was signed of it, the rows in order, the end. */
export async function editLogLines(
  organisation: string,
  fetchPage: (input: { readonly after: number; readonly limit: number }) => Promise<Page>,
  progress: (row: number, of: number) => void = () => undefined,
): Promise<string[]> {
  const parts = [JSON.stringify({ format: 'bahi-edit-log-1', organisation, after: 0, previous: '' })];
  let last = { sequence: 0, seal: '' };
  let signed: Signed | null = null;
  for (;;) {
    const { rows, end, checkpoints } = await fetchPage({ after: last.sequence, limit: PAGE });
    if (checkpoints) {
      parts.push(JSON.stringify(checkpoints));
      signed = signedThrough(checkpoints.lines.at(-1));
    }
    for (const row of rows) parts.push(JSON.stringify(row));
    const newest = rows.at(-1);
    if (!newest) break;
    last = newest;
    progress(last.sequence, end?.sequence ?? last.sequence);
    if (rows.length < PAGE) break;
  }
  parts.push(JSON.stringify({ end: last.sequence, seal: last.seal, signed }));
  return parts;
}
