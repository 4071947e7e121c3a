import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import type { z } from 'zod';
import { allows } from '../../../contract/levels.ts';
import type { Field } from '../../../contract/masters.ts';
import type { lookupCalls } from '../../../contract/session.ts';
import { type ConfigurationTab, configurationTabs } from '../../../contract/settings.ts';
import { Button } from '../../kit/Button.tsx';
import { Checkbox, SelectField } from '../../kit/fields/fields.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { useAddress, useGo } from '../../kit/navigation.tsx';
import { ActionBar, ErrorPanel, Page, PageHead, Panel, Skeleton, Tabs } from '../../kit/parts.tsx';
import { defaultPreferences, type Preferences } from '../../kit/server/boot.ts';
import { api } from '../../kit/server/client.ts';
import { useMayOpen, useMayWrite, useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { ThemePanel } from '../../shell/ThemePanel.tsx';
import { Approvals } from './Approvals.tsx';
import { Registrations } from './Einvoice.tsx';
import { Filings } from './Filings.tsx';
import { Locks } from './Locks.tsx';
import { PaymentGateway } from './PaymentGateway.tsx';
import { type Switch, switchSections } from './switches.ts';
import { useEditing } from './useEditing.tsx';
import { Withholding } from './Withholding.tsx';

/** Switches as fields, for merging what two people have changed. */
const switched: Readonly<Record<string, Field>> = Object.fromEntries(
  Object.values(switchSections)
    .flat()
    .flatMap(([, switches]) =>
      switches.map(({ key, label, choices }): readonly [string, Field] => [
        key,
        choices ? { label, type: 'choice', choices } : { label, type: 'flag' },
      ]),
    ),
);

const fields = { ...switched, theme: { label: 'Custom theme', type: 'choice' } } as const satisfies Readonly<
  Record<string, Field>
>;

const LocksAndFilings = () => (
  <>
    <Locks />
    <Filings />
    <Approvals />
  </>
);

/** The parts of a tab besides its switches. */
const beside: Readonly<Partial<Record<ConfigurationTab, ComponentType>>> = {
  additional: LocksAndFilings,
  einvoice: Registrations,
  withholding: Withholding,
  payments: PaymentGateway,
};

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
    said: t('The configuration is saved'),
  });
  const mayOpen = useMayOpen();
  const mayWrite = useMayWrite('General Configuration');
  const go = useGo();
  const shown = configurationTabs.filter(
    ({ key, needs }) => (key !== 'einvoice' || mayOpen('NIC Configuration')) && (!needs || stored[needs] === true),
  );
  const mayTheme = allows(useSession().grants['General Configuration'], 'full');
  const asked = useAddress()['tab'];
  const tab = shown.find(({ key }) => key === asked)?.key ?? 'general';
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set([tab]));
  if (!visited.has(tab)) setVisited(new Set([...visited, tab]));
  useKeys({ 'ctrl+s': () => void keep() });
  const one = (row: Switch) => (
    <One
      key={row.key}
      row={row}
      value={values[row.key]}
      why={whyNot(row.key, stored)}
      mayWrite={mayWrite}
      onChange={(value) => change({ [row.key]: value })}
    />
  );
  return (
    <>
      <Page narrow>
        <PageHead title={t('General configuration')} />
        {error != null && <ErrorPanel error={error} />}
        {!mayWrite && <p className="muted">{t('You see how it is set up; changing it needs more on this screen.')}</p>}
        <Tabs
          label={t('Configuration')}
          tabs={shown}
          current={tab}
          onChange={(key) => go('General Configuration', key === 'general' ? {} : { tab: key }, true)}
        >
          {/* all that were looked at stay, so that what is typed in one is there after a look at the others */}
          {shown.map(({ key }) => {
            const Beside = beside[key];
            return (
              <div key={key} className="stack" hidden={tab !== key}>
                {switchSections[key]?.map(([title, switches]) => (
                  <Panel key={title} title={t(title)}>
                    <div className="switches">{switches.map(one)}</div>
                  </Panel>
                ))}
                {key === 'theme' && (
                  <Panel title={t('Custom theme')}>
                    <div className="stack">
                      <p className="muted">
                        {t('The appearance for every user who has not chosen one in the top bar.')}
                        {!mayTheme && ` ${t('Only users with full rights on Configuration can change it.')}`}
                      </p>
                      <ThemePanel
                        value={(values.theme as Preferences | undefined) ?? defaultPreferences}
                        locked={!mayTheme}
                        onSave={(theme) => change({ theme })}
                      />
                    </div>
                  </Panel>
                )}
                {Beside && visited.has(key) && <Beside />}
              </div>
            );
          })}
        </Tabs>
      </Page>
      {mayWrite && (switchSections[tab] || tab === 'theme') && (
        <ActionBar>
          <Button look="primary" busy={busy} disabled={!dirty} onClick={() => void keep()} title={t('Ctrl S')}>
            {t('Save configuration')}
          </Button>
        </ActionBar>
      )}
      {dialog}
    </>
  );
}

/** Why a switch cannot be turned now: it is fixed, or its module is not subscribed to. */
const whyNot = (key: string, { fixed, locked }: Configuration): string | undefined =>
  fixed[key]
    ? `Fixed: ${fixed[key]}.`
    : locked[key]
      ? t('Needs the module {{locked}}, see Subscription.', { locked: locked[key] })
      : undefined;

function One({
  row,
  value,
  why,
  mayWrite,
  onChange,
}: {
  readonly row: Switch;
  readonly value: unknown;
  readonly why: string | undefined;
  readonly mayWrite: boolean;
  onChange(value: unknown): void;
}) {
  const says = t(row.says);
  const help = why ? `${says} ${why}` : says;
  const disabled = !mayWrite || why !== undefined;
  if (!row.choices)
    return (
      <Checkbox label={t(row.label)} checked={value === true} disabled={disabled} help={help} onChange={onChange} />
    );
  return (
    <SelectField
      label={t(row.label)}
      value={String(value ?? '')}
      choices={row.choices.map(([code, label]) => ({ value: code, label: t(label) }))}
      required={row.asks !== undefined}
      title={t(row.asks)}
      disabled={disabled}
      help={help}
      onChange={(code) => onChange(row.number ? Number(code) : code)}
    />
  );
}
