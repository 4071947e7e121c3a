import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { Confirm } from '../kit/dialog/Dialog.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { TextField } from '../kit/fields/fields.tsx';
import { ErrorPanel, Panel, ScrollX, Skeleton, TableHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { NewOrganisation } from '../shell/NewOrganisation.tsx';

/** Every organisation of the installation, and making another. */
export function Organisations() {
  const { mayFound } = useSession();
  const [making, setMaking] = useState(false);
  const key = ['operator', 'organisations'];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListOrganisations({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <Panel
      title={t('Organisations')}
      actions={mayFound && <Button onClick={() => setMaking(true)}>{t('New organisation')}</Button>}
    >
      <ScrollX label={t('Organisations')}>
        <table className="plain-table">
          <TableHead columns={[t('Code'), t('Name'), t('Users')]} />
          <tbody>
            {data.map(({ code, name, users }) => (
              <tr key={code}>
                <td className="code">{code}</td>
                <td>{name}</td>
                <td>{users}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {making && (
        <NewOrganisation
          forOthers
          onMade={(code) => {
            setMaking(false);
            toast(t('{{code}} is ready: choose it in the top bar', { code }));
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Panel>
  );
}

/** Who runs the installation: the right is given and taken, and the last one stays. */
export function Operators() {
  const cache = useQueryClient();
  const { subject } = useSession();
  const key = ['operator', 'operators'];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.ListOperators({}) });
  const [naming, setNaming] = useState(false);
  const [email, setEmail] = useState('');
  const [leaving, setLeaving] = useState<NonNullable<typeof data>[number]>();
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={2} />;
  const again = () => cache.invalidateQueries({ queryKey: key });
  const take = async () => {
    if (!leaving) return;
    setLeaving(undefined);
    try {
      await api.TakeOperator({ person: leaving.person });
      toast(t('{{name}} is no operator any more', { name: leaving.name }));
      if (leaving.person === subject) await cache.invalidateQueries();
      else await again();
    } catch (refused) {
      toastError(refused);
    }
  };
  return (
    <Panel title={t('Operators')} actions={<Button onClick={() => setNaming(true)}>{t('Name an operator')}</Button>}>
      <ul className="plain-list messages-sent" aria-label={t('Operators')}>
        {data.map((operator) => (
          <li key={operator.person}>
            <span>
              <b>{operator.name}</b>
              <br />
              {operator.email}
            </span>
            {data.length > 1 && (
              <Button
                aria-label={t('Take the right from {{name}}', { name: operator.name })}
                onClick={() => setLeaving(operator)}
              >
                {t('Take the right')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {naming && (
        <FormDialog
          title={t('Name an operator')}
          holds={{ email }}
          verb={t('Name')}
          enterSaves
          save={() => api.GiveOperator({ email })}
          onDone={() => {
            setNaming(false);
            setEmail('');
            void again();
          }}
          onClose={() => setNaming(false)}
        >
          {(at) => (
            <TextField
              label={t('Email')}
              name="email"
              type="email"
              value={email}
              maxLength={254}
              required
              help={t('The email of an existing user of this installation')}
              error={at('email')}
              onChange={setEmail}
            />
          )}
        </FormDialog>
      )}
      <Confirm
        open={leaving !== undefined}
        question={t("Take the operator's right from {{name}}?", { name: leaving?.name ?? '' })}
        consequence={t('Requests, messages and organisations of this installation are closed to them from then on.')}
        keep={t('Keep it')}
        verb={t('Take the right')}
        onConfirm={() => void take()}
        onClose={() => setLeaving(undefined)}
      />
    </Panel>
  );
}
