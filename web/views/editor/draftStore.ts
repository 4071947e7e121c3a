/** Drafts that could not reach the server, in this browser, under person and organisation. */
export interface KeptDraft {
  /** One draft of one editor; a later save of the same replaces it. */
  readonly key: string;
  readonly owner: string;
  readonly kind: string;
  readonly id?: string;
  readonly version?: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface DraftStore {
  keep(draft: KeptDraft): Promise<void>;
  of(owner: string): Promise<readonly KeptDraft[]>;
  drop(key: string): Promise<void>;
}

const NAME = 'bahi';
const TABLE = 'drafts';

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser kept nothing'));
  });

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () =>
    request.result.createObjectStore(TABLE, { keyPath: 'key' }).createIndex('owner', 'owner');
  return answer(request);
};

const table = async (mode: IDBTransactionMode): Promise<IDBObjectStore> =>
  (await open()).transaction(TABLE, mode).objectStore(TABLE);

export const browserDrafts: DraftStore = {
  keep: async (draft) => void (await answer((await table('readwrite')).put(draft))),
  of: async (owner) => answer<KeptDraft[]>((await table('readonly')).index('owner').getAll(owner)),
  drop: async (key) => void (await answer((await table('readwrite')).delete(key))),
};

type Save = (draft: { kind: string; id?: string; version?: number; body: Record<string, unknown> }) => Promise<unknown>;

/** Gives every kept draft of the owner to the server; what is refused stays kept. Answers how many went over. */
export const handOver = async (store: DraftStore, owner: string, save: Save): Promise<number> => {
  let handed = 0;
  for (const { key, kind, id, version, body } of await store.of(owner)) {
    try {
      await save({ kind, ...(id && { id }), ...(version !== undefined && { version }), body: { ...body } });
    } catch {
      continue;
    }
    await store.drop(key);
    handed += 1;
  }
  return handed;
};
