import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { subscriptionCalls } from '../../contract/subscription.ts';
import { moneyText, parseDecimal } from '../../domain/base/decimal.ts';
import { Button } from '../kit/Button.tsx';
import { toast, toastError } from '../kit/dialog/toast.tsx';
import { Checkbox, SelectField } from '../kit/fields/fields.tsx';
import { rupees } from '../kit/format.ts';
import { Badge, ErrorPanel, Page, PageHead, Panel, Skeleton } from '../kit/parts.tsx';
import { Refused } from '../kit/server/api.ts';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useScreenKey } from '../kit/server/session.ts';
import { plural, t } from '../kit/text.ts';
import '../views/views.css';

/** Statuses under which the server says itself what is wrong. */
const said = { 200: true, 403: true, 409: true, 422: true };

type Module = z.output<(typeof subscriptionCalls)['GetModulesListWithCost']['details']>[number];
type Subscription = z.output<(typeof subscriptionCalls)['GetSubscription']['details']>;
type Asked = NonNullable<Subscription['request']>;

const steps = ['Initiated', 'Finance', 'Admin', 'Completed'] as const;
/** The step that a request stands at: what comes before it is done. */
const stepAt = (status: number): number => (status <= 1 ? 1 : status <= 3 ? 2 : status <= 5 ? 2 : 3);
const says = (status: number, expired: boolean): string =>
  status <= 1
    ? t('Request sent to finance team, will get back shortly.')
    : status <= 5
      ? t('Payment received and sent for admin approval. Application is accessible once admin approves.')
      : expired
        ? t('It has ended: ask for the modules again to go on writing in them.')
        : t('The modules are yours: turn them on under General configuration.');

/** The modules with their cost, how a request stands, and a new one. */
export function Subscriptions() {
  const { show } = useDateFormat();
  const modules = useQuery({ queryKey: useScreenKey('modules'), queryFn: () => api.GetModulesListWithCost({}) });
  const own = useQuery({ queryKey: useScreenKey('subscription'), queryFn: () => api.GetSubscription({}) });
  const error = modules.error ?? own.error;
  if (error) return <ErrorPanel error={error} onRetry={() => void Promise.all([modules.refetch(), own.refetch()])} />;
  if (!modules.data || !own.data) return <Skeleton />;
  const { request, endsOn, expired } = own.data;
  return (
    <Page narrow>
      <PageHead
        title={t('Subscription')}
        beside={endsOn !== null && <Badge word={expired ? 'Expired' : 'Active'} />}
        count={
          endsOn !== null
            ? t('until {{endsOn}}', { endsOn: show(endsOn) })
            : modules.data.some((one) => one.subscribed)
              ? t('without end')
              : t('free core')
        }
      />
      {request && <Request request={request} expired={expired} />}
      <Ask modules={modules.data} waiting={request !== null && !request.refused && request.requestStatus < 7} />
      <Support />
    </Page>
  );
}

function Request({ request, expired }: { readonly request: Asked; readonly expired: boolean }) {
  const { show } = useDateFormat();
  const at = stepAt(request.requestStatus);
  return (
    <Panel title={t('Request of {{askedAt}}', { askedAt: show(request.askedAt) })}>
      <div className="stack">
        <ol className="steps" aria-label={t('Steps of the request')}>
          {steps.map((step, index) => (
            <li
              key={step}
              data-done={index < at || at === steps.length - 1 || undefined}
              aria-current={index === at && !request.refused ? 'step' : undefined}
            >
              {t(step)}
            </li>
          ))}
        </ol>
        <p>
          {plural(
            request.months,
            '{{modules}} for 1 month, {{monthly}} a month, asked for by {{askedBy}}.',
            '{{modules}} for {{count}} months, {{monthly}} a month, asked for by {{askedBy}}.',
            { modules: request.modules.join(', '), monthly: rupees(request.monthly), askedBy: request.askedBy },
          )}
        </p>
        <p role="status">
          {request.refused ? <Badge word="Refused" tone="bad" /> : says(request.requestStatus, expired)}
          {request.refused && ` ${t('The operator refused this request; you can ask again.')}`}
        </p>
      </div>
    </Panel>
  );
}

function Ask({ modules, waiting }: { readonly modules: readonly Module[]; readonly waiting: boolean }) {
  const cache = useQueryClient();
  const { show } = useDateFormat();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [months, setMonths] = useState('1');
  const [busy, setBusy] = useState(false);
  const monthly = modules
    .filter(({ id }) => chosen.has(id))
    .reduce((total, { cost }) => total + (parseDecimal(cost, 2) ?? 0), 0);
  const choose = (id: number, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const ask = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const { message } = await api.AddModulesForOrganisation({
        ModuleIds: [...chosen],
        RequestedDuration: Number(months) as 1 | 3 | 6 | 12,
      });
      toast(message);
      setChosen(new Set());
      await cache.invalidateQueries({ queryKey: ['screen'] });
    } catch (refused) {
      // what the server says no to it says; any other outcome is the sentence of the catalogue
      toastError(refused instanceof Refused && refused.status in said ? refused : undefined);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title={t('Modules')}>
      <div className="stack">
        <p className="muted">
          {t(
            'Accounts, invoices, GST and stock are free. The data of a module stays readable after its subscription ends.',
          )}
        </p>
        <ul className="plain-list modules">
          {modules.map(({ id, moduleName, cost, says: what, subscribed, endsOn }) => (
            <li key={id}>
              <Checkbox
                label={t(moduleName)}
                help={t(what)}
                checked={chosen.has(id)}
                disabled={waiting}
                onChange={(on) => choose(id, on)}
              />
              <span className="num">
                {t('{{cost}} a month', { cost: rupees(cost) })}
                <br />
                {subscribed && (
                  <Badge word={endsOn === null ? 'Yours' : t('Until {{endsOn}}', { endsOn: show(endsOn) })} tone="ok" />
                )}
              </span>
            </li>
          ))}
        </ul>
        <div className="fields">
          <SelectField
            label={t('For')}
            value={months}
            onChange={setMonths}
            disabled={waiting}
            choices={['1', '3', '6', '12'].map((value) => ({
              value,
              label: value === '1' ? t('1 month') : t('{{value}} months', { value }),
            }))}
          />
          <div className="field">
            <span className="muted">{t('In all')}</span>
            <b>{rupees(moneyText(monthly * Number(months)))}</b>
          </div>
        </div>
        <div>
          <Button
            look="primary"
            busy={busy}
            disabled={waiting || chosen.size === 0}
            title={waiting ? t('Your last request is still on its way') : undefined}
            onClick={() => void ask()}
          >
            {t('Request subscription')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function Support() {
  const { data } = useQuery({ queryKey: useScreenKey('support'), queryFn: () => api.GetSupportDetails({}) });
  if (!data?.length) return null;
  return (
    <Panel title={t('Support contacts')}>
      <ul className="plain-list">
        {data.map(({ name, email }) => (
          <li key={email}>
            <span>{name}</span>
            <a href={`mailto:${email}`}>{email}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
