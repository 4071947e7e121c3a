import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { masters } from '../../contract/masters.ts';
import { financialYearOf } from '../../domain/base/dates.ts';
import { Button } from '../kit/Button.tsx';
import { Checkbox, DateField, SearchBox } from '../kit/fields/fields.tsx';
import { money } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Badge, Empty, Page, PageHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useMayWrite, useScreenKey, useSession } from '../kit/server/session.ts';
import { ColumnChooser, useHiddenColumns } from '../kit/table/ColumnChooser.tsx';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { useTree } from '../views/master/useTree.ts';

type Node = Awaited<ReturnType<typeof api.GetChartOfAccounts>>[number];
const natures: Readonly<Record<string, string>> = Object.fromEntries(masters.accountGroup.fields.nature.choices);

/** An account's side of the books: "1,200.00 Dr". */
const sided = (balance: string | null): string =>
  balance === null
    ? '–'
    : `${money(balance.replace('-', ''))}${balance === '0.00' ? '' : balance.startsWith('-') ? ' Cr' : ' Dr'}`;

/** Groups with their subgroups, down to the ledgers, each with its balance on a day; a ledger opens its entries. */
export function ChartOfAccounts() {
  const { today } = useSession();
  const { format } = useDateFormat();
  const address = useAddress();
  const go = useGo();
  const mayOpen = useMayOpen();
  const asOf = address['asOf'] ?? today;
  const search = address['search'] ?? '';
  const words = search.trim().toLowerCase();
  const [moved, retired] = [address['moved'] === 'true', address['retired'] === 'true'];
  const { data, isPending, error, refetch } = useQuery({
    queryKey: useScreenKey('chart', asOf),
    queryFn: () => api.GetChartOfAccounts({ asOf }),
    placeholderData: (before) => before,
  });
  const hasBalances = data?.some(({ balance }) => balance !== null) ?? false;
  const found = useMemo(
    () =>
      (data ?? [])
        .filter((node) => retired || node.active)
        .filter((node) => !moved || (node.balance !== null && node.balance !== '0.00'))
        .filter((node) => `${node.code} ${node.name}`.toLowerCase().includes(words))
        .map((node) => ({ ...node, values: { parent: node.parent ?? '' } })),
    [data, retired, moved, words],
  );
  // what is searched for is found wherever it stands
  const { rows, tree, folds } = useTree(words ? undefined : 'parent', found);
  const columns = useMemo(
    (): readonly Column<Node>[] => [
      { key: 'name', label: t('Name'), width: 320, cell: (node) => node.name },
      { key: 'code', label: t('Code'), width: 90, code: true, cell: (node) => node.code },
      { key: 'nature', label: t('Nature'), width: 100, cell: (node) => natures[node.nature] ?? node.nature },
      {
        key: 'balance',
        label: t('Balance (₹)'),
        width: 160,
        numeric: true,
        strong: true,
        cell: (node) => sided(node.balance),
      },
      {
        key: 'active',
        label: t('State'),
        width: 100,
        cell: (node) => <Badge word={node.active ? 'Active' : 'Inactive'} />,
      },
    ],
    [],
  );
  const [hidden, setHidden] = useHiddenColumns('master.accountGroup');
  const mayGroup = useMayWrite('ChartOfAccountsNewEdit') && mayOpen('ChartOfAccountsNewEdit');
  const mayLedger = useMayWrite('LedgerCreation') && mayOpen('LedgerCreation');
  const create = () => go('LedgerCreation', { id: 'new' });
  useKeys(mayLedger ? { 'alt+n': create } : {});
  const filter = (patch: Readonly<Record<string, string>>) =>
    go(
      'ChartOfAccounts',
      Object.fromEntries(Object.entries({ ...address, ...patch }).filter(([, text]) => text)),
      true,
    );
  const place = ({ id, isGroup }: Node) => {
    if (isGroup) return mayOpen('ChartOfAccountsNewEdit') ? () => go('ChartOfAccountsNewEdit', { id }) : undefined;
    if (mayOpen('AccountTransactions'))
      return () => go('AccountTransactions', { ledger: id, from: financialYearOf(asOf).start, to: asOf });
    return mayOpen('LedgerCreation') ? () => go('LedgerCreation', { id }) : undefined;
  };
  return (
    <Page fit>
      <PageHead
        title={t('Chart of accounts')}
        count={data && String(found.length)}
        actions={
          <>
            {mayGroup && (
              <Button onClick={() => go('ChartOfAccountsNewEdit', { id: 'new' })}>{t('New account group')}</Button>
            )}
            {mayLedger && (
              <Button look="primary" icon={<IconPlus size={16} aria-hidden />} onClick={create} title={t('Alt N')}>
                {t('New ledger')}
              </Button>
            )}
          </>
        }
      />
      <div className="filter-bar">
        <SearchBox label={t('Search accounts')} value={search} onChange={(text) => filter({ search: text })} />
        {hasBalances && (
          <>
            <DateField
              label={t('Balances on')}
              value={asOf}
              format={format}
              onChange={(day) => filter({ asOf: day })}
            />
            <Checkbox
              label={t('Only with a balance')}
              checked={moved}
              onChange={(on) => filter({ moved: on ? 'true' : '' })}
            />
          </>
        )}
        <Checkbox
          label={t('Inactive too')}
          checked={retired}
          onChange={(on) => filter({ retired: on ? 'true' : '' })}
        />
        <span className="end">
          {folds && <Button onClick={folds.run}>{t(folds.label)}</Button>}
          <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
        </span>
      </div>
      <DataTable
        label={t('Chart of accounts')}
        columns={columns}
        hidden={hidden}
        rows={rows}
        rowKey={(node) => node.id}
        tree={tree}
        loading={isPending}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(node) => place(node)?.()}
        empty={
          <Empty
            sentence={t('Nothing matches')}
            action={<Button onClick={() => filter({ search: '', moved: '' })}>{t('Clear filters')}</Button>}
          />
        }
        card={(node) => ({
          title: node.name,
          meta: `${node.code} · ${natures[node.nature] ?? node.nature}`,
          amount: hasBalances ? sided(node.balance) : undefined,
          badge: node.active ? undefined : <Badge word="Inactive" />,
        })}
      />
    </Page>
  );
}
