import { useState } from 'react';
import { stateName } from '../../../domain/gst/states.ts';
import type { FieldName } from '../../../domain/kinds/kind.ts';
import { usualPlace } from '../../../domain/resolve.ts';
import { type Problem, problemAt } from '../../kit/api.ts';
import { ComboboxField, type Option } from '../../kit/Combobox.tsx';
import { DateField, SelectField } from '../../kit/fields.tsx';
import { rupees } from '../../kit/format.ts';
import { Panel } from '../../kit/parts.tsx';
import { useDateFormat } from '../../kit/session.ts';
import { CreateMaster } from './CreateMaster.tsx';
import type { KnownParty } from './facts.ts';
import { HeadField } from './HeadField.tsx';
import { foldedFields, footFields, headFields } from './headFields.ts';
import { type Model, useFacts, useHead } from './model.ts';
import { usePartySearch } from './searches.ts';
import { factsOf } from './totals.ts';
import { draftOf } from './wire.ts';

interface Props {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
}

/** The head: party, date, place, and the fields of the kind's row; folded groups open by themselves when they hold data. */
export function Head({ model, problems, quick }: Props) {
  const shown = model.kind.fields.filter((name) => !footFields.has(name) && !(quick && headFields[name].full));
  const folded = shown.filter((name) => foldedFields.has(name));
  return (
    <Panel>
      <div className="fields">
        {model.kind.party.side !== 'none' && <Party model={model} problems={problems} />}
        <DocumentDate model={model} problems={problems} />
        {!quick && <Location model={model} problems={problems} />}
        {shown
          .filter((name) => !foldedFields.has(name))
          .map((name) => (
            <HeadField key={name} model={model} problems={problems} name={name} />
          ))}
      </div>
      {folded.map((name) => (
        <Folded key={name} model={model} problems={problems} name={name} />
      ))}
    </Panel>
  );
}

function Folded({ model, problems, name }: Omit<Props, 'quick'> & { readonly name: FieldName }) {
  const [open, setOpen] = useState(() =>
    Object.entries(model.head.get()).some(([path, text]) => text !== '' && path.startsWith(`${name}.`)),
  );
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{headFields[name].label}</summary>
      {open && <HeadField model={model} problems={problems} name={name} />}
    </details>
  );
}

function DocumentDate({ model, problems }: Omit<Props, 'quick'>) {
  const { format } = useDateFormat();
  const value = useHead(model, 'date');
  const change = (date: string) => model.head.set({ date });
  return (
    <DateField
      label="Date"
      name="date"
      required
      value={value}
      onChange={change}
      format={format}
      error={problemAt(problems, 'date')}
    />
  );
}

/** GSTIN, where the supply takes place, and what the party owes of its limit. */
const partyNote = (model: Model, party: KnownParty): string => {
  const place = usualPlace(model.kind, draftOf(model.typed()), factsOf(model));
  const taxed = model.kind.tax === 'output';
  const owes = party.owed || party.creditLimit ? `owes ${rupees(party.owed || '0')}` : '';
  return [
    party.gstin ? `GSTIN ${party.gstin}` : 'No GSTIN',
    taxed && `supply to ${stateName(place) ?? 'abroad'}`,
    party.creditLimit && owes ? `${owes} of ${rupees(party.creditLimit)}` : owes,
  ]
    .filter(Boolean)
    .join(' · ');
};

function Location({ model, problems }: Omit<Props, 'quick'>) {
  const { locations } = model.session;
  const value = useHead(model, 'location');
  if (locations.length < 2) return null;
  return (
    <SelectField
      label="Location"
      name="location"
      value={value}
      choices={locations.map((l) => ({ value: l.id, label: `${l.code} – ${l.name}` }))}
      error={problemAt(problems, 'location') ?? problemAt(problems, 'registration')}
      onChange={(id) =>
        model.head.set({ location: id, registration: locations.find((l) => l.id === id)?.registration ?? '' })
      }
    />
  );
}

function Party({ model, problems }: Omit<Props, 'quick'>) {
  const { side, required } = model.kind.party;
  const facts = useFacts(model);
  const id = useHead(model, 'party');
  const [chosen, setChosen] = useState<Option | null>(null);
  const [creating, setCreating] = useState<string | null>(null);
  const search = usePartySearch(side === 'supplier' ? 'supplier' : 'customer');
  const known = facts.parties.get(id);
  const name = known?.name ?? (chosen?.id === id ? chosen.name : '');
  const pick = (option: Option | null) => {
    setChosen(option);
    model.head.set({ party: option?.id ?? '' });
  };
  const word = side === 'supplier' ? 'Supplier' : 'Customer';
  return (
    <>
      <ComboboxField
        label={word}
        name="party"
        span={2}
        required={required}
        value={id ? { id, name } : null}
        onChange={pick}
        search={search}
        placeholder="Name, code, GSTIN or phone"
        create={{ label: `Create ${word.toLowerCase()}`, run: setCreating }}
        help={known && partyNote(model, known)}
        error={problemAt(problems, 'party')}
      />
      {creating !== null && (
        <CreateMaster
          master={side === 'supplier' ? 'supplier' : 'customer'}
          typed={creating}
          onClose={() => setCreating(null)}
          onMade={(option) => {
            setCreating(null);
            pick(option);
          }}
        />
      )}
    </>
  );
}
