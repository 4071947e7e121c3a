import { useQuery } from '@tanstack/react-query';
import { ScreenLink } from '../kit/navigation.tsx';
import { Panel } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useMayOpen, useScreenKey, useSession, usesGst } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';

const has = async (master: string): Promise<boolean> => (await api.ListMasters({ master, limit: 1 })).rows.length > 0;

/** Where no registration is under e-invoicing there are no credentials to enter. */
const hasCredentials = async (): Promise<boolean> =>
  (await api.GetEInvoiceClientCredentails({})).every(({ einvoice, setAt }) => !einvoice || setAt !== null);

const begin = [
  { label: 'Create parties', screen: 'Create Party', done: () => has('customer') },
  { label: 'Save items', screen: 'SupplyMasters', done: () => has('item') },
] as const;
const recorded = {
  screen: 'Create Invoice',
  done: async () => (await api.GetTransactionExist({})).exists,
} as const;
const withGst = [
  ...begin,
  { ...recorded, label: 'Record invoices, with their IRN where e-invoicing applies' },
  { label: 'Enter the IRN credentials', screen: 'NIC Configuration', done: hasCredentials },
] as const;
/** Without GST there is no IRN. */
const withoutGst = [...begin, { ...recorded, label: 'Record invoices' }] as const;

/** The steps to the first invoice; gone when all are done. Shown to those who may take them. */
export function SetUp() {
  const steps = usesGst(useSession()) ? withGst : withoutGst;
  const mayOpen = useMayOpen();
  const allowed = steps.every((step) => mayOpen(step.screen));
  const key = useScreenKey('setUp');
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => Promise.all(steps.map((step) => step.done())),
    enabled: allowed,
    retry: false,
  });
  if (!data || data.every(Boolean)) return null;
  return (
    <Panel title={t('Set up your books')}>
      <ol className="set-up">
        {steps.map((step, at) => (
          <li key={step.label} data-done={data[at] || undefined}>
            {data[at] ? (
              <span>{t('{{label}} (done)', { label: t(step.label) })}</span>
            ) : (
              <ScreenLink screen={step.screen}>{t(step.label)}</ScreenLink>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
