import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type WayName, wayNames, ways } from '../../domain/banking/bank-matching.ts';
import { Button } from '../kit/Button.tsx';
import type { At } from '../kit/dialog/FormDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useFieldProblems } from '../kit/fields/fieldProblems.ts';
import { Checkbox, focusFirstError, TextField } from '../kit/fields/fields.tsx';
import { Empty, ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { problemAt } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import type { Rule } from './line.ts';
import { MakeDocument, type Making, otherOf } from './MakeDocument.tsx';

const blank: Making = { way: 'expense', other: null, narration: '' };

/** What becomes of lines whose text holds something: proposed for each such line, posted when it is accepted. */
export function BankRules({ ledger, mayWrite }: { readonly ledger: string; readonly mayWrite: boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('bankRules'),
    queryFn: () => api.ListBankRules({}),
  });
  const form = useRuleForm(ledger);
  return (
    <div className="stack">
      <Panel title={t('Rules')}>
        {data && data.length > 1 && <p className="muted">{t('The first rule whose text a line contains applies.')}</p>}
        {error ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton rows={2} />
        ) : data.length === 0 ? (
          <Empty sentence={t('No rules yet: a line that comes every month can become its document by itself')} />
        ) : (
          <RuleTable rules={data} editing={form.editing} mayWrite={mayWrite} onEdit={form.edit} />
        )}
      </Panel>
      {mayWrite && <RuleForm form={form} />}
    </div>
  );
}

/** The rule that is typed: a new one, or one of the list. */
function useRuleForm(ledger: string) {
  const [holds, setHolds] = useState('');
  const [everywhere, setEverywhere] = useState(true);
  const [making, setMaking] = useState<Making>(blank);
  const [editing, setEditing] = useState<Rule | null>(null);
  const keeping = useRun();
  const { other } = making;
  const typed = { holds, ...making, party: other, counter: other };
  const { problems, error } = useFieldProblems(keeping.error, typed);
  const edit = (rule: Rule | null) => {
    setEditing(rule);
    keeping.forget();
    setHolds(rule?.holds ?? '');
    setEverywhere(rule ? rule.ledger === null : true);
    setMaking(rule ? makingOf(rule) : blank);
  };
  const keep = async () => {
    const { way, narration } = making;
    const kept = editing && { id: editing.id, version: editing.version };
    const bank = everywhere ? null : (editing?.ledger ?? ledger);
    await api.SaveBankRule({ ...kept, ledger: bank, holds, way, ...otherOf(making), narration }).catch((refused) => {
      focusFirstError();
      throw refused;
    });
    toast(t('The rule is kept'));
  };
  const at: At = (field, row) => problemAt(problems, field, row);
  return {
    ...{ holds, setHolds, everywhere, setEverywhere, making, setMaking, editing, edit, at },
    busy: keeping.busy,
    /** What no field says. */
    refused: problems.length === 0 ? error : null,
    save: () => void keeping.run(keep, () => edit(null)),
  };
}

const makingOf = ({ way, party, counter, other: name, narration }: Rule): Making => {
  const other = party ?? counter;
  return { way: way as WayName, other: other ? { id: other, name } : null, narration };
};

/** The rules in the order in which they are asked. */
function RuleTable({
  rules,
  editing,
  mayWrite,
  onEdit,
}: {
  readonly rules: readonly Rule[];
  readonly editing: Rule | null;
  readonly mayWrite: boolean;
  onEdit(rule: Rule): void;
}) {
  const changing = useRun(toastError);
  const move = (from: number, to: number) => {
    const ids = rules.map(({ id }) => id);
    const [moved] = ids.splice(from, 1);
    if (!moved) return;
    ids.splice(to, 0, moved);
    void changing.run(() => api.OrderBankRules({ ids }));
  };
  const drop = ({ id, version }: Rule) => void changing.run(() => api.DeleteBankRule({ id, version }));
  return (
    <ScrollX label={t('Rules')}>
      <table className="plain-table">
        <TableHead
          columns={[
            figures('#'),
            t('Text contains'),
            t('Becomes'),
            t('With'),
            t('Bank'),
            { label: t('Order and delete'), hidden: true },
          ]}
        />
        <tbody>
          {rules.map((rule, place) => (
            <tr key={rule.id} aria-current={editing?.id === rule.id}>
              <td className="num">{place + 1}</td>
              <td className="wrap">{rule.holds}</td>
              <td>{t(ways[rule.way as WayName].label)}</td>
              <td className="wrap">{rule.other}</td>
              <td>{rule.bank ?? t('Every bank')}</td>
              <td>
                {mayWrite && (
                  <span className="button-row">
                    <Button
                      look="subtle"
                      disabled={place === 0}
                      aria-label={t('Check the rule for {{holds}} earlier', { holds: rule.holds })}
                      onClick={() => move(place, place - 1)}
                    >
                      ↑
                    </Button>
                    <Button
                      look="subtle"
                      disabled={place === rules.length - 1}
                      aria-label={t('Check the rule for {{holds}} later', { holds: rule.holds })}
                      onClick={() => move(place, place + 1)}
                    >
                      ↓
                    </Button>
                    <Button
                      look="subtle"
                      aria-label={t('Edit the rule for {{holds}}', { holds: rule.holds })}
                      onClick={() => onEdit(rule)}
                    >
                      {t('Edit')}
                    </Button>
                    <Button
                      look="subtle"
                      aria-label={t('Delete the rule for {{holds}}', { holds: rule.holds })}
                      onClick={() => drop(rule)}
                    >
                      {t('Delete')}
                    </Button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function RuleForm({ form }: { readonly form: ReturnType<typeof useRuleForm> }) {
  return (
    <Panel title={form.editing ? t('Rule for {{holds}}', { holds: form.editing.holds }) : t('New rule')}>
      <div className="stack">
        {form.refused !== null && <ErrorPanel error={form.refused} />}
        <TextField
          label={t('Text contains')}
          required
          value={form.holds}
          maxLength={100}
          onChange={form.setHolds}
          error={form.at('holds')}
          help={t('Capitals, spaces and signs do not count')}
        />
        <MakeDocument making={form.making} among={wayNames} at={form.at} onChange={form.setMaking} />
        <Checkbox label={t('For every bank')} checked={form.everywhere} onChange={form.setEverywhere} />
        <div className="button-row">
          <Button look="primary" busy={form.busy} onClick={form.save}>
            {t('Keep rule')}
          </Button>
          {form.editing && <Button onClick={() => form.edit(null)}>{t('Not now')}</Button>}
        </div>
      </div>
    </Panel>
  );
}
