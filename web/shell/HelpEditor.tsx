import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Screen } from '../../contract/screens.ts';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { focusFirstError, TextArea, TextField } from '../kit/fields/fields.tsx';
import { type Problem, problemAt, Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { t } from '../kit/text.ts';

interface Row {
  readonly key: number;
  readonly question: string;
  readonly answer: string;
}

/** Questions and answers about a screen, written for the organisation or, by the operator, for everybody. */
export function HelpEditor({
  screen,
  forAll,
  content,
  onDone,
}: {
  readonly screen: Screen;
  readonly forAll: boolean;
  readonly content: readonly Omit<Row, 'key'>[];
  onDone(): void;
}) {
  const cache = useQueryClient();
  const [rows, setRows] = useState<readonly Row[]>(() => content.map((row, key) => ({ ...row, key })));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const change = (key: number, part: Partial<Row>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () =>
    setRows((now) => [...now, { key: Math.max(0, ...now.map((row) => row.key)) + 1, question: '', answer: '' }]);
  const save = async (kept: readonly Row[]) => {
    if (busy) return;
    setBusy(true);
    setProblems([]);
    const input = {
      screenId: String(screen.id),
      content: kept.map(({ question, answer }) => ({ question, answer })),
    };
    try {
      await (forAll ? api.SaveDefaultHelp(input) : api.SaveHelpContent(input));
      toast(t('The help is saved'));
      await cache.invalidateQueries({ queryKey: ['help', screen.id] });
      onDone();
    } catch (refused) {
      if (refused instanceof Refused && refused.problems.length) {
        setProblems(refused.problems);
        focusFirstError();
      } else toastError(refused);
    } finally {
      setBusy(false);
    }
  };
  const problem = (field: string, at: number) =>
    problemAt(
      problems.filter(({ row }) => row === at),
      `content.${field}`,
    );
  return (
    <form
      className="stack"
      aria-label={forAll ? t('Help for everybody') : t('Help of the organisation')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save(rows);
      }}
    >
      {rows.map(({ key, question, answer }, at) => (
        <div key={key} className="stack">
          <TextField
            label={t('Question {{at}}', { at: at + 1 })}
            value={question}
            maxLength={200}
            error={problem('question', at)}
            onChange={(text) => change(key, { question: text })}
          />
          <TextArea
            label={t('Answer {{at}}', { at: at + 1 })}
            value={answer}
            maxLength={2000}
            error={problem('answer', at)}
            onChange={(text) => change(key, { answer: text })}
          />
          <div>
            <Button
              aria-label={t('Remove question {{at}}', { at: at + 1 })}
              onClick={() => setRows((now) => now.filter((row) => row.key !== key))}
            >
              {t('Remove')}
            </Button>
          </div>
        </div>
      ))}
      <div className="button-row">
        <Button onClick={add}>{t('Add a question')}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t('Save help')}
        </Button>
        <Button onClick={() => void save([])}>{t('Back to the default')}</Button>
        <Button onClick={onDone}>{t('Cancel')}</Button>
      </div>
    </form>
  );
}
