import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type WebhookEvent, webhookEvents } from '../../contract/webhook-facts.ts';
import { kindLabel, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { Button } from '../kit/Button.tsx';
import { Confirm, Dialog } from '../kit/dialog/Dialog.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { useRun } from '../kit/dialog/useRun.ts';
import { useFieldProblems } from '../kit/fields/fieldProblems.ts';
import { Checkbox, focusFirstError, SelectField, TextField } from '../kit/fields/fields.tsx';
import { ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { problemAt } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import { ShownOnce } from './ShownOnce.tsx';
import '../views/views.css';

type Webhook = Awaited<ReturnType<typeof api.ListWebhooks>>[number];
type Delivery = Awaited<ReturnType<typeof api.ListWebhookDeliveries>>[number];
const WEBHOOKS = ['webhooks'];

const events: Readonly<Record<Delivery['event'], () => string>> = {
  documentPosted: () => t('Document posted'),
  documentCancelled: () => t('Document cancelled'),
  masterSaved: () => t('Customer, supplier or item saved'),
  test: () => t('Test'),
};

/** The addresses of other programs that are notified of events of the organisation. */
export function Webhooks({ onClose }: { onClose(): void }) {
  const [secret, setSecret] = useState<{ readonly name: string; readonly secret: string }>();
  return (
    <Dialog open title={t('Webhooks')} onClose={onClose} width={880}>
      <div className="stack">
        <p className="muted">
          {t(
            'A webhook notifies another program of events: it is sent a signed message without amounts, and reads the rest ' +
              'with an access token.',
          )}
        </p>
        <NewWebhook onMade={setSecret} />
        {secret && (
          <ShownOnce
            label={t('Secret of {{name}}', { name: secret.name })}
            secret={secret.secret}
            help={t('The receiver checks signatures with it. It is not shown again.')}
            what={t('Secret')}
          />
        )}
      </div>
      <WebhookList onRolled={setSecret} />
    </Dialog>
  );
}

interface Named {
  readonly name: string;
  readonly secret: string;
}

const untyped = {
  name: '',
  address: '',
  events: ['documentPosted'] as readonly WebhookEvent[],
  kinds: [] as readonly string[],
};

function NewWebhook({ onMade }: { onMade(made: Named | undefined): void }) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState(untyped);
  const { busy, error, run } = useRun();
  const { problems, error: refused } = useFieldProblems(error, typed);
  const change = (more: Partial<typeof untyped>) => setTyped((now) => ({ ...now, ...more }));
  const make = () =>
    run(
      () =>
        api.MakeWebhook({ ...typed, events: [...typed.events], kinds: [...typed.kinds] }).catch((error: unknown) => {
          onMade(undefined);
          focusFirstError();
          throw error;
        }),
      ({ secret }) => {
        onMade({ name: typed.name, secret });
        setTyped(untyped);
        void cache.invalidateQueries({ queryKey: WEBHOOKS });
      },
    );
  const wrongEvents = problemAt(problems, 'events');
  return (
    <form
      className="stack"
      aria-label={t('New webhook')}
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
        maxLength={60}
        required
      />
      <TextField
        label={t('Address')}
        name="address"
        value={typed.address}
        onChange={(address) => change({ address })}
        error={problemAt(problems, 'address')}
        help={t('Begins with https://')}
        maxLength={500}
        required
      />
      <fieldset className="fields">
        <legend>{t('Events')}</legend>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={events[event]()}
            checked={typed.events.includes(event)}
            onChange={(on) =>
              change({ events: on ? [...typed.events, event] : typed.events.filter((each) => each !== event) })
            }
            {...(event === webhookEvents[0] && { error: wrongEvents })}
          />
        ))}
      </fieldset>
      <Kinds chosen={typed.kinds} onChange={(kinds) => change({ kinds })} />
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {t('Add webhook')}
        </Button>
      </div>
    </form>
  );
}

/** The kinds of document that it is notified of: all, or those that were chosen one after the other. */
function Kinds({ chosen, onChange }: { readonly chosen: readonly string[]; onChange(kinds: readonly string[]): void }) {
  const others = kindNames.filter((kind) => kindOf(kind).life.cycle !== 'ordered' && !chosen.includes(kind));
  return (
    <>
      <SelectField
        label={t('Kinds of document')}
        value=""
        empty={chosen.length === 0 ? t('All kinds') : t('Add another kind')}
        choices={others.map((value) => ({ value, label: kindLabel(value) }))}
        onChange={(kind) => kind !== '' && onChange([...chosen, kind])}
      />
      {chosen.length > 0 && (
        <p className="button-row">
          {chosen.map((kind) => (
            <Button
              key={kind}
              aria-label={t('Remove {{name}}', { name: t(kindLabel(kind)) })}
              onClick={() => onChange(chosen.filter((each) => each !== kind))}
            >
              {t(kindLabel(kind))} ×
            </Button>
          ))}
        </p>
      )}
    </>
  );
}

function WebhookList({ onRolled }: { onRolled(rolled: Named): void }) {
  const cache = useQueryClient();
  const section = useRef<HTMLElement>(null);
  const [removing, setRemoving] = useState<Webhook | null>(null);
  const [rolling, setRolling] = useState<Webhook | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: WEBHOOKS,
    queryFn: () => api.ListWebhooks({}),
    refetchInterval: 5000,
  });
  /** Does what a button asks for, and shows what has become of the webhooks. */
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work();
      if (done) toast(done);
    } catch (refused) {
      toastError(refused);
    }
    await cache.invalidateQueries({ queryKey: WEBHOOKS });
  };
  const remove = async ({ id }: Webhook) => {
    await act(() => api.DeleteWebhook({ webhook: id }), t('The webhook is deleted'));
    setRemoving(null);
    section.current?.focus();
  };
  const roll = async ({ id, name }: Webhook) => {
    await act(async () => onRolled({ name, ...(await api.RollWebhookSecret({ webhook: id })) }));
    setRolling(null);
  };
  return (
    <section ref={section} tabIndex={-1} aria-label={t('Existing webhooks')} className="own-sessions">
      <h3>{t('Existing webhooks')}</h3>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton rows={2} />}
      {data?.length === 0 && <p className="muted">{t('There is none yet.')}</p>}
      {data?.map((webhook) => (
        <Row
          key={webhook.id}
          webhook={webhook}
          onTest={() => void act(() => api.TestWebhook({ webhook: webhook.id }), t('A test is on its way'))}
          onPause={() => void act(() => api.PauseWebhook({ webhook: webhook.id, active: !webhook.active }))}
          onRoll={() => setRolling(webhook)}
          onRemove={() => setRemoving(webhook)}
        />
      ))}
      <Confirm
        open={removing !== null}
        question={t('Delete the webhook {{name}}?', { name: removing?.name ?? '' })}
        consequence={t('What waits for it is not sent any more, and the list of its deliveries goes with it.')}
        verb={t('Delete')}
        onConfirm={() => (removing ? remove(removing) : undefined)}
        onClose={() => setRemoving(null)}
      />
      <Confirm
        open={rolling !== null}
        question={t('Give {{name}} a new secret?', { name: rolling?.name ?? '' })}
        consequence={t('The secret of before signs nothing from now on: the receiver needs the new one.')}
        verb={t('New secret')}
        onConfirm={() => (rolling ? roll(rolling) : undefined)}
        onClose={() => setRolling(null)}
      />
    </section>
  );
}

interface RowProps {
  readonly webhook: Webhook;
  onTest(): void;
  onPause(): void;
  onRoll(): void;
  onRemove(): void;
}

function Row({ webhook, onTest, onPause, onRoll, onRemove }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, address, active, waiting, failed } = webhook;
  const kinds = webhook.kinds.map((kind) => t(kindLabel(kind)));
  return (
    <div className="stack">
      <p>
        <b>{name}</b> <code className="wrap">{address}</code>
        <br />
        <span className="muted">
          {[
            ...(active ? [] : [t('paused')]),
            ...webhook.events.map((event) => events[event]()),
            ...kinds,
            ...(waiting > 0 ? [plural(waiting, 'one waits', '{{count}} wait')] : []),
            ...(failed > 0 ? [plural(failed, 'one failed', '{{count}} failed')] : []),
          ].join(', ')}
        </span>
      </p>
      <p className="button-row">
        {active && (
          <Button aria-label={t('Send a test to {{name}}', { name })} onClick={onTest}>
            {t('Send a test')}
          </Button>
        )}
        <Button
          aria-expanded={isOpen}
          aria-label={t('Deliveries to {{name}}', { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Deliveries')}
        </Button>
        <Button
          aria-label={active ? t('Pause {{name}}', { name }) : t('Go on with {{name}}', { name })}
          onClick={onPause}
        >
          {active ? t('Pause') : t('Go on')}
        </Button>
        <Button aria-label={t('New secret for {{name}}', { name })} onClick={onRoll}>
          {t('New secret')}
        </Button>
        <Button aria-label={t('Delete {{name}}', { name })} onClick={onRemove}>
          {t('Delete')}
        </Button>
      </p>
      {isOpen && <Deliveries webhook={webhook} />}
    </div>
  );
}

const states: Readonly<Record<Delivery['state'], () => string>> = {
  waiting: () => t('waits'),
  sent: () => t('sent'),
  failed: () => t('failed'),
};

/** The last deliveries, asked for anew every few seconds while they are in sight. */
function Deliveries({ webhook: { id, name, active } }: { readonly webhook: Webhook }) {
  const cache = useQueryClient();
  const { show } = useDateFormat();
  const key = [...WEBHOOKS, id];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.ListWebhookDeliveries({ webhook: id }),
    refetchInterval: 3000,
  });
  const again = async (delivery: string) => {
    await api.SendWebhookAgain({ delivery }).catch(toastError);
    await cache.invalidateQueries({ queryKey: key });
  };
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={2} />;
  if (data.length === 0) return <p className="muted">{t('Nothing was sent yet.')}</p>;
  return (
    <ul className="plain-list" aria-label={t('Deliveries to {{name}}', { name })}>
      {data.map((delivery) => (
        <li key={delivery.id}>
          <span>
            {events[delivery.event]()}, {show(delivery.madeAt)}
            <br />
            <span className="muted">
              {[
                states[delivery.state](),
                plural(delivery.attempts, 'one attempt', '{{count}} attempts'),
                ...(delivery.error ? [delivery.error] : []),
              ].join(', ')}
            </span>
          </span>
          {active && delivery.state !== 'waiting' && (
            <Button onClick={() => void again(delivery.id)}>{t('Send again')}</Button>
          )}
        </li>
      ))}
    </ul>
  );
}
