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
const storedSecrets = ({ version, clientId, userName, marks }: Stored) => ({
  version,
  values: { clientId, userName },
  marks,
});
type Typed = Readonly<Partial<Record<(typeof fields)[number]['name'], string>>>;

/** What must be there and is not: secrets only the first time, later an empty one keeps what is stored. */
const missing = (values: Typed, kept: boolean) =>
  fields
    .filter(({ name, secret }) => !(secret && kept) && !values[name]?.trim())
    .map(({ name, label }) => ({ field: name, message: t('{{label}} is required', { label: t(label) }) }));

/** Credentials as they are typed over those that are stored, saved and tried out. */
function useCredentials(stored: Stored) {
  const [typed, setTyped] = useState<Typed>({});
  const [lacking, setLacking] = useState<ReturnType<typeof missing>>([]);
  const secrets = useSecrets<Tested>({
    fields: labels,
    secrets: fields.filter(({ secret }) => secret).map(({ name }) => name),
    stored: storedSecrets(stored),
    typed,
    found: lacking,
    read: async () => {
      const all = await api.GetEInvoiceClientCredentails({});
      return storedSecrets(all.find(({ registration }) => registration === stored.registration) ?? stored);
    },
    onDropped: (names) => setTyped(Object.fromEntries(Object.entries(typed).filter(([name]) => !names.includes(name)))),
  });
  const isKept = stored.setAt !== null;
  const values = { clientId: stored.clientId, userName: stored.userName, ...typed };
  const save = () => {
    const problem = missing(values, isKept);
    setLacking(problem);
    if (problem.length > 0) {
      secrets.showProblem();
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
  return {
    ...secrets,
    ...{ isKept, values, save },
    isChanged: Object.keys(typed).length > 0,
    type: (name: keyof Typed, value: string) => {
      secrets.begin();
      setTyped({ ...typed, [name]: value });
    },
    test: () => void secrets.test(() => api.TestEInvoiceCredentials({ registration: stored.registration })),
  };
}
type Writing = ReturnType<typeof useCredentials>;

/** The portal credentials of one registration: secrets can be set and never read. */
export function Credentials({ stored }: { readonly stored: Stored }) {
  const mayWrite = useMayWrite('NIC Configuration');
  const writing = useCredentials(stored);
  const { panel, failed, tested } = writing;
  return (
    <Panel title={`${stored.gstin} · ${stored.legalName}`} actions={<State stored={stored} />}>
      <div className="stack" ref={panel}>
        {!stored.einvoice && <NotSent registration={stored.registration} />}
        {failed != null && <ErrorPanel error={failed} />}
        <Fields writing={writing} mayWrite={mayWrite} />
        <Facts stored={stored} />
        {mayWrite && <Buttons writing={writing} />}
        <div role="status">
          {tested && (
            <p className="note" data-tone={tested.ok ? 'ok' : 'bad'}>
              {tested.message}
            </p>
          )}
        </div>
        {writing.dialog}
      </div>
    </Panel>
  );
}

function State({ stored: { einvoice, setAt } }: { readonly stored: Stored }) {
  if (!einvoice) return <Badge word="Not e-invoicing" tone="neutral" />;
  return setAt === null ? <Badge word="No credentials" tone="warn" /> : <Badge word="Credentials kept" tone="ok" />;
}

function NotSent({ registration }: { readonly registration: string }) {
  const mayOpen = useMayOpen();
  return (
    <p>
      {t('E-invoicing is off for this registration: its documents are not sent.')}{' '}
      {mayOpen('RegistrationCreation') && (
        <ScreenLink screen="RegistrationCreation" query={{ id: registration }}>
          {t('Open the registration')}
        </ScreenLink>
      )}
    </p>
  );
}

function Fields({ writing, mayWrite }: { readonly writing: Writing; readonly mayWrite: boolean }) {
  const { values, isKept, problems, type } = writing;
  return (
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
          required={!(secret && isKept)}
          readOnly={!mayWrite}
          placeholder={secret && isKept ? t('Kept') : undefined}
          help={secret && isKept && mayWrite ? t('Leave empty to keep the stored value') : undefined}
          error={problemAt(problems, name)}
          onChange={(value) => type(name, value)}
        />
      ))}
    </div>
  );
}

function Facts({ stored: { setAt, lastOk, lastError } }: { readonly stored: Stored }) {
  const { format } = useDateFormat();
  return (
    <dl className="facts">
      <Fact label={t('Saved')} value={setAt && showMoment(setAt, format)} none={t('Never')} />
      <Fact label={t('Last signed in')} value={lastOk && showMoment(lastOk, format)} none={t('Never')} />
      {lastError && <Fact label={t('Last error')} value={lastError} none="" />}
    </dl>
  );
}

function Buttons({ writing: { busy, isKept, isChanged, save, test } }: { readonly writing: Writing }) {
  return (
    <div className="side-actions">
      <Button busy={busy === 'save'} disabled={!isChanged || busy === 'test'} onClick={save}>
        {t('Save credentials')}
      </Button>
      <Button busy={busy === 'test'} disabled={!isKept || isChanged || busy === 'save'} onClick={test}>
        {t('Test sign-in')}
      </Button>
      {isKept && isChanged && <span className="muted">{t('Save before testing')}</span>}
    </div>
  );
}

const Fact = ({ label, value, none }: { label: string; value: string | null; none: string }) => (
  <div>
    <dt>{label}</dt>
    <dd className={value ? 'wrap' : 'muted'}>{value ?? none}</dd>
  </div>
);
