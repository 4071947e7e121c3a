import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { scopeLabels, type TokenScope, tokenDays, tokenScopes } from '../../contract/token-facts.ts';
import { Button } from '../kit/Button.tsx';
import { Confirm, Dialog } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useFieldProblems } from '../kit/fields/fieldProblems.ts';
import { Checkbox, focusFirstError, SelectField, TextField } from '../kit/fields/fields.tsx';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { problemAt } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayWrite } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { ShownOnce } from './ShownOnce.tsx';

type Token = Awaited<ReturnType<typeof api.ListAccessTokens>>[number];
const TOKENS = ['access tokens'];

/** The access tokens of the person; whoever manages users sees those of everybody too. */
export function AccessTokens({ onClose }: { onClose(): void }) {
  return (
    <Dialog open title={t('Access tokens')} onClose={onClose} width={640}>
      <p className="muted">
        {t(
          'With an access token another program reads and writes here as you do, and never more than you may. The edit log ' +
            'names the token.',
        )}
      </p>
      <NewToken />
      <TokenList />
    </Dialog>
  );
}

const untyped = { name: '', scope: 'view' as TokenScope, days: String(tokenDays[1]) };

function NewToken() {
  const cache = useQueryClient();
  const [typed, setTyped] = useState(untyped);
  const [secret, setSecret] = useState('');
  const { busy, error, run } = useRun();
  const { problems, error: refused } = useFieldProblems(error, typed);
  const make = () =>
    run(
      () =>
        api.MakeAccessToken({ ...typed, days: Number(typed.days) }).catch((error: unknown) => {
          setSecret('');
          focusFirstError();
          throw error;
        }),
      (made) => {
        setSecret(made.secret);
        setTyped(untyped);
        void cache.invalidateQueries({ queryKey: TOKENS });
      },
    );
  const change = (more: Partial<typeof untyped>) => setTyped((now) => ({ ...now, ...more }));
  return (
    <form
      className="stack"
      aria-label={t('New access token')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      {refused !== null && problems.length === 0 && <ErrorPanel error={refused} />}
      <TextField
        label={t('Name')}
        name="name"
        value={typed.name}
        onChange={(name) => change({ name })}
        error={problemAt(problems, 'name')}
        help={t('The program that uses it, such as the web shop')}
        maxLength={60}
        required
      />
      <SelectField
        label={t('What it may do')}
        name="scope"
        value={typed.scope}
        onChange={(scope) => change({ scope: scope as TokenScope })}
        choices={tokenScopes.map((value) => ({ value, label: scopeLabels[value] }))}
        error={problemAt(problems, 'scope')}
      />
      <SelectField
        label={t('Ends after')}
        name="days"
        value={typed.days}
        onChange={(days) => change({ days })}
        choices={tokenDays.map((days) => ({ value: String(days), label: t('{{days}} days', { days }) }))}
        error={problemAt(problems, 'days')}
      />
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {t('Make access token')}
        </Button>
      </div>
      {secret && (
        <ShownOnce
          label={t('Secret of the new token')}
          secret={secret}
          help={t('It is not shown again. Copy it into the program now, and keep it as you keep a password.')}
          what={t('Access token')}
        />
      )}
    </form>
  );
}

function TokenList() {
  const cache = useQueryClient();
  const managesUsers = useMayWrite('usersedit');
  const [all, setAll] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const section = useRef<HTMLElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [...TOKENS, all],
    queryFn: () => api.ListAccessTokens(all ? { all: 'true' } : {}),
  });
  const revoke = async ({ id }: Token) => {
    try {
      await api.RevokeAccessToken({ token: id });
      toast(t('The access token is revoked'));
    } catch (refused) {
      toastError(refused);
    }
    setRevoking(null);
    await cache.invalidateQueries({ queryKey: TOKENS });
    // the button that had the focus is gone, and keys go on from here
    section.current?.focus();
  };
  return (
    <section ref={section} tabIndex={-1} aria-label={t('Existing tokens')} className="own-sessions">
      <h3>{t('Existing tokens')}</h3>
      {managesUsers && <Checkbox label={t('Those of all users')} checked={all} onChange={setAll} />}
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton rows={2} />}
      {data?.length === 0 && <p className="muted">{t('There is none yet.')}</p>}
      <ul className="plain-list">
        {data?.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      <Confirm
        open={revoking !== null}
        question={t('Revoke the access token {{name}}?', { name: revoking?.name ?? '' })}
        consequence={t('The program that uses it is refused from now on. This cannot be undone.')}
        verb={t('Revoke')}
        onConfirm={() => (revoking ? revoke(revoking) : undefined)}
        onClose={() => setRevoking(null)}
      />
    </section>
  );
}

const states = {
  active: (until: string) => t('until {{until}}', { until }),
  expired: (until: string) => t('ended on {{until}}', { until }),
  revoked: () => t('revoked'),
} satisfies Readonly<Record<Token['state'], (until: string) => string>>;

function TokenRow({ token, onRevoke }: { readonly token: Token; onRevoke(): void }) {
  const { show } = useDateFormat();
  const { name, begins, scope, user, own, state, expiresAt, usedAt } = token;
  return (
    <li>
      <span>
        <b>{name}</b> <code>{begins}…</code>
        <br />
        <span className="muted">
          {[
            ...(own ? [] : [user]),
            t(scopeLabels[scope]),
            states[state](show(expiresAt)),
            usedAt ? t('last used {{usedAt}}', { usedAt: show(usedAt) }) : t('never used'),
          ].join(', ')}
        </span>
      </span>
      {state === 'active' && (
        <Button aria-label={t('Revoke {{name}}', { name })} onClick={onRevoke}>
          {t('Revoke')}
        </Button>
      )}
    </li>
  );
}
