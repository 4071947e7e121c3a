import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BusinessName, businesses, businessNames } from '../../domain/facts/businesses.ts';
import { gstinProblem, panOfGstin, stateOfGstin } from '../../domain/tax/gst/registration/gstin.ts';
import { ownStates, stateName } from '../../domain/tax/gst/registration/states.ts';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { Checkbox, SelectField, TextField } from '../kit/fields/fields.tsx';
import { api } from '../kit/server/client.ts';
import { Copy } from '../kit/table/Copy.tsx';
import { t } from '../kit/text.ts';
import '../views/views.css';

const blank = {
  name: '',
  code: '',
  business: 'trader' as BusinessName,
  gstin: '',
  kind: 'regular' as 'regular' | 'composition' | 'sez',
  einvoice: false,
  state: '',
  line1: '',
  city: '',
  pincode: '',
  ownerName: '',
  ownerEmail: '',
};
type Typed = typeof blank;
const bare = (gstin: string): string => gstin.trim().toUpperCase();
/** What a GSTIN says by itself, once it is right. */
const readFrom = (typed: string): string | undefined => {
  const gstin = bare(typed);
  if (gstin === '' || gstinProblem(gstin)) return undefined;
  const state = stateName(stateOfGstin(gstin)) ?? '';
  const pan = panOfGstin(gstin);
  return pan ? t('{{state}}, PAN {{pan}}', { state, pan }) : state;
};
type Made = Awaited<ReturnType<typeof api.FoundOrganisation>>;

/** Makes a further organisation. An operator may make somebody else its owner, and hands over the link. */
export function NewOrganisation({
  forOthers = false,
  onMade,
  onClose,
}: {
  readonly forOthers?: boolean;
  onMade(code: string): void;
  onClose(): void;
}) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState(blank);
  const [made, setMade] = useState<Made>();
  const change = (part: Partial<Typed>) => setTyped((now) => ({ ...now, ...part }));
  if (made?.link) return <LinkOfOwner name={made.name} link={made.link} onClose={onClose} />;
  const save = async () => {
    const done = await api.FoundOrganisation(typed);
    await cache.invalidateQueries({ queryKey: ['operator', 'organisations'] });
    return done;
  };
  const done = (answer: Made) => {
    if (answer.link) setMade(answer);
    else onMade(answer.code);
  };
  return (
    <FormDialog
      title={t('New organisation')}
      width={640}
      holds={typed}
      verb={t('Make the organisation')}
      save={save}
      onDone={done}
      onClose={onClose}
    >
      {(at) => <Fields typed={typed} at={at} forOthers={forOthers} change={change} />}
    </FormDialog>
  );
}

/** What the operator hands over: it is shown once. */
const LinkOfOwner = ({ name, link, onClose }: { readonly name: string; readonly link: string; onClose(): void }) => (
  <Dialog open title={t('{{name}} is ready', { name })} onClose={onClose}>
    <p>{t('Hand this link to the owner: it opens once, within seven days, and asks for a password.')}</p>
    <p className="code wrap">
      {link} <Copy text={link} what={t('link')} />
    </p>
  </Dialog>
);

interface FieldsProps {
  readonly typed: Typed;
  readonly forOthers: boolean;
  /** The problem at a field. */
  at(field: string): string | undefined;
  change(part: Partial<Typed>): void;
}
type TextName = 'name' | 'code' | 'gstin' | 'line1' | 'city' | 'pincode' | 'ownerName' | 'ownerEmail';

function Fields({ typed, forOthers, at, change }: FieldsProps) {
  const text = (name: TextName, label: string, more = {}) => (
    <TextField
      label={label}
      name={name}
      value={typed[name]}
      error={at(name)}
      onChange={(value: string) => change({ [name]: value })}
      {...more}
    />
  );
  return (
    <div className="fields">
      {text('name', t('Name of the business'), { required: true, maxLength: 200, span: 2 })}
      {text('code', t('Short code'), { required: true, maxLength: 20, help: t('Letters and digits, as SHARMA') })}
      <SelectField
        label={t('Kind of business')}
        name="business"
        value={typed.business}
        choices={businessNames.map((value) => ({ value, label: t(businesses[value].label) }))}
        error={at('business')}
        onChange={(business) => change({ business: business as BusinessName })}
      />
      {text('gstin', 'GSTIN', {
        maxLength: 15,
        help: readFrom(typed.gstin) ?? t('Empty: not registered'),
        onChange: (gstin: string) => change({ gstin, ...(readFrom(gstin) && { state: stateOfGstin(bare(gstin)) }) }),
      })}
      <Registration typed={typed} at={at} change={change} />
      {text('line1', t('Address'), { required: true, maxLength: 100, span: 2 })}
      {text('city', t('City'), { required: true, maxLength: 50 })}
      {text('pincode', t('PIN code'), { required: true, maxLength: 6 })}
      {typed.gstin.trim() !== '' && (
        <Checkbox
          label={t('E-invoicing applies')}
          name="einvoice"
          checked={typed.einvoice}
          error={at('einvoice')}
          onChange={(einvoice) => change({ einvoice })}
        />
      )}
      {forOthers && text('ownerName', t('Name of the owner'), { maxLength: 100, help: t('Empty: you are the owner') })}
      {forOthers && text('ownerEmail', t('Email of the owner'), { type: 'email', maxLength: 254 })}
    </div>
  );
}

/** How it is registered where it has a GSTIN, and its state. */
function Registration({ typed, at, change }: Omit<FieldsProps, 'forOthers'>) {
  const isRegistered = typed.gstin.trim() !== '';
  return (
    <>
      {isRegistered && (
        <SelectField
          label={t('Registration type')}
          name="kind"
          value={typed.kind}
          choices={[
            { value: 'regular', label: t('Regular') },
            { value: 'composition', label: t('Composition') },
            { value: 'sez', label: t('SEZ') },
          ]}
          error={at('kind')}
          onChange={(kind) => change({ kind: kind as Typed['kind'] })}
        />
      )}
      <SelectField
        label={t('State')}
        name="state"
        value={typed.state}
        empty={isRegistered ? t('As in the GSTIN') : t('Choose')}
        choices={ownStates.map(({ code, name }) => ({ value: code, label: name }))}
        error={at('state')}
        onChange={(state) => change({ state })}
      />
    </>
  );
}
