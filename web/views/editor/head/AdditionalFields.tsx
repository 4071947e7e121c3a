import { type AdditionalField, additionalPath, MOST_ADDITIONAL_TEXT } from '../../../../domain/document/additional.ts';
import { useAdditionalFields } from '../../../kit/fields/additional.ts';
import { DateField, type FieldProps, NumberField, SelectField, TextField } from '../../../kit/fields/fields.tsx';
import { type Problem, problemAt } from '../../../kit/server/api.ts';
import { useDateFormat } from '../../../kit/server/session.ts';
import { t } from '../../../kit/text.ts';
import { type Model, useHead } from '../model.ts';

interface Props {
  readonly model: Model;
  readonly problems: readonly Problem[];
  /** The quick entry asks only for what must be filled. */
  readonly quick: boolean;
}

/** The fields that the organisation has added to this kind of document. */
export function AdditionalFields({ model, problems, quick }: Props) {
  const fields = useAdditionalFields(model.name) ?? [];
  return fields
    .filter(({ active, required }) => active && (required || !quick))
    .map((field) => <Additional key={field.key} model={model} problems={problems} field={field} />);
}

function Additional({ model, problems, field }: Omit<Props, 'quick'> & { readonly field: AdditionalField }) {
  const { format } = useDateFormat();
  const name = additionalPath(field.key);
  const common: FieldProps = {
    label: t(field.label),
    name,
    value: useHead(model, name),
    onChange: (value) => model.head.set({ [name]: value }),
    error: problemAt(problems, name),
    ...(field.required && { required: true }),
  };
  switch (field.type) {
    case 'number':
      return <NumberField {...common} places={6} />;
    case 'date':
      return <DateField {...common} format={format} />;
    case 'choice':
      return (
        <SelectField
          {...common}
          choices={field.choices.map((value) => ({ value, label: value }))}
          empty={t('Choose')}
        />
      );
    case 'yesNo':
      return <SelectField {...common} choices={yesNo} empty={t('Choose')} />;
    case 'text':
      return <TextField {...common} maxLength={MOST_ADDITIONAL_TEXT} />;
  }
}

const yesNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
