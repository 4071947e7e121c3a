import { useQuery } from '@tanstack/react-query';
import { allows } from '../../contract/levels.ts';
import { isKind, kindLabel, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { paperSizes } from '../../domain/paper/paper-template.ts';
import { Button } from '../kit/Button.tsx';
import { ScreenLink, useGo } from '../kit/navigation.tsx';
import { Badge, ErrorPanel, Skeleton } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useScreenKey, useSession } from '../kit/server/session.ts';
import { TablePage } from '../kit/table/TablePage.tsx';
import { t } from '../kit/text.ts';

/** Papers of ours for what we buy: orders, bills as we booked them, returns and notes. */
const bought = kindNames.filter((name) => {
  const kind: Kind = kindOf(name);
  return (
    kind.gst.tax === 'input' &&
    kind.lines.of === 'items' &&
    kind.paper.form !== 'none' &&
    kind.paper.form !== 'taxInvoice' &&
    kind.party.side === 'supplier'
  );
});

const kindsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const sizeOf = (value: unknown): string => paperSizes.find(([size]) => size === value)?.[1] ?? 'A4';

/** The templates that papers of purchases are printed by. They are made in the invoice builder, like those of sales. */
export function PurchaseTemplates() {
  const go = useGo();
  const { grants } = useSession();
  const key = useScreenKey('purchase templates');
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.ListMasters({ master: 'paperTemplate', limit: 200 }),
  });
  const level = grants['invoicebuilder'];
  const mayWrite = allows(level, 'write');
  const templates = (data?.rows ?? []).filter(({ values }) =>
    kindsOf(values['kinds']).some((kind) => (bought as readonly string[]).includes(kind)),
  );
  const taken = new Set(
    templates.flatMap(({ values }) => (String(values['isDefault']) === 'true' ? kindsOf(values['kinds']) : [])),
  );
  const free = bought.filter((kind) => !taken.has(kind));
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const button = mayWrite && free.length > 0 && (
    <Button look="primary" onClick={() => go('invoicebuilder', { id: 'new', kinds: free.join(',') })}>
      {t('New purchase template')}
    </Button>
  );
  return (
    <TablePage
      title={t('Print templates of purchases')}
      count={templates.length}
      create={button}
      empty={t(
        'Purchase orders, bills and returns are printed as usual. A template says which columns they have, under which words, in ' +
          'which colour and with which terms.',
      )}
      columns={[t('Template'), t('Used for'), t('Paper'), t('State')]}
    >
      {templates.map(({ id, values }) => (
        <tr key={id}>
          <td>
            <ScreenLink screen="invoicebuilder" query={{ id }}>
              {String(values['name'] ?? '')}
            </ScreenLink>
          </td>
          <td>
            {kindsOf(values['kinds'])
              .map((kind) => (isKind(kind) ? t(kindLabel(kind)) : kind))
              .join(', ')}
          </td>
          <td className="one-line">{sizeOf(values['size'])}</td>
          <td>
            {String(values['isDefault']) === 'true' ? (
              <Badge word="Default" tone="ok" />
            ) : (
              <Badge word="To choose" tone="neutral" />
            )}
          </td>
        </tr>
      ))}
    </TablePage>
  );
}
