import { useMemo, useState } from 'react';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { Button } from '../kit/Button.tsx';
import { DateField } from '../kit/fields/fields.tsx';
import { inCurrency, money } from '../kit/format.ts';
import { Empty } from '../kit/parts.tsx';
import { api } from '../kit/server/client.ts';
import { useDateFormat, useSession } from '../kit/server/session.ts';
import { type Column, DataTable } from '../kit/table/DataTable.tsx';
import { plural, t } from '../kit/text.ts';
import { useGoTo, usePlaces } from '../views/places.ts';
import { type Entry, unitOf } from './line.ts';
import { keyOf, useChosenEntries } from './useChosenEntries.ts';
import { worthColumn } from './worth.ts';

/** Entries that no statement has shown; where there is no statement, the day they went through the bank is typed. */
export function BookEntries({
  ledger,
  currency,
  entries,
  mayWrite,
}: {
  readonly ledger: string;
  readonly currency: string;
  readonly entries: readonly Entry[];
  readonly mayWrite: boolean;
}) {
  const { today } = useSession();
  const { show, format } = useDateFormat();
  const places = usePlaces();
  const goTo = useGoTo();
  const { selected, setSelected, count, busy, doWith } = useChosenEntries(entries);
  const [day, setDay] = useState(today);
  const columns = useMemo(
    (): readonly Column<Entry>[] => [
      { key: 'number', label: t('Number'), width: 140, code: true, cell: (row) => row.number },
      { key: 'date', label: t('Date'), width: 100, code: true, cell: (row) => show(row.date) },
      { key: 'kind', label: t('Type'), width: 140, cell: (row) => t(kindLabel(row.kind)) },
      { key: 'party', label: t('Party'), width: 220, cell: (row) => row.party },
      { key: 'reference', label: t('Reference'), width: 140, code: true, cell: (row) => row.reference },
      {
        key: 'amount',
        label: t('Amount ({{currency}})', { currency: unitOf(currency) }),
        width: 120,
        numeric: true,
        cell: (row) => money(row.amount),
      },
      ...worthColumn<Entry>(currency),
    ],
    [show, currency],
  );
  const clear = () =>
    doWith(async (chosen) => {
      const { matched } = await api.MatchBankLines({ ledger, matches: [{ date: day, entries: chosen }] });
      return plural(matched, 'One entry cleared on {{day}}', '{{count}} entries cleared on {{day}}', {
        day: show(day),
      });
    });
  return (
    <>
      {count > 0 && (
        <div className="filter-bar bulk-bar">
          <b role="status">{t('{{count}} selected', { count })}</b>
          <DateField label={t('Went through the bank on')} value={day} onChange={setDay} format={format} />
          <Button look="primary" busy={busy} disabled={!day} onClick={() => void clear()}>
            {t('Clear by day')}
          </Button>
        </div>
      )}
      <DataTable
        label={t('Entries that the bank has not shown')}
        columns={columns}
        rows={entries}
        rowKey={(row) => keyOf(row)}
        {...(mayWrite ? { selected, onSelect: setSelected } : {})}
        onOpen={(row) => {
          const view = places(row.kind, 'documentView');
          if (view) goTo(view, { id: row.document });
        }}
        opens={(row) => places(row.kind, 'documentView') !== undefined}
        empty={<Empty sentence={t('The bank has shown every entry of the books')} />}
        card={(row) => ({
          title: row.party || row.number,
          meta: [row.number, show(row.date), row.reference].filter(Boolean).join(' · '),
          amount: currency === 'INR' ? money(row.amount) : inCurrency(row.amount, currency),
        })}
      />
    </>
  );
}
