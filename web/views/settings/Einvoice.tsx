import { useQuery } from '@tanstack/react-query';
import { ScreenLink } from '../../kit/navigation.tsx';
import { Empty, ErrorPanel, Page, PageHead, Skeleton } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useMayOpen, useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { Credentials } from './Credentials.tsx';

/** The portal credentials of every registration with a GSTIN, as a screen of its own. */
export function Einvoice() {
  return (
    <Page narrow>
      <PageHead title={t('E-invoice credentials')} />
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
        sentence={t('No registration with a GSTIN yet')}
        action={mayOpen('Registration') && <ScreenLink screen="Registration">{t('Open registrations')}</ScreenLink>}
      />
    );
  return (
    <>
      <PortalNote />
      {data.map((stored) => (
        <Credentials key={stored.registration} stored={stored} />
      ))}
    </>
  );
}

/** What credentials are good for here, where there is no real portal. */
function PortalNote() {
  const { portal } = useSession().installation;
  if (portal === 'real') return null;
  return (
    <div className="note" data-tone="info">
      <p>
        {portal === 'none'
          ? t(
              'This installation has no connection to the invoice and e-way bill portals: no invoice gets an IRN. Its operator sets ' +
                'IRP_URL, IRP_LOGIN_KEY and IRP_SIGNING_KEYS.',
            )
          : t('This installation uses stand-ins of the portals: an IRN or e-way bill made here is not valid.')}
      </p>
    </div>
  );
}
