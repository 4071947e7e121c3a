import { useQuery } from '@tanstack/react-query';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { rupees } from '../kit/format.ts';
import { ScreenLink, useAddress } from '../kit/navigation.tsx';
import { Empty, ErrorPanel, Page, PageHead, Panel, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { usePlaces } from '../views/places.ts';
import { WayPanel } from './WayPanel.tsx';
import '../views/views.css';

/** The e-way bill of one document, on a screen of its own: `?id=` names the document. */
export function WayBill() {
  const { id } = useAddress();
  const mayOpen = useMayOpen();
  if (id === undefined)
    return (
      <Page narrow>
        <PageHead title={t('E-way bill')} />
        <Empty
          sentence={t('Choose a document: its e-way bill is made there')}
          action={mayOpen('E-Way Bill') && <ScreenLink screen="E-Way Bill">{t('Open e-way bills')}</ScreenLink>}
        />
      </Page>
    );
  return <Found id={id} />;
}

function Found({ id }: { readonly id: string }) {
  const key = useScreenKey('document', id);
  const places = usePlaces();
  const { show } = useDateFormat();
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.GetTransactionDetailForInvoice({ TransactionId: id }),
  });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const view = places(data.kind, 'documentView');
  return (
    <Page narrow>
      <PageHead title={t('E-way bill of {{number}}', { number: data.number })} />
      <div className="stack">
        <Panel title={t('Part A: the document')}>
          <dl className="facts facts-narrow">
            <div>
              <dt>{t(kindLabel(data.kind))}</dt>
              <dd className="code">
                {view ? (
                  <ScreenLink screen={view.screen} query={{ ...view.query, id }}>
                    {data.number}
                  </ScreenLink>
                ) : (
                  data.number
                )}
              </dd>
            </div>
            <div>
              <dt>{t('Date')}</dt>
              <dd>{show(data.date)}</dd>
            </div>
            <div>
              <dt>{t('From')}</dt>
              <dd>
                {data.location.name} {data.registration.gstin}
              </dd>
            </div>
            <div>
              <dt>{t('To')}</dt>
              <dd>
                {data.party?.name} {data.party?.gstin}
              </dd>
            </div>
            <div>
              <dt>{t('Total')}</dt>
              <dd>{rupees(data.priced?.total)}</dd>
            </div>
          </dl>
        </Panel>
        <WayPanel id={id} number={data.number} kind={data.kind} />
      </div>
    </Page>
  );
}
