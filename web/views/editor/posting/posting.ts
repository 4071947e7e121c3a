import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { DraftBody } from '../../../../contract/documents.ts';
import type { AdditionalField } from '../../../../domain/document/additional.ts';
import { type Limits, noLimits } from '../../../../domain/document/checks/limits.ts';
import { kindOf } from '../../../../domain/document/kinds/index.ts';
import { toastError } from '../../../kit/dialog/toast.tsx';
import { useAdditionalFields } from '../../../kit/fields/additional.ts';
import { standing, stillRefused, type Typed } from '../../../kit/fields/fieldProblems.ts';
import { focusFirstError } from '../../../kit/fields/fields.tsx';
import { answersComing, onAnswers } from '../../../kit/fields/pendingSearches.ts';
import {
  isNoAnswer,
  newKey,
  type Problem,
  problemsIn,
  Refused,
  reasonOf,
  withProblems,
} from '../../../kit/server/api.ts';
import { api } from '../../../kit/server/client.ts';
import { keepLastUsed } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import type { Model } from '../model.ts';
import type { Saving } from '../saving/saving.ts';
import { isForApproval, useIsForApproval } from '../totals.ts';
import { acceptedField, bodyOf, taken } from '../wire.ts';
import { heldBy, placed, stillOpen, useJudging, wrongNow } from './judging.ts';

/** How long posting waits for searches, and for the facts of what they found; the server decides without them. */
const FOR_ANSWERS = 15_000;
const FOR_FACTS = 3000;
/** Who types faster than the answers come need not wait for them: posting does, so that each line has its record and rate. */
const settled = (model: Model): Promise<void> =>
  new Promise((done) => {
    const { facts } = model;
    const since = Date.now();
    const isKnown = () =>
      model.lines.rows().every((row) => !row['itemId'] || (facts.items.has(row['itemId']) && row['filled']));
    const ready = () => !answersComing() && (isKnown() || Date.now() - since >= FOR_FACTS);
    if (ready()) return done();
    const stop = () => {
      for (const each of stops) each();
      for (const timer of timers) clearTimeout(timer);
      done();
    };
    const look = () => ready() && stop();
    const stops = [onAnswers(look), model.subscribe(look), facts.subscribe(look)];
    const timers = [setTimeout(look, FOR_FACTS), setTimeout(stop, FOR_ANSWERS)];
  });

export interface Made {
  readonly id: string;
  /** None when it is sent for approval. */
  readonly number?: string;
  /** What was posted with a warning, in words. */
  readonly warnings: readonly string[];
}

/** The problems that block posting: warnings do not. */
const blocking = (problems: readonly Problem[]): readonly Problem[] => problems.filter(({ warning }) => !warning);

/** The problems when the editor held `held`: what the server said, and what the browser finds by itself. */
interface Assessment {
  readonly problems: readonly Problem[];
  readonly said: readonly Problem[];
  readonly held: Typed;
}
const assessmentOf = (model: Model, said: readonly Problem[], found: readonly Problem[]): Assessment => {
  const isFound = ({ field, row }: Problem) => found.some((each) => each.field === field && each.row === row);
  return { problems: [...found, ...said.filter((problem) => !isFound(problem))], said, held: heldBy(model) };
};
const nothing: Assessment = { problems: [], said: [], held: {} };
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** A refusal for its problems alone is over when nothing of them stands. */
const isOver = (refusal: unknown, left: readonly Problem[]): boolean =>
  blocking(left).length === 0 && problemsIn(refusal).length > 0;

/** The problems, as long as their fields stay as they were; components that draw them get no other events. */
const useStill = (model: Model, { problems, held }: Assessment): readonly Problem[] => {
  const last = useRef(problems);
  const subscribe = useCallback(
    (tell: () => void) => (problems.length > 0 ? model.subscribe(tell) : () => undefined),
    [model, problems],
  );
  return useSyncExternalStore(subscribe, () => {
    const now = problems.length > 0 ? standing(problems, held, heldBy(model)) : problems;
    if (!isSame(now, last.current)) last.current = now;
    return last.current;
  });
};

/** What is wrong with the document, as long as it stays so: what it was refused with, and what is found while it is typed. */
const useDocumentProblems = (model: Model, added: readonly AdditionalField[]) => {
  const [assessment, setAssessment] = useState(nothing);
  const [refusal, setRefusal] = useState<unknown>(null);
  const problems = useStill(model, assessment);
  const judging = useJudging(model, added, (found) => {
    const said = standing(assessment.said, assessment.held, heldBy(model));
    const now = assessmentOf(model, said, found);
    if (isSame(now.problems, problems)) return;
    setAssessment(now);
    if (isOver(refusal, now.problems)) setRefusal(null);
  });
  return {
    problems,
    error: stillRefused(refusal, blocking(problems)),
    onBlur: judging.onBlur,
    forget: () => setRefusal(null),
    clear: () => {
      setRefusal(null);
      setAssessment(nothing);
    },
    tell: (refused: unknown, said: readonly Problem[], found: readonly Problem[]) => {
      setRefusal(refused);
      setAssessment(assessmentOf(model, said, found));
      judging.tell(found);
      focusFirstError();
    },
  };
};

/** Sends a document to be posted: an attempt that got no answer is repeated under its own key, so that it cannot post twice. */
const useSendOnce = (model: Model, saving: Saving) => {
  const attempt = useRef({ text: '', key: '' });
  /** What is sent. Posted from its kept draft, the draft goes in the same moment. */
  const inputOf = (document: DraftBody) => {
    const { id, version } = saving.stored();
    return { document, ...(id && { TransactionId: id }), ...(version !== undefined && { version }) };
  };
  const isAsSent = (document: DraftBody) => attempt.current.text === JSON.stringify(inputOf(document));
  return async (document: DraftBody) => {
    // What got no answer may be in the books: another text of it is kept first, which is refused if it is.
    if (saving.unanswered() && !isAsSent(document)) await saving.keep();
    await saving.hold();
    const input = inputOf(document);
    if (!isAsSent(document)) attempt.current = { text: JSON.stringify(input), key: newKey() };
    const { key } = attempt.current;
    await saving.attempt(key);
    try {
      const posted = await api.PostTransactionCalls(input, key);
      // what is made from another document takes its place from there, so it does not say where the person works
      if (!document.against) keepLastUsed(model.session, document.location);
      return posted;
    } catch (refused) {
      if (!isNoAnswer(refused)) await saving.attempt();
      throw refused;
    }
  };
};

type RowOf = ReturnType<typeof bodyOf>['rowOf'];

/** What keeps a document from being posted: it is said at its fields, or asks for reasons. */
const useRefusing = (model: Model, saving: Saving, added: readonly AdditionalField[]) => {
  const problemState = useDocumentProblems(model, added);
  const [unreasoned, setUnreasoned] = useState<readonly Problem[]>([]);
  /** A user on another screen does not see the editor any more: they get the message there, and find the draft in the list of drafts. */
  const notify = (refused: unknown) => {
    toastError(
      t('{{label}}, kept as a draft: {{refused}}', { label: t(kindOf(model.name).label), refused: reasonOf(refused) }),
    );
    void saving.save();
  };
  const stop = (refused: unknown, said: readonly Problem[], found: readonly Problem[] = []) => {
    if (saving.left()) notify(refused);
    else problemState.tell(refused, said, found);
    return null;
  };
  /** What is typed, once nothing is wrong with it that is seen here, within these limits or those of the person. */
  const checkedBody = (limits?: Limits) => {
    const { body, rowOf } = bodyOf(taken(model.typed()));
    const found = blocking(wrongNow(model, added, limits) ?? stillOpen(model));
    if (!found.length) return { body, rowOf };
    const message = t('Please correct the marked fields');
    return stop(new Refused({ status: 422, code: 'problems', message, problems: found, reference: '' }), [], found);
  };
  const turnedDown = (refused: unknown, rowOf: RowOf) => {
    saving.resume();
    const all = refused instanceof Refused ? refused.problems.map((problem) => placed(problem, rowOf)) : [];
    const found = all.filter(({ reason }) => !reason);
    if (all.length > 0 && found.length === 0 && !saving.left()) {
      setUnreasoned(all);
      return null;
    }
    return stop(refused instanceof Refused && found.length ? withProblems(refused, found) : refused, found);
  };
  return { ...problemState, checkedBody, turnedDown, unreasoned, setUnreasoned };
};

/** Posts the document, or sends it for approval (`waits`: somebody else posts it). */
export const usePosting = (model: Model, saving: Saving) => {
  const added = useAdditionalFields(model.name) ?? [];
  const refusing = useRefusing(model, saving, added);
  const { problems, error, checkedBody, turnedDown, unreasoned, setUnreasoned } = refusing;
  const sendOnce = useSendOnce(model, saving);
  const [busy, setBusy] = useState(false);
  const working = useRef(false);
  const send = async (): Promise<Made | null> => {
    const typed = checkedBody();
    if (!typed) return null;
    refusing.clear();
    try {
      const made = await sendOnce(typed.body);
      saving.done();
      return {
        id: made.TransactionId,
        number: made.TransactionNumber,
        warnings: made.warnings.map(({ message }) => message),
      };
    } catch (refused) {
      return turnedDown(refused, typed.rowOf);
    }
  };
  /** Kept as it stands, then sent: what is approved is what the server has. */
  const ask = async (): Promise<Made | null> => {
    // the limits of who approves it count
    const typed = checkedBody(noLimits);
    if (!typed) return null;
    refusing.clear();
    try {
      const { id = '', version = 0 } = await saving.keep();
      await saving.hold();
      await api.SubmitForApproval({ TransactionId: id, version });
      saving.done();
      return { id, warnings: [] };
    } catch (refused) {
      return turnedDown(refused, typed.rowOf);
    }
  };
  // the rules that this page knows may be older than the server's
  const isRefusedAlone = error instanceof Refused && error.code === 'needsApproval';
  const waits = useIsForApproval(model) || isRefusedAlone;
  const post = async (): Promise<Made | null> => {
    if (working.current) return null;
    working.current = true;
    setBusy(true);
    refusing.forget();
    try {
      await settled(model);
      // what it comes to may be known only now
      return await (isRefusedAlone || isForApproval(model) ? ask() : send());
    } finally {
      working.current = false;
      setBusy(false);
    }
  };
  /** Goes on with the reasons: they are kept with the draft. */
  const postWith = (reasons: Readonly<Record<string, string>>): Promise<Made | null> => {
    setUnreasoned([]);
    const given = Object.entries(reasons).map(([code, reason]) => [acceptedField(code), reason.trim()]);
    model.head.set(Object.fromEntries(given));
    return post();
  };
  const reasons = { asked: unreasoned, postWith, leave: () => setUnreasoned([]) };
  return { problems, error, busy, waits, post, reasons, onBlur: refusing.onBlur };
};
