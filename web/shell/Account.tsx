import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LEAST_PASSWORD, passwordProblem } from '../../domain/base/password.ts';
import { Button } from '../kit/Button.tsx';
import { browserName } from '../kit/browserName.ts';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useGivenProblems } from '../kit/fields/fieldProblems.ts';
import { focusFirstError, TextField } from '../kit/fields/fields.tsx';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { type Problem, problemAt, Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { t, translated } from '../kit/text.ts';
import { SecondFactor } from './SecondFactor.tsx';

/** The password and the sessions of the person. */
export function Account({ open, onClose }: { readonly open: boolean; onClose(): void }) {
  const { passwords } = useSession();
  return (
    <Dialog open={open} title={t('Password and sessions')} onClose={onClose} width={640}>
      {passwords && <Password />}
      {passwords && <SecondFactor />}
      <OwnSessions />
    </Dialog>
  );
}

const empty = { current: '', next: '', again: '' };

function Password() {
  const { email, name, organisation } = useSession();
  const cache = useQueryClient();
  const [typed, setTyped] = useState(empty);
  const [problems, setProblems] = useGivenProblems(typed);
  const [busy, setBusy] = useState(false);
  const wrong = (found: readonly Problem[]) => {
    setProblems(found);
    if (found.length) focusFirstError();
  };
  const change = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const weak = passwordProblem(typed.next, { email, names: [name, organisation.name, organisation.code] });
    if (weak) return wrong([{ field: 'next', message: translated(weak) }]);
    if (typed.next !== typed.again) return wrong([{ field: 'again', message: t('The two passwords differ') }]);
    setBusy(true);
    try {
      await api.ChangePassword({ current: typed.current, next: typed.next });
      setTyped(empty);
      wrong([]);
      toast(t('The password is changed and the other sessions are ended'));
      await cache.invalidateQueries({ queryKey: ['own sessions'] });
    } catch (error) {
      if (error instanceof Refused && error.problems.length) wrong(error.problems);
      else toastError(error);
    } finally {
      setBusy(false);
    }
  };
  const field = (name: keyof typeof empty, label: string, help?: string) => (
    <TextField
      label={label}
      name={name}
      type="password"
      value={typed[name]}
      onChange={(value) => setTyped((now) => ({ ...now, [name]: value }))}
      error={problemAt(problems, name)}
      help={help}
      required
    />
  );
  return (
    <form className="stack" aria-label={t('Change password')} onSubmit={(event) => void change(event)}>
      {field('current', t('Password now'))}
      {field('next', t('New password'), t('At least {{leastPassword}} characters', { leastPassword: LEAST_PASSWORD }))}
      {field('again', t('New password again'))}
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {t('Change password')}
        </Button>
      </div>
    </form>
  );
}

function OwnSessions() {
  const cache = useQueryClient();
  const { show } = useDateFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['own sessions'],
    queryFn: () => api.ListSessions({}),
  });
  const end = async (id: string) => {
    try {
      await api.EndSession({ id });
      toast(t('The session is ended'));
    } catch (refused) {
      toastError(refused);
    }
    await cache.invalidateQueries({ queryKey: ['own sessions'] });
  };
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton rows={2} />;
  return (
    <section aria-label={t('Sessions')} className="own-sessions">
      <h3>{t('Where you are signed in')}</h3>
      <ul className="plain-list">
        {data.map((session) => (
          <li key={session.id}>
            <span>
              <b title={session.agent}>{browserName(session.agent)}</b>
              <br />
              <span className="muted">{t('since {{startedAt}}', { startedAt: show(session.startedAt) })}</span>
            </span>
            {session.current ? (
              <span className="muted">{t('This one')}</span>
            ) : (
              <Button
                aria-label={t('End the session since {{startedAt}}', { startedAt: show(session.startedAt) })}
                onClick={() => void end(session.id)}
              >
                {t('End')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
