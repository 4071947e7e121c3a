import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useGivenProblems } from '../kit/fields/fieldProblems.ts';
import { focusFirstError, TextField } from '../kit/fields/fields.tsx';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { Sentence } from '../kit/Sentence.tsx';
import { problemAt, Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { signOut } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

const QrCode = lazy(() => import('../einvoice/QrCode.tsx').then((module) => ({ default: module.QrCode })));

/** Where a role or the organisation asks for it and there is none yet: nothing else opens. */
export function SecondFactorAsked({ onDone }: { onDone(): void }) {
  const [done, setDone] = useState(false);
  const cache = useQueryClient();
  const goOn = () => void cache.invalidateQueries().then(onDone);
  return (
    <Dialog
      open
      blocking
      width={640}
      title={t('Your organisation asks for a second factor')}
      onClose={() => undefined}
      {...(done && { onSave: goOn })}
      actions={
        done ? (
          <Button look="primary" onClick={goOn}>
            {t('Go on')}
          </Button>
        ) : (
          <Button onClick={() => void signOut().catch(toastError)}>{t('Logout')}</Button>
        )
      }
    >
      <Enrol onDone={() => setDone(true)} />
    </Dialog>
  );
}

/** The own second factor: turned on, its recovery codes renewed, turned off. */
export function SecondFactor() {
  const cache = useQueryClient();
  const [doing, setDoing] = useState<'on' | 'renew' | 'off' | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: ['second factor'], queryFn: () => api.GetSecondFactor({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={2} />;
  const again = () => {
    void refetch();
    void cache.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <section aria-label={t('Second factor')} className="own-sessions">
      <h3>{t('Second factor')}</h3>
      <p className="muted">
        {data.on
          ? t('On. {{codesLeft}} recovery codes are left.', { codesLeft: data.codesLeft })
          : t('Off. When it is on, a code of your authenticator is needed in addition to the password.')}
      </p>
      {doing === null && (
        <div className="button-row">
          {!data.on && <Button onClick={() => setDoing('on')}>{t('Turn on second factor')}</Button>}
          {data.on && <Button onClick={() => setDoing('renew')}>{t('New recovery codes')}</Button>}
          {data.on && !data.required && <Button onClick={() => setDoing('off')}>{t('Turn off second factor')}</Button>}
        </div>
      )}
      {doing === 'on' && <Enrol onDone={again} />}
      {doing === 'renew' && <Renew onDone={again} />}
      {doing === 'off' && (
        <CodeForm
          verb={t('Turn off')}
          send={async (code) => {
            await api.EndSecondFactor({ code });
            toast(t('The second factor is off'));
            setDoing(null);
            again();
          }}
        />
      )}
    </section>
  );
}

function Enrol({ onDone }: { onDone(): void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['second factor', 'begun'],
    queryFn: () => api.BeginSecondFactor({}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: codes === null,
    retry: false,
  });
  if (codes) return <RecoveryCodes codes={codes} />;
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <div className="stack">
      <p>{t('Scan this with an authenticator, or type the key into it. Then enter the six digits that it shows.')}</p>
      <Suspense fallback={<Skeleton rows={4} />}>
        <QrCode text={data.address} label={t('QR code of the key')} />
      </Suspense>
      <p>
        <Sentence
          text="Key: {{secret}}"
          values={{ secret: <code className="secret-key">{data.secret.replace(/(.{4})/g, '$1 ').trim()}</code> }}
        />
      </p>
      <CodeForm
        verb={t('Turn on')}
        send={async (code) => {
          setCodes((await api.ConfirmSecondFactor({ code })).codes);
          onDone();
        }}
      />
    </div>
  );
}

function Renew({ onDone }: { onDone(): void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} />;
  return (
    <CodeForm
      verb={t('Make new codes')}
      send={async (code) => {
        setCodes((await api.RenewRecoveryCodes({ code })).codes);
        onDone();
      }}
    />
  );
}

/** Shown once: nobody, not even the server, can show them again. */
function RecoveryCodes({ codes }: { readonly codes: readonly string[] }): ReactNode {
  return (
    <div className="stack" role="status">
      <p>
        {t(
          'The second factor is on. Each of these codes signs you in once without the authenticator. Keep them where the telephone ' +
            'is not: they are not shown again.',
        )}
      </p>
      <ul className="recovery-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </div>
  );
}

function CodeForm({ verb, send }: { readonly verb: string; send(code: string): Promise<void> }) {
  const [code, setCode] = useState('');
  const [problems, setProblems] = useGivenProblems({ code });
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblems([]);
    try {
      await send(code);
    } catch (refused) {
      if (refused instanceof Refused && refused.problems.length) {
        setProblems(refused.problems);
        focusFirstError();
      } else toastError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="stack" aria-label={verb} onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('Code')}
        name="code"
        value={code}
        onChange={setCode}
        error={problemAt(problems, 'code')}
        maxLength={20}
        required
      />
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
