import { useEffect, useState, useSyncExternalStore } from 'react';
import { parseDecimal } from '../../../../domain/base/decimal.ts';
import type { FieldName } from '../../../../domain/document/kinds/kind.ts';
import { withPartyThen } from '../../../../domain/document/party-then.ts';
import { usualPlace } from '../../../../domain/document/resolve.ts';
import { originalOf } from '../../../../domain/document/sources.ts';
import { hasGst } from '../../../../domain/tax/gst/registration/registered.ts';
import { stateName } from '../../../../domain/tax/gst/registration/states.ts';
import { ComboboxField, type Option } from '../../../kit/fields/Combobox.tsx';
import { DateField, SelectField } from '../../../kit/fields/fields.tsx';
import { inSentence, rupees } from '../../../kit/format.ts';
import { Panel } from '../../../kit/parts.tsx';
import { type Problem, problemAt, warningAt } from '../../../kit/server/api.ts';
import { useDateFormat } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { CreateMaster } from '../Creating.tsx';
import type { KnownParty } from '../facts.ts';
import { type Model, useFacts, useHead, useIsPlain, useWholeHead } from '../model.ts';
import { usePartySearch } from '../searches.ts';
import { factsOf } from '../totals.ts';
import { draftOf, leftAt } from '../wire.ts';
import { AdditionalFields } from './AdditionalFields.tsx';
import { HeadField } from './HeadField.tsx';
import { foldedFields, footFields, headFields, isMore } from './headFields.ts';

interface Props {
  readonly model: Model;
  readonly problems: readonly Problem[];
  readonly quick: boolean;
}

/** The head: party, date, place, and the fields of the kind's row; folded groups open by themselves when they hold data. */
export function Head({ model, problems, quick }: Props) {
  const { kind } = model;
  const isAsked = useAsked(model);
  const shown = kind.fields.filter(
    (name) => isAsked(name) && !footFields.has(name) && !(quick && headFields[name].full),
  );
  const plain = shown.filter((name) => !foldedFields.has(name) && !isMore(kind, name));
  const more = shown.filter((name) => isMore(kind, name));
  return (
    <Panel>
      <div className="fields">
        {kind.party.side !== 'none' && <Party model={model} problems={problems} />}
        <DocumentDate model={model} problems={problems} />
        {!quick && <Location model={model} problems={problems} />}
        {plain.map((name) => (
          <HeadField key={name} model={model} problems={problems} name={name} />
        ))}
        <AdditionalFields model={model} problems={problems} quick={quick} />
      </div>
      <div className="folds">
        {more.length > 0 && <Folded model={model} problems={problems} label={moreLabel(more)} names={more} />}
        {shown
          .filter((name) => foldedFields.has(name))
          .map((name) => (
            <Folded key={name} model={model} problems={problems} label={t(headFields[name].label)} names={[name]} />
          ))}
      </div>
    </Panel>
  );
}

/** Fields that only some organisations are asked for. */
const switchedFields = (Object.keys(headFields) as FieldName[]).filter(
  (name) => headFields[name].needs || headFields[name].ofCostCentres,
);

/** Whether a field is asked for: what its switch leaves out stays to be seen where it holds something. */
const useAsked = (model: Model): ((name: FieldName) => boolean) => {
  const { head, session } = model;
  const plain = useIsPlain(model);
  const held = useSyncExternalStore(head.subscribe, () =>
    switchedFields.filter((name) => head.get()[headFields[name].path]).join(),
  );
  return (name) => {
    const { needs, ofGst, ofCostCentres } = headFields[name];
    if (ofGst && plain) return false;
    if (ofCostCentres) return session.costCentres || held.split(',').includes(name);
    return !needs || session.settings[needs] === true || held.split(',').includes(name);
  };
};

/** "More: place of supply, reverse charge, rates include tax". */
const moreLabel = (names: readonly FieldName[]): string => {
  const words = names.map((name) => headFields[name].label);
  const lower = words.map(inSentence);
  return `More: ${lower.slice(0, 4).join(', ')}${lower.length > 4 ? ' …' : ''}`;
};

/** What a field is when nothing was said. */
const usual = (path: string): string => (path === 'currency' ? 'INR' : '');
const pathsOf = (names: readonly FieldName[]) => names.map((name) => headFields[name].path);

function Folded({
  model,
  problems,
  label,
  names,
}: Omit<Props, 'quick'> & { readonly label: string; readonly names: readonly FieldName[] }) {
  const head = useWholeHead(model);
  const paths = pathsOf(names);
  const holds = Object.entries(head).some(
    ([at, text]) => paths.some((path) => at === path || at.startsWith(`${path}.`)) && text !== '' && text !== usual(at),
  );
  const wrong = problems.some(({ field }) => paths.some((path) => field === path || field.startsWith(`${path}.`)));
  const [open, setOpen] = useState(holds);
  useEffect(() => {
    if (holds || wrong) setOpen(true);
  }, [holds, wrong]);
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && (
        <div className="fields">
          {names.map((name) => (
            <HeadField key={name} model={model} problems={problems} name={name} />
          ))}
        </div>
      )}
    </details>
  );
}

function DocumentDate({ model, problems }: Omit<Props, 'quick'>) {
  const { format } = useDateFormat();
  const value = useHead(model, 'date');
  const change = (date: string) => model.head.set({ date });
  return (
    <DateField
      label={t('Date')}
      name="date"
      required
      value={value}
      onChange={change}
      format={format}
      error={problemAt(problems, 'date')}
      warning={warningAt(problems, 'date')}
    />
  );
}

/** GSTIN, where the supply takes place, what the party owes of its limit, and whose prices it has. */
const partyNote = (model: Model, party: KnownParty): string => {
  const draft = draftOf(model.typed());
  const facts = withPartyThen(model.kind, draft, factsOf(model));
  const place =
    draft.placeOfSupply || originalOf(model.kind, draft, facts)?.placeOfSupply || usualPlace(model.kind, draft, facts);
  const gstin = facts.party?.gstin ?? null;
  const own = facts.own.kind;
  const taxed = model.kind.gst.tax === 'output' && hasGst(own);
  const supplier = model.kind.party.side === 'supplier';
  const inAdvance = party.owed.startsWith('-');
  const owed = rupees(party.owed.replace('-', '') || '0');
  const owes = inAdvance
    ? t('{{owed}} {{supplier}} in advance', { owed, supplier: supplier ? t('paid') : t('received') })
    : `${supplier ? 'we owe' : 'owes'} ${owed}`;
  const paiseOf = (amount: string) => parseDecimal(amount, 2) ?? 0;
  // money on account counts against the oldest bills: no more can be overdue than the balance
  const late = paiseOf(party.overdue) > paiseOf(party.owed) ? party.owed : party.overdue;
  const overdue = paiseOf(late) > 0 && t('{{late}} of it overdue', { late: rupees(late) });
  const isOver = paiseOf(party.owed) > paiseOf(party.creditLimit);
  const limit =
    !supplier && party.creditLimit && `${isOver ? 'over its limit of' : 'limit'} ${rupees(party.creditLimit)}`;
  return [
    gstin ? `GSTIN ${gstin}` : hasGst(own) && 'No GSTIN',
    gstin !== party.gstin && t('as on the document that this is made from'),
    taxed && t('supply to {{place}}', { place: stateName(place) ?? t('abroad') }),
    owes,
    overdue,
    limit,
    party.priceList && t('price list {{name}}', { name: party.priceList.name }),
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
      label={t('Location')}
      name="location"
      passed
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
  // the note names the place of supply: it follows the address that goods are sent to, and a place that is chosen
  useWholeHead(model);
  const [chosen, setChosen] = useState<Option | null>(null);
  const [creating, setCreating] = useState<string | null>(null);
  const search = usePartySearch(side === 'supplier' ? 'supplier' : 'customer');
  const known = facts.parties.get(id);
  const name = known?.name ?? (chosen?.id === id ? chosen.name : '');
  const retail = model.kind.gst.insteadFor !== undefined && !model.kind.life.till;
  const pick = (option: Option | null) => {
    setChosen(option);
    model.head.set({ party: option?.id ?? '', [leftAt('party')]: '' });
  };
  const word = side === 'supplier' ? t('Supplier') : t('Customer');
  return (
    <>
      <ComboboxField
        label={word}
        name="party"
        span={2}
        required={required}
        value={id ? { id, name } : null}
        onChange={pick}
        leftText={useHead(model, leftAt('party'))}
        onLeft={(text) => model.head.set({ [leftAt('party')]: text })}
        search={search}
        placeholder={t('Name, code, GSTIN or phone')}
        create={{ label: t('Create {{word}}', { word: inSentence(word) }), run: setCreating }}
        help={known && partyNote(model, known)}
        error={problemAt(problems, 'party')}
        warning={warningAt(problems, 'party')}
      />
      {creating !== null && (
        <CreateMaster
          master={side === 'supplier' ? 'supplier' : 'customer'}
          typed={creating}
          given={{ state: factsOf(model).own.state, ...(retail && { category: 'unregistered' }) }}
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
