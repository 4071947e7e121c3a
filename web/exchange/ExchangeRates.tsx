import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { allows } from '../../contract/levels.ts';
import { Button } from '../kit/Button.tsx';
import { SelectField } from '../kit/fields/fields.tsx';
import { plainNumber } from '../kit/format.ts';
import { useKeys } from '../kit/hotkeys.ts';
import { useAddress, useGo } from '../kit/navigation.tsx';
import { Empty, Page, PageHead } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useMayOpen, useScreenKey, useSession } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { t } from '../kit/text.ts';
import { ImportRates } from './ImportRates.tsx';
import { RateDialog } from './RateDialog.tsx';
import { purposes, purposeWord, type Rate } from './rate.ts';
import '../views/views.css';

/** Rates a page at a time, the latest first, as the filters narrow them. */
const useRates = (currency: string, purpose: Rate['purpose'] | '') =>
  useInfiniteQuery({
    queryKey: useScreenKey('rates', currency, purpose),
    queryFn: ({ pageParam }) =>
      api.ListExchangeRates({
        ...(currency && { currency }),
        ...(purpose && { purpose }),
        ...(pageParam && { after: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.after ?? undefined,
  });

const useColumns = () => {
  const { show } = useDateFormat();
  return useMemo(
    (): readonly Column<Rate>[] => [
      { key: 'date', label: t('Date'), width: 110, code: true, cell: (rate) => show(rate.date) },
      { key: 'currency', label: t('Currency'), width: 100, code: true, cell: (rate) => rate.currency },
      { key: 'rate', label: t('Rupees for one'), width: 140, numeric: true, cell: (rate) => plainNumber(rate.rate, 2) },
      { key: 'purpose', label: t('For'), width: 110, cell: (rate) => purposeWord(rate.purpose) },
      { key: 'source', label: t('Source'), width: 280, cell: (rate) => rate.source },
      { key: 'by', label: t('Entered by'), width: 160, cell: (rate) => rate.by },
    ],
    [show],
  );
};

interface FilterProps {
  readonly currency: string;
  readonly purpose: Rate['purpose'] | '';
  /** Currencies that have rates. */
  readonly known: readonly string[];
  onChange(patch: Readonly<Record<string, string>>): void;
}

function Filters({ currency, purpose, known, onChange }: FilterProps) {
  return (
    <div className="fields">
      <SelectField
        label={t('Currency')}
        value={currency}
        empty={t('All')}
        choices={known.map((code) => ({ value: code, label: code }))}
        onChange={(value) => onChange({ currency: value })}
      />
      <SelectField
        label={t('For')}
        value={purpose}
        empty={t('Books and customs')}
        choices={purposes}
        onChange={(value) => onChange({ purpose: value })}
      />
    </div>
  );
}

/** What currencies were worth by day: typed, or read from a file; documents propose the rate of their day. */
export function ExchangeRates() {
  const { grants } = useSession();
  const { show } = useDateFormat();
  const address = useAddress();
  const go = useGo();
  const mayOpen = useMayOpen();
  const [open, setOpen] = useState<{ readonly rate?: Rate } | 'import' | null>(null);
  const mayWrite = allows(grants['JournalVouchers'] ?? 0, 'write');
  const currency = address['currency'] ?? '';
  const purpose = (address['purpose'] ?? '') as Rate['purpose'] | '';
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRates(
    currency,
    purpose,
  );
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const columns = useColumns();
  const change = (patch: Readonly<Record<string, string>>) =>
    go(
      'Exchange Rates',
      Object.fromEntries(Object.entries({ currency, purpose, ...patch }).filter(([, value]) => value)),
      true,
    );
  const create = () => setOpen({});
  useKeys(mayWrite ? { 'alt+n': create } : {});
  const buttons = mayWrite && (
    <>
      <Button onClick={() => setOpen('import')}>{t('Import …')}</Button>
      <Button look="primary" title={t('Alt N')} onClick={create}>
        {t('New rate')}
      </Button>
    </>
  );
  return (
    <Page fit>
      <PageHead
        title={t('Exchange rates')}
        actions={
          <>
            {mayOpen('Restatement') && <Button onClick={() => go('Restatement', {})}>{t('Foreign balances')}</Button>}
            {rows.length > 0 && buttons}
          </>
        }
      />
      <Filters currency={currency} purpose={purpose} known={data?.pages[0]?.currencies ?? []} onChange={change} />
      <DataTable
        label={t('Exchange rates')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        loading={isPending}
        error={error}
        onRetry={() => void refetch()}
        {...(mayWrite ? { onOpen: (rate: Rate) => setOpen({ rate }) } : {})}
        empty={
          <Empty
            sentence={t('No rates yet: documents in other currencies ask for theirs until there is one')}
            action={buttons}
          />
        }
        card={(rate) => ({
          title: `${rate.currency} ${plainNumber(rate.rate, 2)}`,
          meta: `${show(rate.date)} · ${purposeWord(rate.purpose)} · ${rate.source}`,
        })}
      />
      {hasNextPage && (
        <div className="button-row">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Earlier rates')}
          </Button>
        </div>
      )}
      {open === 'import' && <ImportRates onClose={() => setOpen(null)} />}
      {open !== null && open !== 'import' && <RateDialog rate={open.rate} onClose={() => setOpen(null)} />}
    </Page>
  );
}
