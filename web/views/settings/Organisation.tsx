import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { lookupCalls } from '../../../contract/session.ts';
import { problemAt, Refused } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { api } from '../../kit/client.ts';
import { TextField } from '../../kit/fields.tsx';
import { useKeys } from '../../kit/hotkeys.ts';
import { ActionBar, ErrorPanel, Page, PageHead, Panel, Skeleton } from '../../kit/parts.tsx';
import { useScreenKey } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { EditLog } from './EditLog.tsx';
import { LogoPanel } from './LogoPanel.tsx';

type Profile = z.output<(typeof lookupCalls)['GetOrgDetails']['details']>;
const fields = [
  ['name', 'Name', 200],
  ['businessType', 'Business type', 200],
  ['pan', 'PAN', 10],
  ['phone', 'Phone', 20],
  ['email', 'E-mail', 254],
  ['website', 'Website', 200],
] as const;

/** The profile of the organisation. */
export function Organisation() {
  const key = useScreenKey('organisation');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetOrgDetails({}) });
  if (error) return <ErrorPanel error={error} says="Check response status is not 200" onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Editing key={data.version} stored={data} />;
}

function Editing({ stored }: { readonly stored: Profile }) {
  const cache = useQueryClient();
  const { name, businessType, pan, phone, email, website, version } = stored;
  const [values, setValues] = useState({ name, businessType, pan, phone, email, website });
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problems = error instanceof Refused ? error.problems : [];
  const save = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await api.SaveOrganisation({ ...values, version });
      toast('The profile is saved');
      await cache.invalidateQueries();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  useKeys({ 'ctrl+s': () => void save() });
  return (
    <>
      <Page narrow>
        <PageHead title="Organisation profile" count={stored.code} />
        {error != null && <ErrorPanel error={error} />}
        <Panel>
          <div className="fields">
            {fields.map(([key, label, most]) => (
              <TextField
                key={key}
                label={label}
                name={key}
                value={values[key]}
                maxLength={most}
                required={key === 'name' || key === 'businessType'}
                error={problemAt(problems, key)}
                onChange={(value) => setValues({ ...values, [key]: key === 'pan' ? value.toUpperCase() : value })}
              />
            ))}
          </div>
        </Panel>
        <LogoPanel />
        <EditLog code={stored.code} />
      </Page>
      <ActionBar>
        <Button look="primary" busy={busy} onClick={() => void save()} title="Ctrl S">
          Save profile
        </Button>
      </ActionBar>
    </>
  );
}
