import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../contract/contract.ts';
import { type ImportState, PIECE, type RowOutcome, worksOn } from '../../contract/import-steps.ts';
import type { importCalls } from '../../contract/imports.ts';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';

export type ImportView = Answer<(typeof importCalls)['GetImport']>;
export type ImportedRow = Answer<(typeof importCalls)['ListImportRows']>['rows'][number];
type Tone = 'neutral' | 'info' | 'ok' | 'warn' | 'bad';

/** Texts and colours of the states. */
export const stateWords: Readonly<Record<ImportState, readonly [word: string, tone: Tone]>> = {
  receiving: ['Being sent', 'info'],
  reading: ['Being read', 'info'],
  mapping: ['Columns to confirm', 'warn'],
  checking: ['Being checked', 'info'],
  checked: ['Ready to import', 'warn'],
  importing: ['Importing', 'info'],
  paused: ['Paused', 'warn'],
  done: ['Imported', 'ok'],
  cancelled: ['Cancelled', 'neutral'],
  failed: ['Failed', 'bad'],
  undoing: ['Being undone', 'info'],
  undone: ['Undone', 'neutral'],
};

/** Texts for the outcomes of rows, in the order in which they are listed. */
export const outcomeWords: readonly (readonly [outcome: RowOutcome, word: string])[] = [
  ['refused', 'With problems'],
  ['add', 'To be added'],
  ['change', 'To be changed'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['same', 'Unchanged'],
  ['kept', 'There already'],
  ['undone', 'Undone'],
  ['stays', 'Could not be undone'],
];

/** How often an import is looked at while a job works on it, in milliseconds. */
const LOOKS = 700;

/** An import, looked at again while a job works on it. */
export const useImport = (master: string, id: string) =>
  useQuery({
    queryKey: useScreenKey('import', id),
    queryFn: () => api.GetImport({ master, id }),
    enabled: id !== '',
    refetchInterval: ({ state: { data } }) => (data && worksOn(data.state) ? LOOKS : false),
  });

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '');
    reader.onerror = () => failed(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(blob);
  });

/** Sends a file in pieces and has it read; `onSent` gets the share that is there. Answers the id of its import. */
export async function sendFile(
  master: string,
  { name, blob, pasted }: { readonly name: string; readonly blob: Blob; readonly pasted: boolean },
  onSent: (share: number) => void,
): Promise<string> {
  const { id } = await api.BeginImport({ master, name: name.slice(0, 200), size: blob.size, pasted });
  for (let at = 0, part = 1; at < blob.size; at += PIECE, part += 1) {
    const content = await base64Of(blob.slice(at, at + PIECE));
    await api.SendImportPiece({ master, id, part, content });
    onSent(Math.min(1, (at + PIECE) / blob.size));
  }
  await api.ReadImport({ master, id });
  return id;
}
