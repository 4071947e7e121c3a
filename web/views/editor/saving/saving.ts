import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { moneyText } from '../../../../domain/base/decimal.ts';
import { toast } from '../../../kit/dialog/toast.tsx';
import { endTyping } from '../../../kit/fields/typing.ts';
import { useHasGoneOn } from '../../../kit/navigation.tsx';
import { Refused } from '../../../kit/server/api.ts';
import { api } from '../../../kit/server/client.ts';
import { invalidateAll } from '../../../kit/server/invalidateAll.ts';
import { beforeSignOut } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import type { Model } from '../model.ts';
import { priceModel } from '../totals.ts';
import { bodyOf, isFilled } from '../wire.ts';
import { browserDrafts, holdDraft, type KeptDraft, keepAtOnce, thisTab } from './draftStore.ts';
import { ownerOf } from './handOver.ts';
import { type ByHand, followHand } from './worth.ts';

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
  /** The person is at another screen now: no answer navigates away from it. */
  left(): boolean;
  /** Somebody asks for it: saved as soon as there is anything to save. */
  save(): Promise<void>;
  /** Saves also what nobody has typed yet; what keeps it from being saved is thrown. */
  keep(): Promise<Stored>;
  /** The document is being posted under this key: kept here with it, for no answer may come. Nothing when the server has answered. */
  attempt(key?: string): Promise<void>;
  /** Whether it may be in the books: it was posted, and no answer came. */
  unanswered(): boolean;
  /** Waits for a save on its way and starts no other until `resume`: a document is being posted from the draft. */
  hold(): Promise<void>;
  resume(): void;
  /** The draft has become a document, or is given up: nothing is saved any more. */
  done(): void;
}

/** To the browser's own store soon, for a crash; to the server after a longer pause. */
const SOON = 250;
const PAUSE = 2000;
/** How long a posting waits for the browser's own store: one that does not answer keeps nobody from posting. */
const FOR_STORE = 300;
/** What can be saved when somebody asks for it. */
const holdsSomething = (model: Model): boolean => {
  const { head, lines } = model.typed();
  return Boolean(head['party'] || head['partyName'] || head['amount'] || head['narration'] || lines.some(isFilled));
};
/** What is saved though nobody asks: a draft that was saved before, what is being posted, and what was written by hand. */
const worthKeeping = ({ stored, attempt, asked, hand }: Work): boolean =>
  stored.id !== undefined || attempt !== undefined || asked || hand.isWorthKeeping();

/** Where a save stands, outside React: timers and leaving the page see it as it is now. */
interface Work {
  stored: Stored;
  /** The key of a posting without an answer. */
  attempt: string | undefined;
  /** Not with the server yet. */
  dirty: boolean;
  /** Not even in this browser's store yet. */
  loose: boolean;
  over: boolean;
  /** The editor is no longer on the screen: what is saved now is saved after the person has left. */
  left: boolean;
  queue: Promise<void>;
  /** Somebody asked for the draft: it is saved also when it holds little. */
  asked: boolean;
  readonly hand: ByHand;
  /** What the last save was refused with. */
  failure: unknown;
  readonly local: string;
}

const draftOf = (model: Model, { stored, attempt }: Work) => {
  const priced = priceModel(model);
  // The list of drafts shows the total without working it out again; what goods cost is known when they move.
  const body = { ...bodyOf(model.typed()).body, ...(priced && !priced.atCost && { total: moneyText(priced.total) }) };
  // a draft that the server knows is gone once it is posted
  return { kind: model.name, ...stored, ...(attempt && !stored.id && { attempt }), body };
};

const keptOf = (model: Model, work: Work): KeptDraft => ({
  ...draftOf(model, work),
  key: work.local,
  owner: ownerOf(model.session),
  tab: thisTab(),
});

/** The page may be gone in a moment: kept before this returns, and then where it is kept otherwise. */
const keepNow = (model: Model, work: Work): void => {
  if (!work.loose || (work.over && !work.attempt) || !worthKeeping(work)) return;
  keepAtOnce(keptOf(model, work));
  void keepLocally(model, work);
};

const keepLocally = async (model: Model, work: Work): Promise<void> => {
  if ((work.over && !work.attempt) || !worthKeeping(work)) return;
  work.loose = false;
  await browserDrafts.keep(keptOf(model, work)).catch(() => {
    work.loose = true;
  });
};

/** The server's answer to a draft; one that another tab changed in the meantime goes on as a draft of its own. */
const sendDraft = async (model: Model, work: Work): Promise<{ readonly forked: boolean }> => {
  const send = async () => {
    const { TransactionId, version } = await api.AddTransactionDetails(draftOf(model, work));
    work.stored = { id: TransactionId, version };
    work.attempt = undefined;
  };
  try {
    await send();
    return { forked: false };
  } catch (refused) {
    if (!(refused instanceof Refused) || refused.code !== 'stale') throw refused;
    work.stored = {};
    work.attempt = undefined;
    await send();
    return { forked: true };
  }
};

/** What is shown of it. */
type Shown = Pick<Saving, 'state' | 'savedAt' | 'message'>;

const newWork = (model: Model, stored: Stored): Work => ({
  stored,
  attempt: undefined,
  dirty: false,
  loose: false,
  over: false,
  left: false,
  queue: Promise.resolve(),
  asked: false,
  hand: followHand(model),
  failure: null,
  local: `${ownerOf(model.session)}/${crypto.randomUUID()}`,
});

/**
 * Saves the draft two seconds after the last key and when leaving; what is not with the server yet stands in this browser.
 * `onStored` gets the id the server gave, so that the address can name the draft and a reload opens it again; not after
 * the editor was left, for then the address is another screen's.
 */
export const useSaving = (model: Model, opened: Stored, onStored: (id: string) => void): Saving => {
  const [shown, setShown] = useState<Shown>({ state: opened.id ? 'saved' : 'new', savedAt: null, message: '' });
  const [work] = useState(() => newWork(model, opened));
  const hasGoneOn = useHasGoneOn();
  const left = useCallback(() => work.left || hasGoneOn(), [work, hasGoneOn]);
  const show = useCallback((more: Partial<Shown>) => setShown((now) => ({ ...now, ...more })), []);
  const write = useWrite(model, work, { left, show, onStored });
  const saves = useSaves(model, work, write);
  const markChanged = useCallback(
    () => setShown((now) => (now.state === 'saving' || now.state === 'changed' ? now : { ...now, state: 'changed' })),
    [],
  );
  useSaveOnChange(model, work, saves.saveLate, markChanged);
  const { save, keep } = saves;
  return { ...shown, left, save, keep, ...usePostingHold(model, work) };
};

interface Telling {
  left(): boolean;
  show(more: Partial<Shown>): void;
  onStored(id: string): void;
}

/** Sends what has changed to the server; where it does not answer or asks to sign in, the draft is kept in this browser. */
const useWrite = (model: Model, work: Work, { left, show, onStored }: Telling): (() => Promise<void>) => {
  const tell = useRef(onStored);
  tell.current = onStored;
  const cache = useQueryClient();
  return useCallback(async () => {
    if (!work.dirty || work.over || !worthKeeping(work)) return;
    work.dirty = false;
    work.failure = null;
    show({ state: 'saving' });
    try {
      const { forked } = await sendDraft(model, work);
      if (!work.dirty) await browserDrafts.drop(work.local).catch(() => undefined);
      work.loose &&= work.dirty;
      if (forked) toast(t('This draft was changed in another tab: yours is kept as a separate draft'));
      if (work.stored.id && !left()) tell.current(work.stored.id);
      // What was read before does not know of the draft: whoever has left sees it at once, and whoever types finds it on leaving.
      void (left() ? invalidateAll(cache) : cache.invalidateQueries({ queryKey: ['screen'], refetchType: 'none' }));
      show({ state: work.dirty ? 'changed' : 'saved', savedAt: Date.now() });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      work.dirty = true;
      work.failure = error;
      const away = error.status === 0 || error.status === 401;
      if (away) await keepLocally(model, work);
      show({ state: away ? 'kept' : 'refused', message: error.message });
    }
  }, [model, work, cache, left, show]);
};

/** The ways to save, one save after the other: each needs the version the one before it was answered. */
const useSaves = (model: Model, work: Work, write: () => Promise<void>) => {
  const saveLate = useCallback(() => {
    work.queue = work.queue.then(write, write);
    return work.queue;
  }, [work, write]);
  const save = useCallback(() => {
    if (holdsSomething(model)) {
      work.asked = true;
      // proposals that nobody has changed are saved too when somebody asks for it
      if (!work.stored.id) work.dirty = true;
    }
    return saveLate();
  }, [model, work, saveLate]);
  const keep = useCallback(async () => {
    work.dirty = true;
    await save();
    if (work.failure) throw work.failure;
    return work.stored;
  }, [work, save]);
  return { saveLate, save, keep };
};

type Save = () => Promise<void>;

/** Saves after changes, and what is not saved yet when the page, the session or the editor is left. */
const useSaveOnChange = (model: Model, work: Work, saveLate: Save, markChanged: () => void): void => {
  useEffect(() => {
    work.left = false;
    const release = holdDraft(work.local);
    const stops = [saveSoon(model, work, saveLate, markChanged), beforeSignOut(saveLate), keepWhenHidden(model, work)];
    return () => {
      work.left = true;
      for (const stop of stops) stop();
      void saveLate().then(release);
    };
  }, [model, work, saveLate, markChanged]);
};

/** Saves a while after each change. Answers what stops it. */
const saveSoon = (model: Model, work: Work, saveLate: Save, markChanged: () => void): (() => void) => {
  let soon: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  const stop = model.subscribe(() => {
    work.hand.follow();
    // A document that is only looked at leaves no draft behind.
    if (model.isFilling() && !work.dirty) return;
    work.dirty = true;
    work.loose = true;
    if (worthKeeping(work)) markChanged();
    clearTimeout(soon);
    clearTimeout(later);
    // saved meanwhile: what the server has is not kept here, or the next reload would open it as what was interrupted
    soon = setTimeout(() => work.loose && void keepLocally(model, work), SOON);
    later = setTimeout(() => void saveLate(), PAUSE);
  });
  return () => {
    stop();
    clearTimeout(soon);
    clearTimeout(later);
  };
};

/** Keeps the draft in this browser when the page may be gone in a moment. Answers what stops it. */
const keepWhenHidden = (model: Model, work: Work): (() => void) => {
  const hidden = () => document.visibilityState === 'hidden' && keepNow(model, work);
  const gone = () => {
    // the field that has the focus gives what is typed in it
    endTyping();
    keepNow(model, work);
  };
  const warn = (event: BeforeUnloadEvent) => {
    if (work.loose && !work.over && worthKeeping(work)) event.preventDefault();
  };
  window.addEventListener('beforeunload', warn);
  document.addEventListener('visibilitychange', hidden);
  window.addEventListener('pagehide', gone);
  return () => {
    window.removeEventListener('beforeunload', warn);
    document.removeEventListener('visibilitychange', hidden);
    window.removeEventListener('pagehide', gone);
  };
};

/** What posting needs of a draft: it is not saved meanwhile, and is kept here while no answer has come. */
const usePostingHold = (model: Model, work: Work) =>
  useMemo(
    () => ({
      stored: () => work.stored,
      attempt: async (key?: string) => {
        work.attempt = key;
        if (work.stored.id) return;
        if (key) await Promise.race([keepLocally(model, work), new Promise((waited) => setTimeout(waited, FOR_STORE))]);
        else if (!work.dirty) await browserDrafts.drop(work.local).catch(() => undefined);
      },
      unanswered: () => work.attempt !== undefined && !work.stored.id,
      hold: async () => {
        await work.queue;
        work.over = true;
      },
      resume: () => {
        work.over = false;
      },
      done: () => {
        work.over = true;
        work.attempt = undefined;
        void browserDrafts.drop(work.local).catch(() => undefined);
      },
    }),
    [model, work],
  );
