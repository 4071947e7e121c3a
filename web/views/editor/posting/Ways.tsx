import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type RefusalCode, type WayOn, waysOn } from '../../../../contract/errors.ts';
import { Button } from '../../../kit/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { toastError } from '../../../kit/dialog/toast.tsx';
import { useRun } from '../../../kit/dialog/useRun.ts';
import { useGo } from '../../../kit/navigation.tsx';
import { Refused } from '../../../kit/server/api.ts';
import { api } from '../../../kit/server/client.ts';
import { sessionQuery, useMayOpen, useMayWrite } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { useGoTo, usePlaces } from '../../places.ts';
import type { Model } from '../model.ts';
import type { Saving } from '../saving/saving.ts';
import { addressOfNeeded } from './waiting.ts';

interface WaysProps {
  readonly refusal: unknown;
  readonly model: Model;
  readonly saving: Saving;
  /** Tries again what was refused. */
  onPost(): void;
}
type Way<K extends keyof WayOn> = WayOn & Required<Pick<WayOn, K>>;
const leadsTo = <K extends keyof WayOn>(way: WayOn, what: K): way is Way<K> => way[what] !== undefined;

/** Buttons for the ways on from a refusal, those that the person may go. What was typed waits as a draft. */
export function Ways(props: WaysProps) {
  const { refusal } = props;
  const ways = refusal instanceof Refused ? (waysOn[refusal.code as RefusalCode] ?? []) : [];
  return ways.map((way) => (
    <span key={way.label}>
      {leadsTo(way, 'makes') && <Needed {...props} way={way} />}
      {leadsTo(way, 'switchesOn') && <SwitchOn {...props} way={way} />}
      {leadsTo(way, 'opens') && <Elsewhere {...props} way={way} />}
    </span>
  ));
}

/** Makes the document that is needed first, which begins with what is short, and comes back. */
function Needed({ refusal, model, saving, way }: WaysProps & { readonly way: Way<'makes'> }) {
  const place = usePlaces()(way.makes, 'documentEditor');
  const goTo = useGoTo();
  const { busy, run } = useRun(toastError);
  if (!place) return null;
  const go = () =>
    run(
      () => saving.keep(),
      ({ id = '' }) => goTo(place, addressOfNeeded(model, refusal, id)),
    );
  return (
    <Button busy={busy} onClick={() => void go()}>
      {t(way.label)}
    </Button>
  );
}

/** Switches a setting on, after a question, and tries again. */
function SwitchOn({ way, onPost }: WaysProps & { readonly way: Way<'switchesOn'> }) {
  const [asking, setAsking] = useState(false);
  const cache = useQueryClient();
  const { busy, run } = useRun(toastError);
  if (!useMayWrite('General Configuration')) return null;
  const { setting, asks } = way.switchesOn;
  const done = () => {
    setAsking(false);
    onPost();
  };
  const go = () =>
    run(async () => {
      await api.SaveGeneralConfigDetails({ values: { [setting]: true } });
      await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    }, done);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t(way.label)}</Button>
      <Dialog
        open={asking}
        title={t(way.label)}
        onClose={() => setAsking(false)}
        onSave={() => void go()}
        actions={
          <Button look="primary" busy={busy} onClick={() => void go()}>
            {t('Allow and post')}
          </Button>
        }
      >
        <p>{t(asks)}</p>
      </Dialog>
    </>
  );
}

/** Goes to the screen where it is put right. */
function Elsewhere({ saving, way }: WaysProps & { readonly way: Way<'opens'> }) {
  const go = useGo();
  const { busy, run } = useRun(toastError);
  const { screen, query } = way.opens;
  if (!useMayOpen()(screen)) return null;
  return (
    <Button
      busy={busy}
      onClick={() =>
        void run(
          () => saving.keep(),
          () => go(screen, query ?? {}),
        )
      }
    >
      {t(way.label)}
    </Button>
  );
}
