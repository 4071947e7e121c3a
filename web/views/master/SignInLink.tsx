import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { Confirm } from '../../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../../kit/dialog/toast.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { ErrorPanel, Panel } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

type Made = Awaited<ReturnType<typeof api.MakeSignInLink>>;
type Mailed = Awaited<ReturnType<typeof api.MailSignInLink>>;

/** For whoever has lost both telephone and recovery codes. */
function ResetFactor({ user }: { readonly user: string }) {
  const [asking, setAsking] = useState(false);
  const run = async () => {
    try {
      await api.ResetSecondFactor({ user });
      toast(t('The second factor is taken off'));
    } catch (refused) {
      toastError(refused);
    }
    setAsking(false);
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('Reset second factor')}</Button>
      <Confirm
        open={asking}
        question={t('Take the second factor off?')}
        consequence={t(
          'Until a new one is set up, this user signs in with the password alone. Make sure that you know who asks for this.',
        )}
        verb={t('Reset')}
        onConfirm={run}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** A one-time link for this user, mailed or shown once: whoever opens it sets the password. */
export function SignInLink({ user }: { readonly user: string }) {
  const { passwords, mails } = useSession();
  const { show } = useDateFormat();
  const [made, setMade] = useState<Made | Mailed | null>(null);
  const [busy, setBusy] = useState<'mail' | 'make' | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (!passwords) return null;
  const run = async (what: 'mail' | 'make') => {
    if (busy) return;
    setBusy(what);
    setError(null);
    try {
      setMade(await (what === 'mail' ? api.MailSignInLink({ user }) : api.MakeSignInLink({ user })));
    } catch (refused) {
      setMade(null);
      setError(refused);
    } finally {
      setBusy(null);
    }
  };
  const copy = async (url: string) => {
    try {
      await navigator.clipboard.writeText(url);
      toast(t('The link is copied'));
    } catch {
      toastError(t('The browser did not let the link be copied: mark it and copy it by hand'));
    }
  };
  return (
    <Panel
      title={t('Sign-in link')}
      actions={
        <div className="button-row">
          <ResetFactor user={user} />
          {mails && (
            <Button busy={busy === 'mail'} onClick={() => void run('mail')}>
              {made && 'email' in made ? t('Mail another link') : t('Mail sign-in link')}
            </Button>
          )}
          <Button busy={busy === 'make'} onClick={() => void run('make')}>
            {made && 'url' in made ? t('Make another link') : t('Make sign-in link')}
          </Button>
        </div>
      }
    >
      {error !== null && <ErrorPanel error={error} />}
      {made && 'url' in made && (
        <div className="fields">
          <TextField
            label={
              made.purpose === 'invitation' ? t('Link to take up the invitation') : t('Link to set a new password')
            }
            value={made.url}
            onChange={() => undefined}
            readOnly
            span={2}
            help={t('Opens once, until {{expiresAt}}. It is not shown again: give it to this person only.', {
              expiresAt: show(made.expiresAt),
            })}
          />
          <div className="field">
            <Button onClick={() => void copy(made.url)}>{t('Copy link')}</Button>
          </div>
        </div>
      )}
      {made && 'email' in made && (
        <p role="status">
          {t('{{purpose}} was mailed to {{email}}. It opens once, until {{expiresAt}}.', {
            purpose: made.purpose === 'invitation' ? t('The invitation') : t('The link to set a new password'),
            email: made.email,
            expiresAt: show(made.expiresAt),
          })}
        </p>
      )}
      {!made && (
        <p className="muted">
          {t('A one-time link lets this person set the password. Making one ends the links made before.')}
        </p>
      )}
    </Panel>
  );
}
