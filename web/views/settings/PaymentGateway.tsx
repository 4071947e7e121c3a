import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { paymentCalls } from '../../../contract/payments.ts';
import { paymentMethodLabels, paymentMethods } from '../../../domain/banking/payment-methods.ts';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { ComboboxField, type Option } from '../../kit/fields/Combobox.tsx';
import { Checkbox, SelectField, TextField } from '../../kit/fields/fields.tsx';
import { stopsAtUnchosen } from '../../kit/fields/typing.ts';
import { showMoment } from '../../kit/format.ts';
import { Badge, Empty, ErrorPanel, Panel, Skeleton } from '../../kit/parts.tsx';
import { problemAt, Refused } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useMayWrite, useScreenKey } from '../../kit/server/session.ts';
import { Copy } from '../../kit/table/Copy.tsx';
import { t } from '../../kit/text.ts';
import { PaymentList } from '../../payments/PaymentList.tsx';
import { usePick } from '../editor/searches.ts';
import type { Fields, Values } from '../master/values.ts';
import { type StoredSecrets, useSecrets } from './useSecrets.tsx';

type Shown = z.output<(typeof paymentCalls)['GetPaymentGateway']['details']>;
type Tested = z.output<(typeof paymentCalls)['TestPaymentGateway']['details']>;

/** The payment gateway of the organisation: secrets can be set and never read. */
export function PaymentGateway() {
  const key = useScreenKey('gateway');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetPaymentGateway({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  if (data.providers.length === 0 && !data.gateway)
    return <Empty sentence={t('This installation has no payment gateway: its operator adds one')} />;
  return (
    <>
      <Form shown={data} />
      <LastPayments />
    </>
  );
}

function Form({ shown }: { readonly shown: Shown }) {
  const { gateway } = shown;
  const mayWrite = useMayWrite('General Configuration');
  const form = useGatewayForm(shown);
  const { busy, dirty, tested } = form;
  return (
    <Panel
      title={t('Payment gateway')}
      actions={gateway ? <Badge word="Kept" tone="ok" /> : <Badge word="None yet" tone="neutral" />}
    >
      <div className="stack" ref={form.panel}>
        {form.failed != null && <ErrorPanel error={form.failed} />}
        <GatewayFields shown={shown} form={form} mayWrite={mayWrite} />
        <Methods form={form} mayWrite={mayWrite} />
        <GatewayFacts shown={shown} />
        {mayWrite && (
          <div className="side-actions">
            <Button busy={busy === 'save'} disabled={!dirty || busy === 'test'} onClick={form.save}>
              {t('Save gateway')}
            </Button>
            <Button busy={busy === 'test'} disabled={!gateway || dirty || busy === 'save'} onClick={form.test}>
              {t('Test sign-in')}
            </Button>
            {gateway && dirty && <span className="muted">{t('Save before testing')}</span>}
          </div>
        )}
        <div role="status">
          {tested && (
            <p className="note" data-tone={tested.ok ? 'ok' : 'bad'}>
              {tested.message}
            </p>
          )}
        </div>
        {form.dialog}
      </div>
    </Panel>
  );
}

/** What the form begins with. Secrets are never read: their fields are empty. */
const keptOf = ({ gateway, providers }: Shown) => ({
  provider: gateway?.provider ?? providers[0]?.name ?? '',
  live: gateway?.live ?? false,
  keyId: gateway?.keyId ?? '',
  secret: '',
  webhookSecret: '',
  methods: gateway?.methods ?? paymentMethods,
  autoReceipt: gateway?.autoReceipt ?? true,
});
type Typed = Partial<ReturnType<typeof keptOf>>;

/** The gateway as it is typed, over what is kept; saved, and tried by signing in. */
function useGatewayForm(shown: Shown) {
  const { gateway, providers } = shown;
  const [typed, setTyped] = useState<Typed>({});
  const [ledger, setLedger] = useState<Option | null>(null);
  const { panel, failed, problems, tested, busy, dialog, begin, ...secrets } = useSecrets<Tested>({
    fields: labels(providers),
    secrets: ['secret', 'webhookSecret'],
    stored: storedSecrets(gateway),
    typed: inWords({ ...typed, ...(ledger && { settlementLedger: ledger.name }) }),
    read: async () => storedSecrets((await api.GetPaymentGateway({})).gateway),
    onDropped: (names) => {
      setTyped(Object.fromEntries(Object.entries(typed).filter(([name]) => !names.includes(name))));
      if (names.includes('settlementLedger')) setLedger(null);
    },
  });
  const values = { ...keptOf(shown), ...typed };
  const settlement = ledger ?? (gateway && { id: gateway.settlementLedger, name: gateway.ledgerName });
  const save = async () => {
    if (stopsAtUnchosen()) return;
    await secrets.save(async (version) => {
      const { provider, live, keyId, secret, webhookSecret, autoReceipt } = values;
      const methods = [...values.methods];
      if (!settlement) throw missingLedger;
      await api.SavePaymentGateway({
        ...{ provider, live, keyId, settlementLedger: settlement.id, methods, autoReceipt },
        ...(secret && { secret }),
        ...(webhookSecret && { webhookSecret }),
        ...(version !== undefined && { version }),
      });
      toast(t('The payment gateway is saved'));
      setTyped({});
      setLedger(null);
    });
  };
  return {
    ...{ panel, failed, problems, tested, busy, dialog, values, settlement },
    dirty: Object.keys(typed).length > 0 || ledger !== null,
    change: (patch: Typed) => {
      begin();
      setTyped((now) => ({ ...now, ...patch }));
    },
    chooseLedger: (option: Option | null) => {
      begin();
      setLedger(option);
    },
    save: () => void save(),
    test: () => void secrets.test(() => api.TestPaymentGateway({})),
  };
}

interface PartProps {
  readonly form: ReturnType<typeof useGatewayForm>;
  readonly mayWrite: boolean;
}

function GatewayFields({
  shown: { gateway, providers },
  form: { values, settlement, problems, change, chooseLedger },
  mayWrite,
}: PartProps & { readonly shown: Shown }) {
  const search = usePick('moneyLedger');
  const secretHelp = gateway && mayWrite ? t('Leave empty to keep the stored value') : undefined;
  return (
    <div className="fields">
      <SelectField
        label={t('Gateway')}
        name="provider"
        value={values.provider}
        choices={providers.map(({ name, label }) => ({ value: name, label: t(label) }))}
        disabled={!mayWrite}
        error={problemAt(problems, 'provider')}
        onChange={(provider) => change({ provider })}
      />
      <TextField
        readOnly={!mayWrite}
        label={t('Key id')}
        name="keyId"
        required
        value={values.keyId}
        maxLength={100}
        autoComplete="off"
        error={problemAt(problems, 'keyId')}
        onChange={(keyId) => change({ keyId })}
      />
      {(['secret', 'webhookSecret'] as const).map((name) => (
        <TextField
          key={name}
          readOnly={!mayWrite}
          label={name === 'secret' ? t('Secret') : t('Webhook secret')}
          name={name}
          type="password"
          required={!gateway}
          value={values[name]}
          maxLength={200}
          autoComplete="new-password"
          placeholder={gateway ? t('Kept') : undefined}
          help={secretHelp}
          error={problemAt(problems, name)}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
      <ComboboxField
        label={t('Settlement ledger')}
        name="settlementLedger"
        span={2}
        required
        disabled={!mayWrite}
        help={t('Bank or clearing ledger: receipts are posted here; the fee is posted to Bank charges')}
        value={settlement}
        search={search}
        error={problemAt(problems, 'settlementLedger')}
        onChange={chooseLedger}
      />
      <Checkbox
        label={t('Receipts are made by themselves')}
        checked={values.autoReceipt}
        disabled={!mayWrite}
        help={t('Off: a payment waits until a user books it, here or on its document')}
        onChange={(autoReceipt) => change({ autoReceipt })}
      />
      <Checkbox
        label={t('Live: real money')}
        checked={values.live}
        disabled={!mayWrite}
        onChange={(live) => change({ live })}
      />
    </div>
  );
}

/** How customers may pay. */
function Methods({ form: { values, problems, change }, mayWrite }: PartProps) {
  return (
    <fieldset className="merge">
      <legend>{t('Customers may pay by')}</legend>
      {paymentMethods.map((method) => (
        <Checkbox
          key={method}
          label={t(paymentMethodLabels[method])}
          checked={values.methods.includes(method)}
          disabled={!mayWrite}
          onChange={(on) => change({ methods: values.methods.filter((m) => m !== method).concat(on ? method : []) })}
        />
      ))}
      {problemAt(problems, 'methods') && <p className="field-error">{problemAt(problems, 'methods')}</p>}
    </fieldset>
  );
}

/** The address for messages of the gateway, and when it was last reached. */
function GatewayFacts({ shown: { gateway, webhook } }: { readonly shown: Shown }) {
  const { format } = useDateFormat();
  return (
    <dl className="facts">
      <div>
        <dt>{t('Webhook')}</dt>
        <dd className="code wrap">
          {webhook} <Copy text={webhook} what={t('webhook address')} />
        </dd>
      </div>
      <Fact label={t('Last signed in')} value={gateway?.lastOk && showMoment(gateway.lastOk, format)} />
      <Fact label={t('Last heard of')} value={gateway?.lastHeard && showMoment(gateway.lastHeard, format)} />
      {gateway?.lastError && <Fact label={t('Last error')} value={gateway.lastError} />}
    </dl>
  );
}

const labels = (providers: Shown['providers']): Fields => ({
  provider: { label: t('Gateway'), type: 'choice', choices: providers.map(({ name, label }) => [name, label]) },
  keyId: { label: t('Key id'), type: 'text' },
  secret: { label: t('Secret'), type: 'text' },
  webhookSecret: { label: t('Webhook secret'), type: 'text' },
  settlementLedger: { label: t('Settlement ledger'), type: 'text' },
  autoReceipt: { label: t('Receipts are made by themselves'), type: 'flag' },
  live: { label: t('Live: real money'), type: 'flag' },
  methods: { label: t('Customers may pay by'), type: 'text' },
});
/** Means of payment by their names, in one order. */
const inWords = ({ methods, ...values }: Values): Values => ({
  ...values,
  ...(Array.isArray(methods) && {
    methods: paymentMethods
      .filter((method) => methods.includes(method))
      .map((method) => paymentMethodLabels[method])
      .join(', '),
  }),
});
const storedSecrets = (gateway: Shown['gateway']): StoredSecrets => {
  if (!gateway) return { version: 0, values: {}, marks: {} };
  const { provider, live, keyId, methods, autoReceipt, ledgerName, version, marks } = gateway;
  return {
    version,
    values: inWords({ provider, live, keyId, methods, autoReceipt, settlementLedger: ledgerName }),
    marks,
  };
};

const missingLedger = new Refused({
  status: 422,
  code: 'problems',
  message: 'Please correct the highlighted fields',
  problems: [{ field: 'settlementLedger', message: 'Settlement ledger is required' }],
  reference: '',
});

const Fact = ({ label, value }: { label: string; value: string | null | undefined }) => (
  <div>
    <dt>{label}</dt>
    <dd className={value ? 'wrap' : 'muted'}>{value || t('Never')}</dd>
  </div>
);

/** The last payments, what could not be booked first. */
function LastPayments() {
  const key = useScreenKey('payments');
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => api.ListPayments({}) });
  if (data.length === 0) return null;
  return (
    <Panel title={t('Payments')}>
      <PaymentList payments={data} named />
    </Panel>
  );
}
