import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { Field } from '../../../contract/masters.ts';
import type { lookupCalls } from '../../../contract/session.ts';
import { Button } from '../../kit/Button.tsx';
import { defaultPreferences, type Preferences } from '../../kit/boot.ts';
import { api } from '../../kit/client.ts';
import { Checkbox, SelectField } from '../../kit/fields.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { useAddress } from '../../kit/navigation.tsx';
import { ActionBar, ErrorPanel, Page, PageHead, Panel, Skeleton, Tabs } from '../../kit/parts.tsx';
import { useMayOpen, useScreenKey, useSession } from '../../kit/session.ts';
import { ThemePanel } from '../../shell/ThemePanel.tsx';
import { Registrations } from './Einvoice.tsx';
import { Filings } from './Filings.tsx';
import { Locks } from './Locks.tsx';
import { PaymentGateway } from './PaymentGateway.tsx';
import { barcodeSwitches, type Switch, switchSections } from './switches.ts';
import { useEditing } from './useEditing.tsx';

const tabs = [
  { key: 'general', label: 'General' },
  { key: 'barcode', label: 'Barcode' },
  { key: 'einvoice', label: 'E-Invoice (IRN Credentials)' },
  { key: 'payments', label: 'Payment Gateway' },
  { key: 'theme', label: 'Custom Theme' },
] as const;

/** Switches as fields, for merging what two people have changed. */
const switched: Readonly<Record<string, Field>> = Object.fromEntries(
  [...switchSections, ['Barcode', barcodeSwitches] as const].flatMap(([, switches]) =>
    switches.map(({ key, label, choices }): readonly [string, Field] => [
      key,
      choices ? { label, type: 'choice', choices } : { label, type: 'flag' },
    ]),
  ),
);

const fields = { ...switched, theme: { label: 'Custom theme', type: 'choice' } } as const satisfies Readonly<
  Record<string, Field>
>;

type Configuration = z.input<(typeof lookupCalls)['GetGeneralConfigDetails']['details']>;

/** The general configuration: each switch says what it changes; what is fixed says why. */
export function General() {
  const key = useScreenKey('configuration');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetGeneralConfigDetails({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Editing stored={data} />;
}

function Editing({ stored }: { readonly stored: Configuration }) {
  const { values, dirty, busy, error, change, keep, dialog } = useEditing({
    stored,
    fields,
    read: () => api.GetGeneralConfigDetails({}),
    save: (changed, { version }) => api.SaveGeneralConfigDetails({ version, values: { ...changed } }),
    said: 'The configuration is saved',
  });
  const mayOpen = useMayOpen();
  const barcodes = stored.enableBarCode === true;
  const shown = tabs.filter(
    ({ key }) => (key !== 'einvoice' || mayOpen('NIC Configuration')) && (key !== 'barcode' || barcodes),
  );
  const mayTheme = useSession().grants['General Configuration'] === 5003;
  const asked = useAddress()['tab'];
  const [tab, setTab] = useState<string>(shown.some(({ key }) => key === asked) && asked ? asked : 'general');
  useKeys({ 'ctrl+s': () => void keep() });
  const one = (row: Switch) => (
    <One
      key={row.key}
      row={row}
      value={values[row.key]}
      fixed={stored.fixed[row.key]}
      onChange={(value) => change({ [row.key]: value })}
    />
  );
  return (
    <>
      <Page narrow>
        <PageHead title="General configuration" />
        {error != null && <ErrorPanel error={error} />}
        <Tabs label="Configuration" tabs={shown} current={tab} onChange={setTab}>
          {/* both stay, so that what is typed in one is there after a look at the other */}
          <div className="stack" hidden={tab !== 'general'}>
            {switchSections.map(([title, switches]) => (
              <Panel key={title} title={title}>
                <div className="switches">{switches.map(one)}</div>
              </Panel>
            ))}
            <Locks />
            <Filings />
          </div>
          {barcodes && (
            <div className="stack" hidden={tab !== 'barcode'}>
              <Panel title="Barcodes and labels">
                <div className="switches">{barcodeSwitches.map(one)}</div>
              </Panel>
            </div>
          )}
          <div className="stack" hidden={tab !== 'theme'}>
            <Panel title="Custom theme">
              <div className="stack">
                <p className="muted">
                  How it looks for everybody who has not chosen for himself in the top bar.
                  {!mayTheme && ' Only who may do everything under Configuration changes it.'}
                </p>
                <ThemePanel
                  value={(values.theme as Preferences | undefined) ?? defaultPreferences}
                  locked={!mayTheme}
                  onSave={(theme) => change({ theme })}
                />
              </div>
            </Panel>
          </div>
          <div className="stack" hidden={tab !== 'payments'}>
            <PaymentGateway />
          </div>
          {shown.some(({ key }) => key === 'einvoice') && (
            <div className="stack" hidden={tab !== 'einvoice'}>
              <Registrations />
            </div>
          )}
        </Tabs>
      </Page>
      {(tab === 'general' || tab === 'barcode' || tab === 'theme') && (
        <ActionBar>
          <Button look="primary" busy={busy} disabled={!dirty} onClick={() => void keep()} title="Ctrl S">
            Save configuration
          </Button>
        </ActionBar>
      )}
      {dialog}
    </>
  );
}

function One({
  row,
  value,
  fixed,
  onChange,
}: {
  readonly row: Switch;
  readonly value: unknown;
  readonly fixed: string | undefined;
  onChange(value: unknown): void;
}) {
  const help = fixed ? `${row.says} Fixed: ${fixed}` : row.says;
  if (!row.choices)
    return (
      <Checkbox
        label={row.label}
        checked={value === true}
        disabled={fixed !== undefined}
        help={help}
        onChange={onChange}
      />
    );
  return (
    <SelectField
      label={row.label}
      value={String(value ?? '')}
      choices={row.choices.map(([code, label]) => ({ value: code, label }))}
      disabled={fixed !== undefined}
      help={help}
      onChange={(code) => onChange(row.number ? Number(code) : code)}
    />
  );
}
