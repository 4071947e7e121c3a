import { type WayName, ways } from '../../domain/banking/bank-matching.ts';
import { kindOf } from '../../domain/document/kinds/index.ts';
import type { At } from '../kit/dialog/FormDialog.tsx';
import { ComboboxField, type Option } from '../kit/fields/Combobox.tsx';
import { SelectField, TextField } from '../kit/fields/fields.tsx';
import { t } from '../kit/text.ts';
import { usePartySearch, usePick } from '../views/editor/searches.ts';

/** What a line, or every line that holds a text, becomes. */
export interface Making {
  readonly way: WayName;
  readonly other: Option | null;
  readonly narration: string;
}

/** The fields of a match: its kind, and the other side. */
export function MakeDocument({
  making,
  among,
  at,
  onChange,
}: {
  readonly making: Making;
  readonly among: readonly WayName[];
  readonly at: At;
  onChange(making: Making): void;
}) {
  const { other, money, kind } = ways[making.way];
  const parties = usePartySearch(money === 'in' ? 'customer' : 'supplier');
  const skipsApproval = kindOf(kind).lines.of === 'expenses' ? 'entryLedger' : 'plainLedger';
  const ledgers = usePick(other === 'money' ? 'moneyLedger' : skipsApproval);
  const search = { party: parties, money: ledgers, ledger: ledgers }[other];
  return (
    <div className="fields">
      <SelectField
        label={t('Becomes')}
        span={2}
        value={making.way}
        choices={among.map((name) => ({ value: name, label: t(ways[name].label) }))}
        onChange={(way) => onChange({ ...making, way: way as WayName, other: null })}
        error={at('way')}
      />
      <ComboboxField
        key={other === 'party' ? `party ${money}` : other}
        label={
          { party: money === 'in' ? t('Customer') : t('Supplier'), money: t('Bank or cash'), ledger: t('Ledger') }[
            other
          ]
        }
        span={2}
        required
        value={making.other}
        search={search}
        onChange={(option) => onChange({ ...making, other: option })}
        error={at('party') ?? at('counter') ?? at('lines.ledger') ?? at('lines.ledger', 0)}
      />
      <TextField
        label={t('Narration')}
        span={4}
        value={making.narration}
        maxLength={500}
        placeholder={t('As the bank says')}
        onChange={(narration) => onChange({ ...making, narration })}
        error={at('narration')}
      />
    </div>
  );
}

/** The other side as the calls name it. */
export const otherOf = ({ way, other }: Making): { readonly party?: string; readonly counter?: string } =>
  other ? (ways[way].other === 'party' ? { party: other.id } : { counter: other.id }) : {};
