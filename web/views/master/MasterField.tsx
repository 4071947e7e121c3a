import { type ReactNode, useState } from 'react';
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

interface EditorProps extends Props {
  readonly common: FieldProps;
}

/** A text field that writes capitals. */
const capitals = ({ name, common, onChange }: EditorProps, maxLength: number) => (
  <TextField {...common} onChange={(value) => onChange({ [name]: value.toUpperCase() })} maxLength={maxLength} />
);

const flag = ({ name, field, values, common, onChange }: EditorProps) => (
  <Checkbox
    label={t(field.label)}
    checked={values[name] === true || values[name] === 'true'}
    help={t(common.help)}
    error={common.error}
    disabled={field.readOnly || common.disabled}
    onChange={(on) => onChange({ [name]: on })}
  />
);

const choice = ({ field, common }: EditorProps) => (
  <SelectField
    {...common}
    choices={(field.choices ?? []).map(([value, label]) => ({ value, label: t(label) }))}
    {...(field.required ? {} : { empty: t(field.none) ?? t('None') })}
  />
);

const rows = ({ name, field, values, names, problems, onChange }: EditorProps) => (
  <>
    {field.help && <p className="muted sub-grid">{t(field.help)}</p>}
    <SubGrid
      label={t(field.label)}
      name={name}
      columns={field.columns ?? {}}
      values={values}
      names={names}
      problems={problems}
      onChange={onChange}
    />
  </>
);

const levels = ({ name, values, onChange }: EditorProps) => (
  <Levels
    value={(values[name] ?? {}) as Readonly<Record<string, number>>}
    onChange={(value) => onChange({ [name]: value })}
  />
);

/** A GSTIN; where the form has the fields, the taxpayer's record fills them. */
const gstin = (props: EditorProps) => {
  const { name, field, fields, values, common, onChange } = props;
  if (!field.fills || !fields) return capitals(props, 15);
  return (
    <GstinField
      {...common}
      fills={field.fills}
      fields={fields}
      values={values}
      onChange={(value) => onChange({ [name]: value.toUpperCase() })}
      onFilled={onChange}
    />
  );
};

const text = ({ field, common }: EditorProps) => (
  <TextField
    {...common}
    {...(field.plain && common.value && !plainTextProblem(common.value) && { help: ALLOWED_CHARACTERS })}
    onBlur={() => field.plain && clean(common)}
    maxLength={field.most ?? 200}
  />
);

/** What edits the values of each type. */
const editors: Readonly<Record<Field['type'], (props: EditorProps) => ReactNode>> = {
  notes: ({ field, common }) => <TextArea {...common} span={2} {...(field.most ? { maxLength: field.most } : {})} />,
  money: ({ common }) => <MoneyField {...common} />,
  rate: ({ common }) => <NumberField {...common} places={6} pad={2} />,
  quantity: ({ common }) => <QuantityField {...common} />,
  percent: ({ common }) => <PercentField {...common} />,
  whole: ({ common }) => <NumberField {...common} places={0} />,
  flag,
  day: (props) => <DayField {...props} />,
  choice,
  state: ({ common }) => <SelectField {...common} choices={states} empty={t('Choose')} />,
  pick: (props) => <PickField {...props} />,
  picks: (props) => <PicksField {...props} />,
  rows,
  levels,
  gstin,
  code: (props) => capitals(props, props.field.most ?? 32),
  email: ({ common }) => <TextField {...common} type="email" />,
  text,
};

/** One field of a master as its row says. */
export function MasterField(props: Props) {
  const { name, field, values, problems, onChange } = props;
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
  return editors[field.type]({ ...props, common });
}

function DayField({ common }: EditorProps) {
  const { format } = useDateFormat();
  return <DateField {...common} format={format} />;
}

/** Names of our own making take no special characters: the field is emptied and says so. */
const clean = ({ value, onChange }: FieldProps): void => {
  const problem = plainTextProblem(value);
  if (!problem) return;
  onChange('');
  toast(translated(problem));
};

function PickField({ name, field, values, names, common, onChange }: EditorProps) {
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

function PicksField({ name, field, values, names, common, onChange }: EditorProps) {
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
