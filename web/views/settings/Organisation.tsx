import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Field } from '../../../contract/masters.ts';
import type { lookupCalls } from '../../../contract/session.ts';
import { businesses, businessNames } from '../../../domain/facts/businesses.ts';
import { Button } from '../../kit/Button.tsx';
import { SelectField, TextField } from '../../kit/fields/fields.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { ActionBar, ErrorPanel, Page, PageHead, Panel, Skeleton } from '../../kit/parts.tsx';
import { problemAt } from '../../kit/server/api.ts';
import { api } from '../../kit/server/client.ts';
import { useScreenKey } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { EditLog } from './EditLog.tsx';
import { LogoPanel } from './LogoPanel.tsx';
import { RegistrationsAndPlaces } from './RegistrationsAndPlaces.tsx';
import { useEditing } from './useEditing.tsx';

type Profile = z.output<(typeof lookupCalls)['GetOrgDetails']['details']>;
const fields = {
  name: { label: 'Name', type: 'text', most: 200, required: true },
  businessType: { label: 'Business type', type: 'text', most: 200, required: true },
  pan: { label: 'PAN', type: 'text', most: 10 },
  phone: { label: 'Phone', type: 'text', most: 20 },
  email: { label: 'E-mail', type: 'text', most: 254 },
  website: { label: 'Website', type: 'text', most: 200 },
} as const satisfies Record<string, Field>;
const keys = Object.keys(fields) as (keyof typeof fields)[];

/** The kinds of business that the menu knows, and other words that the profile has had so far. */
const businessChoices = (kept: string) => {
  const known: readonly string[] = businessNames.map((name) => businesses[name].label);
  const labels = kept === '' || known.includes(kept) ? known : [...known, kept];
  return labels.map((label) => ({ value: label, label: t(label) }));
};

/** The profile of the organisation. */
export function Organisation() {
  const key = useScreenKey('organisation');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetOrgDetails({}) });
  if (error)
    return <ErrorPanel error={error} says={t('Check response status is not 200')} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Editing stored={data} />;
}

function Editing({ stored }: { readonly stored: Profile }) {
  const { values, dirty, busy, error, problems, change, keep, dialog } = useEditing({
    stored,
    fields,
    read: () => api.GetOrgDetails({}),
    save: (_, { name, businessType, pan, phone, email, website, version }) =>
      api.SaveOrganisation({ name, businessType, pan, phone, email, website, version }),
    said: t('The profile is saved'),
  });
  useKeys({ 'ctrl+s': () => void keep() });
  return (
    <>
      <Page narrow>
        <PageHead title={t('Organisation profile')} count={stored.code} />
        {error != null && <ErrorPanel error={error} />}
        <Panel>
          <dl className="facts">
            <div>
              <dt>{t('Code')}</dt>
              <dd className="code">{stored.code}</dd>
            </div>
          </dl>
          <div className="fields">
            {keys.map((key) =>
              key === 'businessType' ? (
                <SelectField
                  key={key}
                  label={t(fields[key].label)}
                  name={key}
                  value={values[key]}
                  empty={t('Choose')}
                  required
                  choices={businessChoices(stored.businessType)}
                  error={problemAt(problems, key)}
                  onChange={(value) => change({ [key]: value })}
                />
              ) : (
                <TextField
                  key={key}
                  label={t(fields[key].label)}
                  name={key}
                  value={values[key]}
                  maxLength={fields[key].most}
                  required={'required' in fields[key]}
                  error={problemAt(problems, key)}
                  onChange={(value) => change({ [key]: key === 'pan' ? value.toUpperCase() : value })}
                />
              ),
            )}
          </div>
        </Panel>
        <RegistrationsAndPlaces addresses={stored.addresses} />
        <LogoPanel />
        <EditLog code={stored.code} />
      </Page>
      <ActionBar>
        <Button look="primary" busy={busy} disabled={!dirty} onClick={() => void keep()} title={t('Ctrl S')}>
          {t('Save profile')}
        </Button>
      </ActionBar>
      {dialog}
    </>
  );
}
