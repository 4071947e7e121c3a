import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { boundWith, mayNeedApproval } from '../../../domain/document/approval.ts';
import { kindCalled, kindLabel, kindNames, kindOf } from '../../../domain/document/kinds/index.ts';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { useRun } from '../../kit/dialog/useRun.ts';
import { useFieldProblems } from '../../kit/fields/fieldProblems.ts';
import { MoneyField, SelectField } from '../../kit/fields/fields.tsx';
import { rupees } from '../../kit/format.ts';
import { ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { problemAt } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useMayWrite, useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

interface Rule {
  readonly kind: string;
  readonly from: string;
}

/** Which documents somebody else than their author posts, and from which amount on. */
export function Approvals() {
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('approvals'),
    queryFn: () => api.GetGeneralConfigDetails({}),
  });
  return (
    <Panel title={t('Approval of documents')}>
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : (
        <Rules rules={data.approvals ?? []} version={data.version} />
      )}
    </Panel>
  );
}

/** Which documents wait for approval, and which never do. */
const AboutApprovals = () => (
  <>
    <p className="muted">
      {t(
        'From this amount on, the author sends the document for approval, and another user with the right to approve posts or ' +
          'rejects it. Nobody approves their own documents. The amount is the total, or the amount before discounts and deductions ' +
          'after tax if that is higher. A rule also applies to similar kinds of document that have no rule of their own.',
      )}
    </p>
    <p className="muted">
      {t(
        'Bills and returns of a till never wait for approval, whatever their amount, because a customer is waiting. The same is ' +
          'true of cancelling, which only an approver may do, and of documents that follow from the books or come from outside: tax ' +
          'challans, restated balances, the closing of a year, payments through the gateway and bounced cheques. Interest and fee of ' +
          'a challan, and the bank’s charges for a cheque, wait like manual journals. A stock count is posted by an approver who ' +
          'took no part in it.',
      )}
    </p>
    <p className="muted">
      {t(
        'If manual journals need approval, cash of that amount cannot be put into a till or taken out of it. If the cash of a till ' +
          'differs by as much, an approver who neither opened it nor entered anything at it must count and close it.',
      )}
    </p>
  </>
);

function Rules({ rules, version }: { readonly rules: readonly Rule[]; readonly version: number }) {
  const mayWrite = useMayWrite('General Configuration');
  const [kind, setKind] = useState('');
  const [from, setFrom] = useState('');
  const { busy, error: refused, run } = useRun();
  const { problems, error } = useFieldProblems(refused, { kind, from });
  const save = (approvals: readonly Rule[], said: string) =>
    run(
      () => api.SaveGeneralConfigDetails({ version, values: { approvals } }),
      () => {
        toast(said);
        setKind('');
        setFrom('');
      },
    );
  const label = (name: string) => (kindCalled(name) ? t(kindLabel(name)) : name);
  const also = (name: string) => {
    const bound = boundWith(name).filter((other) => rules.every((rule) => rule.kind !== other));
    const names = bound.map((other) => t(kindLabel(other)).toLowerCase()).join(', ');
    return bound.length === 0 ? '' : `; ${t('also {{kinds}}', { kinds: names })}`;
  };
  const others = rules.filter((rule) => rule.kind !== kind);
  const choices = kindNames
    .filter((name) => mayNeedApproval(kindOf(name)))
    .map((value) => ({ value, label: t(kindLabel(value)) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <div className="stack">
      <AboutApprovals />
      {rules.length === 0 && <p>{t('No document needs approval.')}</p>}
      <ul className="plain-list">
        {rules.map((rule) => (
          <li key={rule.kind}>
            <span>
              {label(rule.kind)}:{' '}
              {Number(rule.from) === 0 ? t('always') : t('from {{from}}', { from: rupees(rule.from) })}
              {also(rule.kind)}
            </span>
            {mayWrite && (
              <Button
                look="subtle"
                busy={busy}
                onClick={() =>
                  void save(
                    rules.filter((other) => other !== rule),
                    t('{{kind}} needs no approval any more', { kind: label(rule.kind) }),
                  )
                }
              >
                {t('Remove {{kind}}', { kind: label(rule.kind) })}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {error !== null && <ErrorPanel error={error} />}
      {mayWrite && (
        <>
          <div className="fields">
            <SelectField label={t('Document')} value={kind} onChange={setKind} choices={choices} empty={t('Choose')} />
            <MoneyField
              label={t('Needs approval from (₹)')}
              value={from}
              onChange={setFrom}
              error={problemAt(problems, `approvals.${others.length}.from`)}
              help={t('Empty: always')}
            />
          </div>
          <div className="side-actions">
            <Button
              busy={busy}
              disabled={!kind}
              onClick={() =>
                void save(
                  [...others, { kind, from: from || '0' }],
                  t('{{kind}} needs approval now', { kind: label(kind) }),
                )
              }
            >
              {t('Ask for approval')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
