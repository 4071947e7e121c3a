import { expect, it } from 'vitest';
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
const draft = (key: string, owner: string): KeptDraft => ({
  key,
  owner,
  kind: 'saleInvoice',
  body: { narration: key },
});

it('hands over the drafts of this person and organisation only', async () => {
  const store = memory([draft('1', 'asha/A'), draft('2', 'asha/B'), draft('3', 'ravi/A')]);
  const sent: unknown[] = [];
  expect(await handOver(store, 'asha/A', async (body) => void sent.push(body))).toBe(1);
  expect(sent).toEqual([{ kind: 'saleInvoice', body: { narration: '1' } }]);
  expect(store.left()).toEqual(['2', '3']);
});

it('keeps what the server refuses and goes on with the rest', async () => {
  const store = memory([draft('1', 'asha/A'), draft('2', 'asha/A')]);
  const handed = await handOver(store, 'asha/A', async ({ body }) => {
    if (body['narration'] === '1') throw new Error('refused');
  });
  expect(handed).toBe(1);
  expect(store.left()).toEqual(['1']);
});
