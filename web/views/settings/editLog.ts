import type { z } from 'zod';
import type { trailCalls } from '../../../contract/trail.ts';

export type Page = z.output<(typeof trailCalls)['ExportEditLog']['details']>;

const PAGE = 500;

/** The whole sealed log as lines of JSON, as the verifier reads them: a head, what was signed of it, the rows in order, the end. */
export async function editLogLines(
  organisation: string,
  fetchPage: (input: { readonly after: number; readonly limit: number }) => Promise<Page>,
  progress: (row: number, of: number) => void = () => undefined,
): Promise<string[]> {
  const parts = [JSON.stringify({ format: 'bahi-edit-log-1', organisation, after: 0, previous: '' })];
  let last = { sequence: 0, seal: '' };
  for (;;) {
    const { rows, end, checkpoints } = await fetchPage({ after: last.sequence, limit: PAGE });
    if (checkpoints) parts.push(JSON.stringify(checkpoints));
    for (const row of rows) parts.push(JSON.stringify(row));
    const newest = rows.at(-1);
    if (!newest) break;
    last = newest;
    progress(last.sequence, end?.sequence ?? last.sequence);
    if (rows.length < PAGE) break;
  }
  parts.push(JSON.stringify({ end: last.sequence, seal: last.seal }));
  return parts;
}
