import { useState } from 'react';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { TextField } from '../../kit/fields.tsx';
import { Panel } from '../../kit/parts.tsx';
import { useDateFormat, useSession } from '../../kit/session.ts';
import { toast, toastError } from '../../kit/toast.tsx';

/** A one-time link for this user, shown once: whoever opens it sets the password. */
export function SignInLink({ user }: { readonly user: string }) {
  const { passwords } = useSession();
  const { show } = useDateFormat();
  const [made, setMade] = useState<Awaited<ReturnType<typeof api.MakeSignInLink>> | null>(null);
  const [busy, setBusy] = useState(false);
  if (!passwords) return null;
  const make = async () => {
    setBusy(true);
    try {
      setMade(await api.MakeSignInLink({ user }));
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  const copy = async (url: string) => {
    try {
      await navigator.clipboard.writeText(url);
      toast('The link is copied');
    } catch {
      toastError('The browser did not let the link be copied: mark it and copy it by hand');
    }
  };
  return (
    <Panel
      title="Sign-in link"
      actions={
        <Button busy={busy} onClick={() => void make()}>
          {made ? 'Make another link' : 'Make sign-in link'}
        </Button>
      }
    >
      {made ? (
        <div className="fields">
          <TextField
            label={made.purpose === 'invitation' ? 'Link to take up the invitation' : 'Link to set a new password'}
            value={made.url}
            onChange={() => undefined}
            readOnly
            span={2}
            help={`Opens once, until ${show(made.expiresAt)}. It is not shown again: give it to this person only.`}
          />
          <div className="field">
            <Button onClick={() => void copy(made.url)}>Copy link</Button>
          </div>
        </div>
      ) : (
        <p className="muted">
          A one-time link lets this person set the password. Making one ends the links made before.
        </p>
      )}
    </Panel>
  );
}
