import { type ReactNode, useState } from 'react';
import { type KindName, kindOf, settlesOthers } from '../../../domain/document/kinds/index.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { ComboboxInput, type Option } from '../../kit/fields/Combobox.tsx';
import { SearchBox } from '../../kit/fields/fields.tsx';
import { inSentence } from '../../kit/format.ts';
import { useSession } from '../../kit/server/session.ts';
import { t } from '../../kit/text.ts';
import { usePartySearch } from '../editor/searches.ts';
import { statusWord } from './rows.ts';

/** What of an address narrows a list. */
export type Filters = Readonly<Record<string, string>>;

const periods = [
  ['', 'All time'],
  ['day', 'Today'],
  ['month', 'This month'],
  ['year', 'This financial year'],
  ['custom', 'From … to'],
] as const;

export const isFiltered = (filters: Filters): boolean =>
  ['search', 'status', 'stage', 'period', 'party'].some((field) => filters[field]);

/** The filters in words, for who sees nothing: “INV/1”, status Draft, this month. */
export const filterWords = (filters: Filters, kind: Kind, show: (day: string) => string): string => {
  const { search, status, stage, period, party, from, to } = filters;
  const named = periods.find(([value]) => value === period)?.[1] ?? '';
  const ends = [from && t('from {{from}}', { from: show(from) }), to && t('to {{to}}', { to: show(to) })]
    .filter(Boolean)
    .join(' ');
  return [
    search && `“${search}”`,
    status && t('status {{status}}', { status: t(statusWord({ status, draft: false }, kind)) }),
    stage && t('the stage chosen'),
    period && (period === 'custom' ? ends : inSentence(t(named))),
    party && (kind.party.side === 'supplier' ? t('the supplier chosen') : t('the customer chosen')),
  ]
    .filter(Boolean)
    .join(', ');
};

/** What narrows a list of documents: words, status, period and party; `children` stand at the far right. */
export function FilterBar({
  kind,
  filters,
  onFilter,
  children,
}: {
  readonly kind: Kind;
  readonly filters: Filters;
  onFilter(patch: Filters): void;
  readonly children: ReactNode;
}) {
  const { settings } = useSession();
  const side = kind.party.side === 'supplier' ? 'supplier' : 'customer';
  const search = usePartySearch(side);
  const [party, setParty] = useState<Option | null>(null);
  const statuses = [
    'draft',
    ...(settings.approvals.some((rule) => kindOf(rule.kind as KindName) === kind)
      ? ['pendingApproval', 'rejected']
      : []),
    ...(kind.life.cycle === 'posted' ? ['posted'] : ['open', 'partlyFulfilled', 'fulfilled']),
    ...(kind.life.cycle === 'ordered' ? ['closed'] : []),
    ...(kind.books.opens ? ['paid', 'partlyPaid', 'unpaid'] : []),
    ...(kind.books.opens && !settlesOthers(kind) ? ['overdue'] : []),
    'cancelled',
  ];
  return (
    <div className="filter-bar">
      <SearchBox
        label={t('Search {{plural}}', { plural: inSentence(t(kind.plural)) })}
        value={filters['search'] ?? ''}
        onChange={(text) => onFilter({ search: text })}
      />
      <select
        className="input"
        aria-label={t('Status')}
        value={filters['status'] ?? ''}
        onChange={(event) => onFilter({ status: event.target.value })}
      >
        <option value="">{t('Any status')}</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {t(statusWord({ status, draft: false }, kind))}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label={t('Period')}
        value={filters['period'] ?? ''}
        onChange={(event) => onFilter({ period: event.target.value })}
      >
        {periods.map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </select>
      {filters['period'] === 'custom' &&
        (['from', 'to'] as const).map((end) => (
          <input
            key={end}
            className="input"
            type="date"
            aria-label={end === 'from' ? t('From') : t('To')}
            value={filters[end] ?? ''}
            onChange={(event) => onFilter({ [end]: event.target.value })}
          />
        ))}
      {kind.party.side !== 'none' && (
        <span className="filter-party">
          <ComboboxInput
            className="input"
            aria-label={side === 'supplier' ? t('Supplier') : t('Customer')}
            placeholder={side === 'supplier' ? t('Any supplier') : t('Any customer')}
            text={filters['party'] ? (party?.name ?? t('One chosen')) : ''}
            search={search}
            onPick={(option) => {
              setParty(option);
              onFilter({ party: option.id });
            }}
            onClear={() => onFilter({ party: '' })}
          />
        </span>
      )}
      <span className="end">{children}</span>
    </div>
  );
}
