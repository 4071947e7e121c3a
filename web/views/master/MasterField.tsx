import { useState } from 'react';
import { type Field, masterNames, masterOf } from '../../../contract/masters.ts';
import { ALLOWED_CHARACTERS, plainTextProblem } from '../../../domain/base/check-text.ts';
import { isLedgers } from '../../../domain/books/money-ledgers.ts';
import { activeStates } from '../../../domain/tax/gst/registration/states.ts';
import { IconButton } from '../../kit/Button.tsx';
import { toast } from '../../kit/dialog/toast.tsx';
import { ComboboxField, type Option } from '../../kit/fields/Combobox.tsx';
import {
  Checkbox,
  DateField,
  type FieldProps,
  MoneyField,
  NumberField,
  PercentField,
  QuantityField,
  SelectField,
  TextArea,
  TextField,
} from '../../kit/fields/fields.tsx';
import { useMaking } from '../../kit/fields/making.ts';
import { type Problem, problemAt } from '../../kit/server/api.ts';
import { useDateFormat } from '../../kit/server/session.ts';
import { t, translated } from '../../kit/text.ts';
import { usePick } from '../editor/searches.ts';
import { GstinField } from './GstinField.tsx';
import { Levels } from './Levels.tsx';
import { SubGrid } from './SubGrid.tsx';
import { type Fields, textOf, type Values } from './values.ts';

interface Props {
  readonly name: string;
  readonly field: Field;
  readonly values: Values;
  readonly names: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** Why it can no longer change. */
  readonly fixed?: string | undefined;
  readonly autoFocus?: boolean;
  /** All fields of the form, where one may fill others. */
  readonly fields?: Fields;
  /** Takes two columns: a name may be long. */
  readonly wide?: boolean;
  onChange(patch: Values): void;
}

const states = activeStates.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));
/** One field of a master as its row says. */
export function MasterField(props: Props) {
  const { name, field, values, problems, onChange } = props;
  const { format } = useDateFormat();
  const common: FieldProps = {
    label: t(field.label),
    name,
    value: textOf(values[name]),
    onChange: (value) => onChange({ [name]: value }),
    help:
      props.fixed === undefined ? t(field.help) : t('Cannot be changed any more: {{fixed}}', { fixed: props.fixed }),
    error: problemAt(problems, name),
    required: field.required,
    readOnly: field.readOnly,
    disabled: props.fixed !== undefined,
    autoFocus: props.autoFocus,
    span: props.wide || (field.readOnly && field.type === 'text') ? 2 : undefined,
  };
  switch (field.type) {
    case 'notes':
      return <TextArea {...common} span={2} {...(field.most ? { maxLength: field.most } : {})} />;
    case 'money':
      return <MoneyField {...common} />;
    case 'rate':
      return <NumberField {...common} places={6} pad={2} />;
    case 'quantity':
      return <QuantityField {...common} />;
    case 'percent':
      return <PercentField {...common} />;
    case 'whole':
      return <NumberField {...common} places={0} />;
    case 'flag':
      return (
        <Checkbox
          label={t(field.label)}
          checked={values[name] === true || values[name] === 'true'}
          help={t(common.help)}
          error={common.error}
          disabled={field.readOnly || common.disabled}
          onChange={(on) => onChange({ [name]: on })}
        />
      );
    case 'day':
      return <DateField {...common} format={format} />;
    case 'choice':
      return (
        <SelectField
          {...common}
          choices={(field.choices ?? []).map(([value, label]) => ({ value, label: t(label) }))}
          {...(field.required ? {} : { empty: t(field.none) ?? t('None') })}
        />
      );
    case 'state':
      return <SelectField {...common} choices={states} empty={t('Choose')} />;
    case 'pick':
      return <PickField {...props} common={common} />;
    case 'picks':
      return <PicksField {...props} common={common} />;
    case 'rows':
      return (
        <>
          {field.help && <p className="muted sub-grid">{t(field.help)}</p>}
          <SubGrid
            label={t(field.label)}
            name={name}
            columns={field.columns ?? {}}
            values={values}
            names={props.names}
            problems={problems}
            onChange={onChange}
          />
        </>
      );
    case 'levels':
      return (
        <Levels
          value={(values[name] ?? {}) as Readonly<Record<string, number>>}
          onChange={(levels) => onChange({ [name]: levels })}
        />
      );
    case 'gstin':
      if (field.fills && props.fields)
        return (
          <GstinField
            {...common}
            fills={field.fills}
            fields={props.fields}
            values={values}
            onChange={(value) => onChange({ [name]: value.toUpperCase() })}
            onFilled={onChange}
          />
        );
      return <TextField {...common} onChange={(value) => onChange({ [name]: value.toUpperCase() })} maxLength={15} />;
    case 'code':
      return (
        <TextField
          {...common}
          onChange={(value) => onChange({ [name]: value.toUpperCase() })}
          maxLength={field.most ?? 32}
        />
      );
    case 'email':
      return <TextField {...common} type="email" />;
    case 'text':
      return (
        <TextField
          {...common}
          {...(field.plain && common.value && !plainTextProblem(common.value) && { help: ALLOWED_CHARACTERS })}
          onBlur={() => field.plain && clean(common)}
          maxLength={field.most ?? 200}
        />
      );
  }
}

/** Names of our own making take no special characters: the field is emptied and says so. */
const clean = ({ value, onChange }: FieldProps): void => {
  const problem = plainTextProblem(value);
  if (!problem) return;
  onChange('');
  toast(translated(problem));
};

type Picks = Props & { readonly common: FieldProps };

function PickField({ name, field, values, names, common, onChange }: Picks) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const search = usePick(field.pick ?? '', field.useOf && textOf(values[field.useOf]));
  const id = textOf(values[name]);
  const shown = chosen?.id === id ? chosen.name : (names[name] ?? id);
  const pick = (option: Option | null) => {
    setChosen(option);
    onChange({ [name]: option?.id ?? '' });
  };
  const value = id ? { id, name: shown } : null;
  const master = masterNames.find((each) => each === (isLedgers(field.pick) ? 'ledger' : field.pick));
  const create = useMaking(master, masterOf(master ?? '')?.label ?? '', pick);
  return <ComboboxField {...common} value={value} search={search} create={create} onChange={pick} />;
}

function PicksField({ name, field, values, names, common, onChange }: Picks) {
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({});
  const search = usePick(field.pick ?? '');
  const ids = Array.isArray(values[name]) ? (values[name] as readonly string[]) : [];
  const add = (option: Option | null) => {
    if (!option || ids.includes(option.id)) return;
    setKnown({ ...known, [option.id]: option.name });
    onChange({ [name]: [...ids, option.id] });
  };
  return (
    <div className="picks">
      <ComboboxField {...common} value={null} search={search} placeholder={t('Add')} onChange={add} />
      <ul aria-label={t(field.label)}>
        {ids.map((id) => (
          <li key={id}>
            {known[id] ?? names[`${name}.${id}`] ?? id}
            {!common.disabled && (
              <IconButton
                label={t('Remove {{known}}', { known: known[id] ?? names[`${name}.${id}`] ?? id })}
                onClick={() => onChange({ [name]: ids.filter((each) => each !== id) })}
              >
                ×
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
