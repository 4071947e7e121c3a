import { useEffect, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { toastError } from '../kit/dialog/toast.tsx';
import { useGo } from '../kit/navigation.tsx';
import { sessionExpired } from '../kit/server/api.ts';
import { dropMarker, rememberPlace, signOut, useDateFormat, useMayOpen, useSession } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';

/** Shown after a 401 anywhere; Okay goes to the sign-in page. */
export function SessionExpired() {
  const [open, setOpen] = useState(false);
  const session = useSession();
  useEffect(() => {
    const show = () => setOpen(true);
    window.addEventListener(sessionExpired, show);
    return () => window.removeEventListener(sessionExpired, show);
  }, []);
  const leave = () => {
    rememberPlace(session);
    dropMarker();
    window.location.assign('/');
  };
  return (
    <Dialog
      open={open}
      title={t('Your session has expired, please login again')}
      onClose={leave}
      onSave={leave}
      blocking
      actions={
        <Button look="primary" onClick={leave}>
          {t('Okay')}
        </Button>
      }
    />
  );
}

const DAY = 86_400_000;

/** Whole days from `today` until the subscription ends; null when it does not. */
export const daysLeft = (endsOn: string | null, today: string): number | null =>
  endsOn ? Math.round((Date.parse(endsOn) - Date.parse(today)) / DAY) : null;

const passed = (endsOn: string | null) => `bahi.pack-expired.${endsOn}`;

/** Whether the end of the pack still stands before everything else: until the person has chosen how to go on, once in this tab. */
export const usePackExpired = (): { readonly stops: boolean; pass(): void } => {
  const { subscription } = useSession();
  const key = passed(subscription.endsOn);
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(key) !== null);
  return {
    stops: subscription.expired && !chosen,
    pass: () => {
      sessionStorage.setItem(key, 'passed');
      setChosen(true);
    },
  };
};

/** The pack has ended. Nothing is loaded until the person chooses: extend it, leave, or go on with what is free. */
export function PackExpired({ onPass }: { onPass(): void }) {
  const go = useGo();
  const mayOpen = useMayOpen();
  const { lapsed } = useSession().subscription;
  const extend = () => {
    onPass();
    go('subscriptions');
  };
  return (
    <Dialog
      open
      title={t('Your pack is expired.')}
      onClose={() => undefined}
      onSave={mayOpen('subscriptions') ? extend : onPass}
      blocking
      actions={
        <>
          <Button onClick={() => void signOut().catch(toastError)}>{t('Logout')}</Button>
          <Button data-autofocus onClick={onPass}>
            {t('Go on without it')}
          </Button>
          {mayOpen('subscriptions') && (
            <Button look="primary" onClick={extend}>
              {t('Extend subscription')}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        <p>{t('If you want contiune services please extend your subcription')}</p>
        <p>
          {lapsed.length > 0 &&
            `${t('The records of {{lapsed}} can be read but no longer changed.', { lapsed: lapsed.join(', ') })} `}
          {t('Accounts, invoices, GST and stock go on.')}
        </p>
      </div>
    </Dialog>
  );
}

const warned = (endsOn: string) => `bahi.subscription-warned.${endsOn}`;

/** Once in this browser when the pack ends within 14 days; `asked` opens it again from the top bar's icon. */
export function PackExpiring({ asked, onClose }: { readonly asked: boolean; onClose(): void }) {
  const { subscription, today } = useSession();
  const { show } = useDateFormat();
  const { endsOn } = subscription;
  const left = daysLeft(endsOn, today);
  const [first, setFirst] = useState(() => endsOn !== null && localStorage.getItem(warned(endsOn)) === null);
  if (endsOn === null || left === null || left > 14 || left < 0) return null;
  const close = () => {
    localStorage.setItem(warned(endsOn), 'shown');
    setFirst(false);
    onClose();
  };
  return (
    <Dialog
      open={first || asked}
      title={t('Your pack is about to expire')}
      onClose={close}
      onSave={close}
      actions={
        <Button look="primary" onClick={close}>
          {t('Okay')}
        </Button>
      }
    >
      <p>
        {plural(left, 'It ends on {{endsOn}}, in 1 day.', 'It ends on {{endsOn}}, in {{count}} days.', {
          endsOn: show(endsOn),
        })}
      </p>
    </Dialog>
  );
}

/** The operator's announcement while it is valid; once dismissed it rests for this browser session, and a next one comes up by itself. */
export function Broadcast() {
  const { broadcast } = useSession();
  if (!broadcast || Date.parse(broadcast.validTo) <= Date.now()) return null;
  const key = `bahi.broadcast.${broadcast.validTo}.${broadcast.title}`;
  return <Announcement key={key} name={key} {...broadcast} />;
}

function Announcement({ name, title, floatingMessage }: { name: string; title: string; floatingMessage: string }) {
  const [open, setOpen] = useState(() => sessionStorage.getItem(name) === null);
  const close = () => {
    sessionStorage.setItem(name, 'seen');
    setOpen(false);
  };
  return (
    <Dialog open={open} title={title} onClose={close} actions={<Button onClick={close}>{t('Close')}</Button>}>
      <p>{floatingMessage}</p>
    </Dialog>
  );
}
