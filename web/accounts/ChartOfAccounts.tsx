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

const columns: readonly Column<Node>[] = [
  { key: 'name', label: 'Name', width: 320, cell: (node) => node.name },
  { key: 'code', label: 'Code', width: 90, code: true, cell: (node) => node.code },
  { key: 'nature', label: 'Nature', width: 100, cell: (node) => natures[node.nature] ?? node.nature },
  {
    key: 'balance',
    label: 'Balance (₹)',
    width: 160,
    numeric: true,
    strong: true,
    cell: (node) => sided(node.balance),
  },
  {
    key: 'active',
    label: 'State',
    width: 100,
    cell: (node) => <Badge word={node.active ? 'Active' : 'Inactive'} />,
  },
];

/** Which accounts the address asks for, and as of which day. */
function useChartFilter() {
  const { today } = useSession();
  const address = useAddress();
  const go = useGo();
  return {
    asOf: address['asOf'] ?? today,
    search: address['search'] ?? '',
    moved: address['moved'] === 'true',
    retired: address['retired'] === 'true',
    filter: (patch: Readonly<Record<string, string>>) =>
      go(
        'ChartOfAccounts',
        Object.fromEntries(Object.entries({ ...address, ...patch }).filter(([, text]) => text)),
        true,
      ),
  };
}
type Filter = ReturnType<typeof useChartFilter>;

function useAccounts({ asOf, search, moved, retired }: Filter) {
  const words = search.trim().toLowerCase();
  const query = useQuery({
    queryKey: useScreenKey('chart', asOf),
    queryFn: () => api.GetChartOfAccounts({ asOf }),
    placeholderData: (before) => before,
  });
  const { data } = query;
  const found = useMemo(
    () =>
      (data ?? [])
        .filter((node) => retired || node.active)
        .filter((node) => !moved || (node.balance !== null && node.balance !== '0.00'))
        .filter((node) => `${node.code} ${node.name}`.toLowerCase().includes(words))
        .map((node) => ({ ...node, values: { parent: node.parent ?? '' } })),
    [data, retired, moved, words],
  );
  const hasBalances = data?.some(({ balance }) => balance !== null) ?? false;
  // what is searched for is found wherever it stands
  return { ...query, found, hasBalances, ...useTree(words ? undefined : 'parent', found) };
}

/** What an account opens: a group its form, a ledger its entries of the year, or its form for who may not see them. */
function useOpen(asOf: string) {
  const go = useGo();
  const mayOpen = useMayOpen();
  return ({ id, isGroup }: Node): void => {
    if (isGroup) {
      if (mayOpen('ChartOfAccountsNewEdit')) go('ChartOfAccountsNewEdit', { id });
    } else if (mayOpen('AccountTransactions'))
      go('AccountTransactions', { ledger: id, from: financialYearOf(asOf).start, to: asOf });
    else if (mayOpen('LedgerCreation')) go('LedgerCreation', { id });
  };
}

/** Groups with their subgroups, down to the ledgers, each with its balance on a day; a ledger opens its entries. */
export function ChartOfAccounts() {
  const filter = useChartFilter();
  const accounts = useAccounts(filter);
  const { data, found, rows, tree, hasBalances } = accounts;
  const open = useOpen(filter.asOf);
  const [hidden, setHidden] = useHiddenColumns('master.accountGroup');
  return (
    <Page fit>
      <PageHead title={t('Chart of accounts')} count={data && String(found.length)} actions={<Creating />} />
      <div className="filter-bar">
        <Filters {...filter} hasBalances={hasBalances} />
        <span className="end">
          {accounts.folds && <Button onClick={accounts.folds.run}>{t(accounts.folds.label)}</Button>}
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
        loading={accounts.isPending}
        error={accounts.error}
        onRetry={() => void accounts.refetch()}
        onOpen={open}
        empty={
          <Empty
            sentence={t('Nothing matches')}
            action={<Button onClick={() => filter.filter({ search: '', moved: '' })}>{t('Clear filters')}</Button>}
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

/** The buttons for new accounts; Alt N makes a ledger. */
function Creating() {
  const go = useGo();
  const mayOpen = useMayOpen();
  const mayGroup = useMayWrite('ChartOfAccountsNewEdit') && mayOpen('ChartOfAccountsNewEdit');
  const mayLedger = useMayWrite('LedgerCreation') && mayOpen('LedgerCreation');
  const create = () => go('LedgerCreation', { id: 'new' });
  useKeys(mayLedger ? { 'alt+n': create } : {});
  return (
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
  );
}

function Filters({ asOf, search, moved, retired, filter, hasBalances }: Filter & { readonly hasBalances: boolean }) {
  const { format } = useDateFormat();
  return (
    <>
      <SearchBox label={t('Search accounts')} value={search} onChange={(text) => filter({ search: text })} />
      {hasBalances && (
        <>
          <DateField label={t('Balances on')} value={asOf} format={format} onChange={(day) => filter({ asOf: day })} />
          <Checkbox
            label={t('Only with a balance')}
            checked={moved}
            onChange={(on) => filter({ moved: on ? 'true' : '' })}
          />
        </>
      )}
      <Checkbox label={t('Inactive too')} checked={retired} onChange={(on) => filter({ retired: on ? 'true' : '' })} />
    </>
  );
}
