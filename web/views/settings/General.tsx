import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { lookupCalls } from '../../../contract/session.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { Checkbox, SelectField } from '../../kit/fields.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { useAddress } from '../../kit/navigation.tsx';
import { ActionBar, ErrorPanel, Page, PageHead, Panel, Skeleton, Tabs } from '../../kit/parts.tsx';
import { useMayOpen, useScreenKey } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { Registrations } from './Einvoice.tsx';
import { Locks } from './Locks.tsx';
import { type Switch, switchSections } from './switches.ts';

const tabs = [
  { key: 'general', label: 'General' },
  { key: 'einvoice', label: 'E-Invoice (IRN Credentials)' },
] as const;

type Configuration = z.input<(typeof lookupCalls)['GetGeneralConfigDetails']['details']>;

/** The general configuration: each switch says what it changes; what is fixed says why. */
export function General() {
  const key = useScreenKey('configuration');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetGeneralConfigDetails({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Editing key={data.version} stored={data} />;
}

function Editing({ stored }: { readonly stored: Configuration }) {
  const cache = useQueryClient();
  const [changed, setChanged] = useState<Readonly<Record<string, unknown>>>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const mayOpen = useMayOpen();
  const shown = tabs.filter(({ key }) => key === 'general' || mayOpen('NIC Configuration'));
  const asked = useAddress()['tab'];
  const [tab, setTab] = useState<string>(shown.some(({ key }) => key === asked) && asked ? asked : 'general');
  const dirty = Object.keys(changed).length > 0;
  const save = async () => {
    if (!dirty || busy) return;
    setBusy(true);
    setError(null);
    try {
      await api.SaveGeneralConfigDetails({ version: stored.version, values: { ...changed } });
      toast('The configuration is saved');
      await cache.invalidateQueries();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  useKeys({ 'ctrl+s': () => void save() });
  const values = { ...stored, ...changed };
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
                <div className="switches">
                  {switches.map((row) => (
                    <One
                      key={row.key}
                      row={row}
                      value={values[row.key]}
                      fixed={stored.fixed[row.key]}
                      onChange={(value) => setChanged({ ...changed, [row.key]: value })}
                    />
                  ))}
                </div>
              </Panel>
            ))}
            <Locks />
          </div>
          {shown.length > 1 && (
            <div className="stack" hidden={tab !== 'einvoice'}>
              <Registrations />
            </div>
          )}
        </Tabs>
      </Page>
      {tab === 'general' && (
        <ActionBar>
          <Button look="primary" busy={busy} disabled={!dirty} onClick={() => void save()} title="Ctrl S">
            Save configuration
          </Button>
        </ActionBar>
      )}
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
