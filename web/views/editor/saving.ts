import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { moneyText } from '../../../domain/decimal.ts';
import { Refused } from '../../kit/api.ts';
import { api } from '../../kit/client.ts';
import { beforeSignOut, useSession } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { browserDrafts, handOver } from './draftStore.ts';
import type { Model } from './model.ts';
import { priceModel } from './totals.ts';
import { bodyOf, isFilled } from './wire.ts';

export interface Stored {
  readonly id?: string;
  readonly version?: number;
}

/** `kept`: in this browser only, the server could not be reached or asks to sign in. */
export type SaveState = 'new' | 'changed' | 'saving' | 'saved' | 'kept' | 'refused';

export interface Saving {
  readonly state: SaveState;
  readonly savedAt: number | null;
  readonly message: string;
  /** What the server knows this draft by. */
  stored(): Stored;
  save(): Promise<void>;
  /** Waits for a save on its way and starts no other until `resume`: a document is being posted from the draft. */
  hold(): Promise<void>;
  resume(): void;
  /** The draft has become a document, or is given up: nothing is saved any more. */
  done(): void;
}

const PAUSE = 2000;
const worthKeeping = (model: Model): boolean => {
  const { head, lines } = model.typed();
  return Boolean(head['party'] || head['partyName'] || head['amount'] || head['narration'] || lines.some(isFilled));
};
const ownerOf = (model: Model): string => `${model.session.subject}/${model.session.organisation.code}`;

/** Saves the draft two seconds after the last key and when leaving; without a server or a session it stays in this browser. */
export const useSaving = (model: Model, opened: Stored): Saving => {
  const [state, setState] = useState<SaveState>(opened.id ? 'saved' : 'new');
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [message, setMessage] = useState('');
  const work = useRef({
    stored: opened,
    dirty: false,
    over: false,
    queue: Promise.resolve(),
    local: `${ownerOf(model)}/${opened.id ?? crypto.randomUUID()}`,
  });

  const write = useCallback(async () => {
    const { current } = work;
    if (!current.dirty || current.over || !worthKeeping(model)) return;
    current.dirty = false;
    setState('saving');
    const priced = priceModel(model);
    // The list of drafts shows the total without working it out again.
    const body = { ...bodyOf(model.typed()).body, ...(priced && { total: moneyText(priced.total) }) };
    const draft = { kind: model.name, ...current.stored, body };
    try {
      const { TransactionId, version } = await api.AddTransactionDetails(draft);
      current.stored = { id: TransactionId, version };
      await browserDrafts.drop(current.local).catch(() => undefined);
      setSavedAt(Date.now());
      setState(current.dirty ? 'changed' : 'saved');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      current.dirty = true;
      if (error.status === 0 || error.status === 401)
        await browserDrafts.keep({ key: current.local, owner: ownerOf(model), ...draft });
      setState(error.status === 0 || error.status === 401 ? 'kept' : 'refused');
      setMessage(error.message);
    }
  }, [model]);

  const save = useCallback(() => {
    // One save after the other: each needs the version the one before it was answered.
    work.current.queue = work.current.queue.then(write, write);
    return work.current.queue;
  }, [write]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = model.subscribe(() => {
      work.current.dirty = true;
      setState((now) => (now === 'saving' ? now : 'changed'));
      clearTimeout(timer);
      timer = setTimeout(() => void save(), PAUSE);
    });
    const warn = (event: BeforeUnloadEvent) => {
      if (work.current.dirty && !work.current.over && worthKeeping(model)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    const forget = beforeSignOut(save);
    return () => {
      stop();
      forget();
      clearTimeout(timer);
      window.removeEventListener('beforeunload', warn);
      void save();
    };
  }, [model, save]);

  const stored = useCallback(() => work.current.stored, []);
  const hold = useCallback(async () => {
    await work.current.queue;
    work.current.over = true;
  }, []);
  const resume = useCallback(() => {
    work.current.over = false;
  }, []);
  const done = useCallback(() => {
    work.current.over = true;
    void browserDrafts.drop(work.current.local).catch(() => undefined);
  }, []);
  return { state, savedAt, message, stored, save, hold, resume, done };
};

let handed = '';
/** Hands drafts kept in this browser to the server, once after each sign-in. */
export const useHandOver = (): void => {
  const { subject, organisation } = useSession();
  const owner = `${subject}/${organisation.code}`;
  const cache = useQueryClient();
  useEffect(() => {
    if (handed === owner) return;
    handed = owner;
    handOver(browserDrafts, owner, (draft) => api.AddTransactionDetails(draft)).then(
      (count) => {
        if (count === 0) return;
        toast(
          count === 1 ? 'A draft kept in this browser was saved' : `${count} drafts kept in this browser were saved`,
        );
        void cache.invalidateQueries({ queryKey: ['screen'] });
      },
      () => undefined,
    );
  }, [owner, cache]);
};
