import { useState } from 'react';
import type { z } from 'zod';
import type { einvoiceCalls } from '../../../contract/einvoice.ts';
import { Button } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { TextField } from '../../kit/fields/fields.tsx';
import { showMoment } from '../../kit/format.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Badge, ErrorPanel, Panel } from '../../kit/parts.tsx';
import { problemAt } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useDateFormat, useMayOpen, useMayWrite } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { useSecrets } from './useSecrets.tsx';

type Stored = z.output<(typeof einvoiceCalls)['GetEInvoiceClientCredentails']['details']>[number];
type Tested = z.output<(typeof einvoiceCalls)['TestEInvoiceCredentials']['details']>;

const fields = [
  { name: 'clientId', label: 'Client id', most: 100, secret: false },
  { name: 'clientSecret', label: 'Client secret', most: 200, secret: true },
  { name: 'userName', label: 'User name', most: 100, secret: false },
  { name: 'password', label: 'Password', most: 200, secret: true },
] as const;
const labels = Object.fromEntries(fields.map(({ name, label }) => [name, { label, type: 'text' as const }]));
const told = ({ version, clientId, userName, marks }: Stored) => ({ version, values: { clientId, userName }, marks });
type Typed = Readonly<Partial<Record<(typeof fields)[number]['name'], string>>>;

/** What must be there and is not: secrets only the first time, later an empty one keeps what is stored. */
const missing = (values: Typed, kept: boolean) =>
  fields
    .filter(({ name, secret }) => !(secret && kept) && !values[name]?.trim())
    .map(({ name, label }) => ({ field: name, message: t('{{label}} is required', { label: t(label) }) }));

/** The portal credentials of one registration: secrets can be set and never read. */
export function Credentials({ stored }: { readonly stored: Stored }) {
  const mayOpen = useMayOpen();
  const { format } = useDateFormat();
  const mayWrite = useMayWrite('NIC Configuration');
  const [typed, setTyped] = useState<Typed>({});
  const [lacking, setLacking] = useState<ReturnType<typeof missing>>([]);
  const { panel, failed, problems, tested, busy, dialog, showProblem, begin, ...secrets } = useSecrets<Tested>({
    fields: labels,
    secrets: fields.filter(({ secret }) => secret).map(({ name }) => name),
    told: told(stored),
    typed,
    found: lacking,
    read: async () => {
      const all = await api.GetEInvoiceClientCredentails({});
      return told(all.find(({ registration }) => registration === stored.registration) ?? stored);
    },
    onDropped: (names) => setTyped(Object.fromEntries(Object.entries(typed).filter(([name]) => !names.includes(name)))),
  });
  const kept = stored.setAt !== null;
  const dirty = Object.keys(typed).length > 0;
  const values = { clientId: stored.clientId, userName: stored.userName, ...typed };
  const type = (name: keyof Typed, value: string) => {
    begin();
    setTyped({ ...typed, [name]: value });
  };
  const save = () => {
    const problem = missing(values, kept);
    setLacking(problem);
    if (problem.length > 0) {
      showProblem();
      return;
    }
    void secrets.save(async (version) => {
      await api.AddUpdateEInvoiceCredentials({
        registration: stored.registration,
        clientId: values.clientId,
        userName: values.userName,
        ...(values.clientSecret && { clientSecret: values.clientSecret }),
        ...(values.password && { password: values.password }),
        ...(version !== undefined && { version }),
      });
      toast(t('The credentials of {{gstin}} are saved', { gstin: stored.gstin }));
      setTyped({});
    });
  };
  const test = () => void secrets.test(() => api.TestEInvoiceCredentials({ registration: stored.registration }));
  return (
    <Panel
      title={`${stored.gstin} · ${stored.legalName}`}
      actions={
        !stored.einvoice ? (
          <Badge word="Not e-invoicing" tone="neutral" />
        ) : kept ? (
          <Badge word="Credentials kept" tone="ok" />
        ) : (
          <Badge word="No credentials" tone="warn" />
        )
      }
    >
      <div className="stack" ref={panel}>
        {!stored.einvoice && (
          <p>
            {t('E-invoicing is off for this registration: nothing of it is sent.')}{' '}
            {mayOpen('RegistrationCreation') && (
              <ScreenLink screen="RegistrationCreation" query={{ id: stored.registration }}>
                {t('Open the registration')}
              </ScreenLink>
            )}
          </p>
        )}
        {failed != null && <ErrorPanel error={failed} />}
        <div className="fields">
          {fields.map(({ name, label, most, secret }) => (
            <TextField
              key={name}
              label={t(label)}
              name={name}
              type={secret ? 'password' : 'text'}
              value={values[name] ?? ''}
              maxLength={most}
              autoComplete={secret ? 'new-password' : 'off'}
              required={!(secret && kept)}
              readOnly={!mayWrite}
              placeholder={secret && kept ? t('Kept') : undefined}
              help={secret && kept && mayWrite ? t('Leave empty to keep what is stored') : undefined}
              error={problemAt(problems, name)}
              onChange={(value) => type(name, value)}
            />
          ))}
        </div>
        <dl className="facts">
          <Fact label={t('Saved')} value={stored.setAt && showMoment(stored.setAt, format)} none={t('Never')} />
          <Fact
            label={t('Last signed in')}
            value={stored.lastOk && showMoment(stored.lastOk, format)}
            none={t('Never')}
          />
          {stored.lastError && <Fact label={t('Last error')} value={stored.lastError} none="" />}
        </dl>
        {mayWrite && (
          <div className="side-actions">
            <Button busy={busy === 'save'} disabled={!dirty || busy === 'test'} onClick={save}>
              {t('Save credentials')}
            </Button>
            <Button busy={busy === 'test'} disabled={!kept || dirty || busy === 'save'} onClick={test}>
              {t('Test sign-in')}
            </Button>
            {kept && dirty && <span className="muted">{t('Save before testing')}</span>}
          </div>
        )}
        <div role="status">
          {tested && (
            <p className="note" data-tone={tested.ok ? 'ok' : 'bad'}>
              {tested.message}
            </p>
          )}
        </div>
        {dialog}
      </div>
    </Panel>
  );
}

const Fact = ({ label, value, none }: { label: string; value: string | null; none: string }) => (
  <div>
    <dt>{label}</dt>
    <dd className={value ? 'wrap' : 'muted'}>{value ?? none}</dd>
  </div>
);
