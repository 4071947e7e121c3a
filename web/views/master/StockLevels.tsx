import { useQuery } from '@tanstack/react-query';
import { money, plainNumber } from '../../kit/format.ts';
import { ErrorPanel, figures, Panel, ScrollX, Skeleton, TableHead } from '../../kit/parts.tsx';
import { api } from '../../kit/server/client.ts';
import { useScreenKey, useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';

/** What is in stock of an item at each place, and what orders hold of it. */
export function StockLevels({ item }: { readonly item: string }) {
  const { today } = useSession();
  const levels = useQuery({
    queryKey: useScreenKey('levels', item),
    queryFn: () => api.RunReport({ report: 'stockOnHand', filters: { asOf: today, item } }),
  });
  const standing = useQuery({
    queryKey: useScreenKey('standing', item),
    queryFn: () => api.GetInventoryQtyForTransactions({ item }),
  });
  const error = levels.error ?? standing.error;
  if (error) return <ErrorPanel error={error} />;
  if (!levels.data || !standing.data) return <Skeleton rows={3} />;
  const { onHand, reserved, available } = standing.data;
  return (
    <Panel title={t('Stock levels')}>
      <p className="muted">
        {t('{{onHand}} on hand, {{reserved}} held by orders, {{available}} free', {
          onHand: plainNumber(onHand),
          reserved: plainNumber(reserved),
          available: plainNumber(available),
        })}
      </p>
      {levels.data.rows.length > 0 && (
        <ScrollX label={t('Stock levels')}>
          <table className="plain-table">
            <TableHead columns={[t('Location'), figures(t('Quantity')), figures(t('Value (₹)'))]} />
            <tbody>
              {levels.data.rows.map((row) => (
                <tr key={String(row['locationId'])}>
                  <td>{String(row['location'])}</td>
                  <td className="num">
                    {plainNumber(String(row['quantity']))} {String(row['unit'])}
                  </td>
                  <td className="num">{money(String(row['value']))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}
