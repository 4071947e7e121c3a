import { useQuery } from '@tanstack/react-query';
import { api } from '../../kit/client.ts';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Empty, ErrorPanel, Page, PageHead, Skeleton } from '../../kit/parts.tsx';
import { useMayOpen, useScreenKey } from '../../kit/session.ts';
import { Credentials } from './Credentials.tsx';

/** The portal credentials of every registration with a GSTIN, as a screen of its own. */
export function Einvoice() {
  return (
    <Page narrow>
      <PageHead title="E-invoice credentials" />
      <Registrations />
    </Page>
  );
}

/** The same as a tab of the configuration. */
export function Registrations() {
  const mayOpen = useMayOpen();
  const key = useScreenKey('credentials');
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.GetEInvoiceClientCredentails({}) });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  if (data.length === 0)
    return (
      <Empty
        sentence="No registration with a GSTIN yet"
        action={mayOpen('Registration') && <ScreenLink screen="Registration">Open registrations</ScreenLink>}
      />
    );
  return data.map((stored) => <Credentials key={stored.registration} stored={stored} />);
}
