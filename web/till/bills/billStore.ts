import type { DraftBody } from '../../../contract/documents.ts';
import type { Problem } from '../../kit/server/api.ts';
import type { ReceiptFacts } from '../paper/receipt.ts';

/** A bill that was made at this browser. It stays here until the server has it, and for a while after that to be printed again. */
export interface KeptBill {
  /** Its Idempotency-Key: with it, it is posted once however often it is sent. */
  readonly key: string;
  /** Person and organisation; nobody else sends it, for a key counts for the person who made it. */
  readonly owner: string;
  readonly session: string;
  /** Its number in the till's series: it is printed on the receipt, and the server takes exactly this one. */
  readonly number: string;
  readonly counter: number;
  readonly series: string;
  readonly period: string;
  readonly at: string;
  readonly body: DraftBody;
  readonly receipt: ReceiptFacts;
  readonly cart: unknown;
  readonly state: 'waiting' | 'sent' | 'refused' | 'cancelled' | 'void';
  readonly id?: string;
  readonly why?: string;
  readonly code?: string;
  readonly problems?: readonly Problem[];
}

/** What is put aside under a name, and the bill that is being typed. */
export interface HeldCart {
  readonly key: string;
  readonly owner: string;
  readonly till: string;
  readonly name: string;
  readonly at: string;
  readonly cart: unknown;
}

/** Where the next number of a till comes from: its counter here, and how far the server has come. */
export interface NumberWanted {
  readonly series: string;
  readonly period: string;
  readonly atLeast: number;
}

export interface BillStore {
  keep(bill: KeptBill, instead?: string): Promise<void>;
  /**
   * Takes the next number and keeps the bill under it, in one transaction: no number is taken for nothing, and two
   * tabs never get the same.
   */
  keepNumbered(wanted: NumberWanted, make: (counter: number) => KeptBill, instead?: string): Promise<KeptBill>;
  /** The highest number given here, of a counter. */
  given(wanted: Omit<NumberWanted, 'atLeast'>): Promise<number>;
  /** This browser, to the server: made once, the same for all tabs and persons. */
  device(): Promise<string>;
  /** What is known of the tills, for a reload without the network. */
  keepTills(owner: string, tills: unknown): Promise<void>;
  tillsOf(owner: string): Promise<unknown>;
  of(owner: string): Promise<readonly KeptBill[]>;
  drop(key: string): Promise<void>;
  /** Bills of a session that other persons have made here and that are not in the books yet. */
  ofOthers(owner: string, session: string): Promise<number>;
  /** `quietly`: nobody else shows it. */
  hold(held: HeldCart, quietly?: boolean): Promise<void>;
  held(owner: string): Promise<readonly HeldCart[]>;
  release(key: string): Promise<void>;
  keepItems(place: string, items: unknown): Promise<void>;
  itemsOf(place: string): Promise<unknown>;
  /** Clears what is only kept for comfort: prices, and bills that are in the books. What waits, was refused or is held stays. */
  forget(owner: string): Promise<void>;
}

const NAME = 'bahi-till';
const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser kept nothing'));
  });

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('bills', { keyPath: 'key' }).createIndex('owner', 'owner');
    request.result.createObjectStore('held', { keyPath: 'key' }).createIndex('owner', 'owner');
    request.result.createObjectStore('numbers');
    request.result.createObjectStore('items');
  };
  return answer(request);
};

let connection: Promise<IDBDatabase> | undefined;
const table = async (name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  connection ??= open();
  return (await connection).transaction(name, mode).objectStore(name);
};
/** A write counts once its transaction is through: only then would it outlive a power cut. */
const written = (store: IDBObjectStore): Promise<void> =>
  new Promise((resolve, reject) => {
    store.transaction.oncomplete = () => resolve();
    store.transaction.onabort = () => reject(store.transaction.error ?? new Error('the browser kept nothing'));
  });

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);
const listeners = new Set<() => void>();
const changed = () => {
  channel?.postMessage('changed');
  for (const tell of listeners) tell();
};
channel?.addEventListener('message', () => {
  for (const tell of listeners) tell();
});
/** Calls back when a bill was kept, sent or refused, in this tab or another one. */
export const onBills = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => void listeners.delete(tell);
};

export const browserBills: BillStore = {
  keep: async (bill, instead) => {
    const store = await table('bills', 'readwrite');
    store.put(bill);
    if (instead !== undefined && instead !== bill.key) store.delete(instead);
    await written(store);
    changed();
  },
  of: async (owner) => {
    const all = await answer<KeptBill[]>((await table('bills', 'readonly')).index('owner').getAll(owner));
    // a clock that was set back does not change the order of numbers
    return all.sort((a, b) =>
      a.series === b.series && a.period === b.period ? a.counter - b.counter : a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
    );
  },
  ofOthers: async (owner, session) => {
    const all = await answer<KeptBill[]>((await table('bills', 'readonly')).getAll());
    return all.filter((bill) => bill.owner !== owner && bill.session === session && bill.state === 'waiting').length;
  },
  drop: async (key) => {
    await answer((await table('bills', 'readwrite')).delete(key));
    changed();
  },
  keepNumbered: async ({ series, period, atLeast }, make, instead) => {
    connection ??= open();
    const both = (await connection).transaction(['bills', 'numbers'], 'readwrite', { durability: 'strict' });
    const [bills, numbers] = [both.objectStore('bills'), both.objectStore('numbers')];
    const name = `${series}/${period}`;
    const counter = Math.max(((await answer<number | undefined>(numbers.get(name))) ?? 0) + 1, atLeast);
    const bill = make(counter);
    numbers.put(counter, name);
    bills.put(bill);
    if (instead !== undefined && instead !== bill.key) bills.delete(instead);
    await written(bills);
    changed();
    return bill;
  },
  given: async ({ series, period }) =>
    (await answer<number | undefined>((await table('numbers', 'readonly')).get(`${series}/${period}`))) ?? 0,
  device: async () => {
    const store = await table('numbers', 'readwrite');
    const known = await answer<string | undefined>(store.get('device'));
    const device = known ?? crypto.randomUUID();
    if (!known) store.put(device, 'device');
    await written(store);
    return device;
  },
  keepTills: async (owner, tills) =>
    void (await answer((await table('items', 'readwrite')).put(tills, `${owner}/tills`))),
  tillsOf: async (owner) => answer<unknown>((await table('items', 'readonly')).get(`${owner}/tills`)),
  hold: async (held, quietly = false) => {
    await answer((await table('held', 'readwrite')).put(held));
    if (!quietly) changed();
  },
  held: async (owner) => answer<HeldCart[]>((await table('held', 'readonly')).index('owner').getAll(owner)),
  release: async (key) => {
    await answer((await table('held', 'readwrite')).delete(key));
    changed();
  },
  keepItems: async (place, items) => void (await answer((await table('items', 'readwrite')).put(items, place))),
  forget: async (owner) => {
    const bills = await browserBills.of(owner);
    const store = await table('bills', 'readwrite');
    for (const { key, state } of bills) if (['sent', 'cancelled', 'void'].includes(state)) store.delete(key);
    await written(store);
    const facts = await table('items', 'readwrite');
    facts.delete(IDBKeyRange.bound(`${owner}/`, `${owner}/\uffff`));
    await written(facts);
  },
  itemsOf: async (place) => answer<unknown>((await table('items', 'readonly')).get(place)),
};
