import { type Ref, useState } from 'react';
import { namesBuyer } from '../../../domain/document/check.ts';
import { kindFor, kindOf } from '../../../domain/document/kinds/index.ts';
import { activeStates } from '../../../domain/tax/gst/registration/states.ts';
import { ComboboxField } from '../../kit/fields/Combobox.tsx';
import { SelectField, TextField } from '../../kit/fields/fields.tsx';
import { type Problem, problemAt } from '../../kit/server/api.ts';
import { t } from '../../kit/text.ts';
import { CreateMaster } from '../../views/editor/CreateMaster.tsx';
import { usePartySearch } from '../../views/editor/searches.ts';
import { type Cart, factsOf, type Summed } from '../cart/cart.ts';
import { type Counter, ownOf } from '../counter.ts';
import { isTyped, noAddress, type TypedAddress } from './address.ts';

const states = activeStates.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));
const fields = [
  ['line1', 'Address', 100],
  ['city', 'City', 50],
  ['pincode', 'PIN code', 6],
] as const;

/** The buyer: a party, or a name and phone; with the address where the bill needs it. */
export function Buyer({
  cart,
  counter,
  summed,
  problems,
  fold,
  onChange,
}: {
  readonly cart: Cart;
  readonly counter: Counter;
  readonly summed: Summed | null;
  readonly problems: readonly Problem[];
  readonly fold: Ref<HTMLDetailsElement>;
  onChange(patch: Partial<Cart>): void;
}) {
  const search = usePartySearch('customer');
  const [making, setMaking] = useState<string | null>(null);
  const home = ownOf(counter)?.state ?? '';
  const address = cart.address ?? noAddress;
  const isNamed = summed !== null && namesBuyer(kindOf(kindFor('tillBill')), factsOf(counter, cart), summed.priced);
  const asked = (isNamed && !(cart.party && counter.party?.hasAddress)) || isTyped(address);
  const type = (patch: Partial<TypedAddress>) => onChange({ address: { ...address, ...patch } });
  const open = asked || cart.party !== null || cart.name !== '' || cart.phone !== '';
  return (
    <details ref={fold} className="fold till-buyer" open={open || undefined}>
      <summary data-customer>{t('Customer{{party}}', { party: cart.party ? `: ${cart.party.name}` : '' })}</summary>
      <ComboboxField
        label={t('Customer on record')}
        value={cart.party}
        search={search}
        create={{ label: t('Create customer'), run: setMaking }}
        error={problemAt(problems, 'party')}
        onChange={(party) => onChange({ party: party && { id: party.id, name: party.name } })}
      />
      {!cart.party && (
        <div className="fields fields-two">
          <TextField
            label={t('Name')}
            name="partyName"
            value={cart.name}
            maxLength={100}
            error={problemAt(problems, 'partyName')}
            onChange={(name) => onChange({ name })}
          />
          <TextField
            label={t('Phone')}
            type="tel"
            value={cart.phone}
            maxLength={20}
            onChange={(phone) => onChange({ phone })}
          />
        </div>
      )}
      {asked && (
        <>
          {!problemAt(problems, 'billTo.line1') && (
            <p className="field-help">
              {t('From ₹50,000 before tax the bill needs the buyer’s address and state (rule 46).')}
            </p>
          )}
          <div className="fields fields-two">
            {fields.map(([part, label, most]) => (
              <TextField
                key={part}
                label={t(label)}
                name={`billTo.${part}`}
                value={address[part]}
                maxLength={most}
                {...(part === 'line1' && { span: 2 as const })}
                {...(part === 'pincode' && { inputMode: 'numeric' as const })}
                error={problemAt(problems, `billTo.${part}`)}
                onChange={(text) => type({ [part]: text })}
              />
            ))}
            <SelectField
              label={t('State of delivery')}
              name="billTo.state"
              span={2}
              value={address.state || home}
              choices={states}
              onChange={(state) => type({ state })}
            />
          </div>
        </>
      )}
      {making !== null && (
        <CreateMaster
          master="consumer"
          typed={making}
          given={{ state: home }}
          onMade={(party) => {
            onChange({ party: { id: party.id, name: party.name } });
            setMaking(null);
          }}
          onClose={() => setMaking(null)}
        />
      )}
    </details>
  );
}
