import { useRef, useState } from 'react';
import { newKey, type Problem, Refused } from '../../kit/api.ts';
import { api } from '../../kit/client.ts';
import { focusFirstError } from '../../kit/fields.tsx';
import type { Model } from './model.ts';
import type { Saving } from './saving.ts';
import { bodyOf } from './wire.ts';

/** A problem of the server at the field and row of the screen: 'document.lines.3.rate', or 'lines.rate' with a row. */
export const placed = ({ field, row, message }: Problem, rowOf: readonly number[]): Problem => {
  const [, inLine, rest] = /^(?:document\.)?lines\.(?:(\d+)\.)?(.+)$/.exec(field) ?? [];
  const at = inLine === undefined ? row : Number(inLine);
  const name = (rest ?? field.replace(/^document\./, '')).replace(/^discount\..*$/, 'discount');
  return at === undefined ? { field: name, message } : { field: name, row: rowOf[at] ?? at, message };
};

export interface Posted {
  readonly id: string;
  readonly number: string;
  readonly warnings: readonly string[];
}

/** Posts the document. An attempt that got no answer is repeated under its own key, so that it cannot post twice. */
export const usePosting = (model: Model, saving: Saving) => {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const attempt = useRef({ text: '', key: '' });
  const post = async (): Promise<Posted | null> => {
    if (busy) return null;
    setBusy(true);
    setError(null);
    const { body, rowOf } = bodyOf(model.typed());
    const { id, version } = saving.stored();
    const document = { ...body, ...(id && { id }), ...(version !== undefined && { version }) };
    const text = JSON.stringify(document);
    if (attempt.current.text !== text) attempt.current = { text, key: newKey() };
    try {
      const made = await api.PostTransactionCalls({ document }, attempt.current.key);
      saving.done();
      return { id: made.TransactionId, number: made.TransactionNumber, warnings: made.warnings };
    } catch (refused) {
      setError(refused);
      setProblems(refused instanceof Refused ? refused.problems.map((problem) => placed(problem, rowOf)) : []);
      focusFirstError();
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { problems, error, busy, post };
};
