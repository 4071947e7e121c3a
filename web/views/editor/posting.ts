import { useRef, useState } from 'react';
import { type AdditionalField, additionalProblems } from '../../../domain/additional.ts';
import { check } from '../../../domain/check.ts';
import { useAdditionalFields } from '../../kit/additional.ts';
import { newKey, type Problem, Refused } from '../../kit/api.ts';
import { api } from '../../kit/client.ts';
import { answersComing, onAnswers } from '../../kit/coming.ts';
import { focusFirstError } from '../../kit/fields.tsx';
import type { Model } from './model.ts';
import type { Saving } from './saving.ts';
import { allFacts } from './totals.ts';
import { bodyOf, draftOf, taken, unpicked } from './wire.ts';

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

/** Posts the document. An attempt that got no answer is repeated under its own key, so that it cannot post twice. */
export const usePosting = (model: Model, saving: Saving) => {
  const added = useAdditionalFields(model.name) ?? [];
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const working = useRef(false);
  const attempt = useRef({ text: '', key: '' });
  const stop = (refused: unknown, found: readonly Problem[]) => {
    setError(refused);
    setProblems(found);
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
    setProblems([]);
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
      const told = refused instanceof Refused ? refused.problems.map((problem) => placed(problem, rowOf)) : [];
      return stop(
        refused instanceof Refused && told.length
          ? new Refused({ ...refused, message: refused.message, problems: told })
          : refused,
        told,
      );
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
