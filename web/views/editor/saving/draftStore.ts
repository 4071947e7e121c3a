import { Refused } from '../../../kit/server/api.ts';
import { DRAFT_LEFT } from '../../../kit/server/session.ts';

/** Drafts that have not reached the server yet, in this browser, under person and organisation. */
export interface KeptDraft {
  /** One draft of one editor; a later save of the same replaces it. */
  readonly key: string;
  readonly owner: string;
  /** The tab it was typed in: after a crash or a reload the same tab opens it again. */
  readonly tab: string;
  readonly kind: string;
  readonly id?: string;
  readonly version?: number;
  /** The key under which it is being posted: without an answer it may be in the books. */
  readonly attempt?: string;
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

// One connection a page: a draft is kept after every pause of the typing.
let connection: Promise<IDBDatabase> | undefined;
const table = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  connection ??= open();
  return (await connection).transaction(TABLE, mode).objectStore(TABLE);
};

/** A page that goes does not wait for a database: what it keeps in its last moment stands here until it is in the database. */
export const keepAtOnce = (draft: KeptDraft): void => {
  try {
    localStorage.setItem(DRAFT_LEFT + draft.key, JSON.stringify(draft));
  } catch {
    // full or forbidden: the database is tried all the same
  }
};
const keptAtOnce = (): readonly KeptDraft[] =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(DRAFT_LEFT))
    .map((name) => JSON.parse(localStorage.getItem(name) ?? '') as KeptDraft);
const dropAtOnce = (key: string): void => localStorage.removeItem(DRAFT_LEFT + key);

export const browserDrafts: DraftStore = {
  keep: async (draft) => {
    await answer((await table('readwrite')).put(draft));
    dropAtOnce(draft.key);
  },
  of: async (owner) => {
    const last = keptAtOnce().filter((draft) => draft.owner === owner);
    const others = await answer<KeptDraft[]>((await table('readonly')).index('owner').getAll(owner));
    return [...others.filter(({ key }) => !last.some((draft) => draft.key === key)), ...last];
  },
  drop: async (key) => {
    dropAtOnce(key);
    await answer((await table('readwrite')).delete(key));
  },
};

/** Names this tab as long as it lives, through reloads and crashes. */
export const thisTab = (): string => {
  const known = sessionStorage.getItem('bahi.tab');
  if (known) return known;
  const made = crypto.randomUUID();
  sessionStorage.setItem('bahi.tab', made);
  return made;
};

/** Holds the draft for this editor until the answer is called: while it is held, no other tab hands it over. */
export const holdDraft = (key: string): (() => void) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  void navigator.locks?.request(key, () => held);
  return release;
};

/** Runs the work unless the draft is open in a living editor. */
const unlessHeld = async (key: string, work: () => Promise<void>): Promise<void> => {
  if (!navigator.locks) return work();
  await navigator.locks.request(key, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
  });
};

interface Sent {
  readonly kind: string;
  readonly id?: string;
  readonly version?: number;
  readonly attempt?: string;
  readonly body: Record<string, unknown>;
}
type Save = (draft: Sent) => Promise<{ readonly TransactionId: string }>;
type Guard = (key: string, work: () => Promise<void>) => Promise<void>;

/** A draft that was handed over, with the id the server knows it by. */
export interface Handed {
  readonly id: string;
  readonly kind: string;
  readonly tab: string;
}

const codeOf = (problem: unknown): string => (problem instanceof Refused ? problem.code : '');

/**
 * Gives every kept draft of the owner to the server. One that was changed elsewhere in the meantime becomes a draft of its
 * own, so that neither text is lost; one that was posted is done with, and a message says so; what else is refused stays kept.
 */
export const handOver = async (
  store: DraftStore,
  owner: string,
  save: Save,
  tell: (message: string) => void,
  guard: Guard = unlessHeld,
): Promise<readonly Handed[]> => {
  const handed: Handed[] = [];
  const give = async ({ key, kind, tab, id, version, attempt, body }: KeptDraft) => {
    const bare = { kind, body: { ...body } };
    const known = {
      ...bare,
      ...(id && { id }),
      ...(version !== undefined && { version }),
      ...(attempt && { attempt }),
    };
    const saved = await save(known).catch((problem: unknown) => {
      if (!(id || attempt) || !['stale', 'notFound'].includes(codeOf(problem))) throw problem;
      return save(bare);
    });
    handed.push({ id: saved.TransactionId, kind, tab });
    await store.drop(key);
  };
  for (const draft of await store.of(owner)) {
    await guard(draft.key, () =>
      give(draft).catch(async (problem: unknown) => {
        if (!(problem instanceof Refused) || problem.code !== 'alreadyPosted') return;
        await store.drop(draft.key);
        tell(problem.message);
      }),
    );
  }
  return handed;
};
