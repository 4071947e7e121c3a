import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { type AdditionalField, additionalProblems } from '../../../domain/additional.ts';
import { check } from '../../../domain/check.ts';
import { useAdditionalFields } from '../../kit/additional.ts';
import { newKey, type Problem, Refused, withProblems } from '../../kit/api.ts';
import { api } from '../../kit/client.ts';
import { answersComing, onAnswers } from '../../kit/coming.ts';
import { focusFirstError } from '../../kit/fields.tsx';
import { standing, stillRefused, type Typed } from '../../kit/standing.ts';
import type { Model } from './model.ts';
import type { Saving } from './saving.ts';
import { allFacts } from './totals.ts';
import { bodyOf, draftOf, leftAt, picked, type Texts, taken, unpicked } from './wire.ts';

/** A problem of the server at the field and row of the screen: 'document.lines.3.rate', or 'lines.rate' with a row. */
export const placed = ({ field, row, message }: Problem, rowOf: readonly number[]): Problem => {
  const [, inLine, rest] = /^(?:document\.)?lines\.(?:(\d+)\.)?(.+)$/.exec(field) ?? [];
  const at = inLine === undefined ? row : Number(inLine);
  const name = (rest ?? field.replace(/^document\./, '')).replace(/^(discount|batches|serials)\..*$/, '$1');
  return at === undefined ? { field: name, message } : { field: name, row: rowOf[at] ?? at, message };
};

/** What the same check as the server's finds; nothing while facts of something picked are still on their way. */
const problemsOf = (model: Model, added: readonly AdditionalField[]): readonly Problem[] => {
  const { head, lines, facts } = model;
  const known = lines.rows().every((row) => !row['itemId'] || facts.items.has(row['itemId']));
  const party = head.get()['party'];
  if (!known || (party && !facts.parties.has(party))) return [];
  try {
    const draft = draftOf(taken(model.typed()));
    return [
      ...check(model.kind, draft, allFacts(model, draft), model.session.today),
      ...additionalProblems(added, draft.additional ?? {}),
    ];
  } catch (problem) {
    // A figure out of range is named by the server, at its field.
    if (problem instanceof RangeError) return [];
    throw problem;
  }
};

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

export interface Posted {
  readonly id: string;
  readonly number: string;
  readonly warnings: readonly string[];
}

/** What stands in the editor, by the names of problems: what is chosen and the text it is chosen by are one. */
const heldBy = (model: Model): Typed => {
  const { kind: _, head, ...lists } = model.typed();
  const both = (row: Texts, shown: string, id: string) => [row[shown], row[id]].filter(Boolean).join(' ');
  const left = Object.keys(head).flatMap((at) => (at.startsWith(leftAt('')) ? [at.slice(leftAt('').length)] : []));
  return {
    ...head,
    ...Object.fromEntries(left.map((name) => [name, both(head, name, leftAt(name))])),
    ...Object.fromEntries(
      Object.entries(lists).map(([list, rows]) => [
        list,
        rows.map((row) => ({ ...row, ...Object.fromEntries(picked.map(([to, id]) => [to, both(row, to, id)])) })),
      ]),
    ),
  };
};

interface Told {
  readonly problems: readonly Problem[];
  readonly held: Typed;
}
const nothing: Told = { problems: [], held: {} };

/** The problems that were told, as long as their fields stay as they were; what draws them hears of nothing else. */
const useStill = (model: Model, { problems, held }: Told): readonly Problem[] => {
  const last = useRef(problems);
  const subscribe = useCallback(
    (tell: () => void) => (problems.length > 0 ? model.subscribe(tell) : () => undefined),
    [model, problems],
  );
  return useSyncExternalStore(subscribe, () => {
    const now = problems.length > 0 ? standing(problems, held, heldBy(model)) : problems;
    if (JSON.stringify(now) !== JSON.stringify(last.current)) last.current = now;
    return last.current;
  });
};

/** Posts the document. An attempt that got no answer is repeated under its own key, so that it cannot post twice. */
export const usePosting = (model: Model, saving: Saving) => {
  const added = useAdditionalFields(model.name) ?? [];
  const [told, setTold] = useState(nothing);
  const [refusal, setError] = useState<unknown>(null);
  const problems = useStill(model, told);
  const error = told.problems.length > 0 ? stillRefused(refusal, problems) : refusal;
  const [busy, setBusy] = useState(false);
  const working = useRef(false);
  const attempt = useRef({ text: '', key: '' });
  const stop = (refused: unknown, found: readonly Problem[]) => {
    setError(refused);
    setTold({ problems: found, held: heldBy(model) });
    focusFirstError();
    return null;
  };
  const send = async (): Promise<Posted | null> => {
    const { body, rowOf } = bodyOf(taken(model.typed()));
    const left = unpicked(model.typed());
    const found = left.length ? left : problemsOf(model, added).map((problem) => placed(problem, rowOf));
    if (found.length)
      return stop(
        new Refused({
          status: 422,
          code: 'problems',
          message: 'Please correct what is marked',
          problems: found,
          reference: '',
        }),
        found,
      );
    setError(null);
    setTold(nothing);
    await saving.hold();
    const { id, version } = saving.stored();
    // Posted from its kept draft, the draft goes in the same moment.
    const input = { document: body, ...(id && { TransactionId: id }), ...(version !== undefined && { version }) };
    const text = JSON.stringify(input);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    try {
      const made = await api.PostTransactionCalls(input, attempt.current.key);
      saving.done();
      return { id: made.TransactionId, number: made.TransactionNumber, warnings: made.warnings };
    } catch (refused) {
      saving.resume();
      const found = refused instanceof Refused ? refused.problems.map((problem) => placed(problem, rowOf)) : [];
      return stop(refused instanceof Refused && found.length ? withProblems(refused, found) : refused, found);
    }
  };
  const post = async (): Promise<Posted | null> => {
    if (working.current) return null;
    working.current = true;
    setBusy(true);
    setError(null);
    try {
      await settled(model);
      return await send();
    } finally {
      working.current = false;
      setBusy(false);
    }
  };
  return { problems, error, busy, post };
};
