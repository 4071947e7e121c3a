import { expect, it } from 'vitest';
import { Refused } from '../../../kit/server/api.ts';
import { type DraftStore, handOver, type KeptDraft } from './draftStore.ts';

const memory = (drafts: readonly KeptDraft[]): DraftStore & { readonly left: () => readonly string[] } => {
  const kept = new Map(drafts.map((draft) => [draft.key, draft]));
  return {
    keep: async (draft) => void kept.set(draft.key, draft),
    of: async (owner) => [...kept.values()].filter((draft) => draft.owner === owner),
    drop: async (key) => void kept.delete(key),
    left: () => [...kept.keys()],
  };
};
const draft = (key: string, owner = 'asha/A', more: Partial<KeptDraft> = {}): KeptDraft => ({
  ...{ key, owner, tab: 'tab', kind: 'saleInvoice', body: { narration: key } },
  ...more,
});
const refused = (code: string) => new Refused({ status: 409, code, message: code, problems: [], reference: '' });
const untold = () => undefined;
const free = async (_key: string, work: () => Promise<void>) => work();

it('hands over the drafts of this person and organisation only', async () => {
  const store = memory([draft('1'), draft('2', 'asha/B'), draft('3', 'ravi/A')]);
  const sent: unknown[] = [];
  const save = async (body: unknown) => {
    sent.push(body);
    return { TransactionId: 'new' };
  };
  expect(await handOver(store, 'asha/A', save, untold, free)).toEqual([{ id: 'new', kind: 'saleInvoice', tab: 'tab' }]);
  expect(sent).toEqual([{ kind: 'saleInvoice', body: { narration: '1' } }]);
  expect(store.left()).toEqual(['2', '3']);
});

it('keeps what the server refuses and goes on with the rest', async () => {
  const store = memory([draft('1'), draft('2')]);
  const save = async ({ body }: { body: Record<string, unknown> }) => {
    if (body['narration'] === '1') throw new Error('refused');
    return { TransactionId: 'new' };
  };
  expect(await handOver(store, 'asha/A', save, untold, free)).toHaveLength(1);
  expect(store.left()).toEqual(['1']);
});

it('makes a draft of its own of one that was changed elsewhere, and forgets one that was posted', async () => {
  const store = memory([draft('1', 'asha/A', { id: 'a', version: 2 }), draft('2', 'asha/A', { id: 'b', version: 1 })]);
  const save = async ({ id }: { id?: string }) => {
    if (id === 'a') throw refused('stale');
    if (id === 'b') throw refused('alreadyPosted');
    return { TransactionId: 'fork' };
  };
  expect(await handOver(store, 'asha/A', save, untold, free)).toMatchObject([{ id: 'fork' }]);
  expect(store.left()).toEqual([]);
});

it('leaves a draft alone that is open in another tab', async () => {
  const store = memory([draft('1')]);
  const held = async () => {};
  expect(await handOver(store, 'asha/A', async () => ({ TransactionId: 'new' }), untold, held)).toEqual([]);
  expect(store.left()).toEqual(['1']);
});

it('asks whether a draft that was being posted is in the books, and reports it', async () => {
  const store = memory([draft('1', 'asha/A', { attempt: 'k1' }), draft('2', 'asha/A', { attempt: 'k2' })]);
  const messages: string[] = [];
  const save = async ({ attempt }: { attempt?: string }) => {
    if (attempt === 'k1') throw refused('alreadyPosted');
    return { TransactionId: `instead of ${attempt}` };
  };
  expect(await handOver(store, 'asha/A', save, (message) => messages.push(message), free)).toMatchObject([
    { id: 'instead of k2' },
  ]);
  expect(messages).toEqual(['alreadyPosted']);
  expect(store.left()).toEqual([]);
});

it('makes a draft of its own of one whose posting gave way to a draft that was changed since', async () => {
  const store = memory([draft('1', 'asha/A', { attempt: 'k1' })]);
  const save = async ({ attempt }: { attempt?: string }) => {
    if (attempt) throw refused('stale');
    return { TransactionId: 'fork' };
  };
  expect(await handOver(store, 'asha/A', save, untold, free)).toMatchObject([{ id: 'fork' }]);
});
