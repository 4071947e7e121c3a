import {
  type AdditionalField,
  type AdditionalType,
  additionalPath,
  MOST_ADDITIONAL_TEXT,
} from '../domain/document/additional.ts';
import { kindNames, kindOf } from '../domain/document/kinds/index.ts';
import { type Field, type Master, type MasterName, masterNames, masters } from './masters.ts';

/** Masters whose records have no room for more: people and what posting reads, and these fields themselves. */
export const closedMasters: ReadonlySet<MasterName> = new Set([
  'user',
  'role',
  'group',
  'ledgerPosting',
  'numberSeries',
  'additionalField',
]);

/** What additional fields may be added to: every kind that people write and every other master. */
export const subjects: readonly (readonly [name: string, label: string])[] = [
  ...kindNames.filter((kind) => !kindOf(kind).life.system).map((kind) => [kind, kindOf(kind).label] as const),
  ...masterNames.filter((name) => !closedMasters.has(name)).map((name) => [name, masters[name].label] as const),
];

const fieldTypes: Readonly<Record<AdditionalType, (field: AdditionalField) => Partial<Field> & Pick<Field, 'type'>>> = {
  text: () => ({ type: 'text', most: MOST_ADDITIONAL_TEXT }),
  number: () => ({ type: 'quantity' }),
  date: () => ({ type: 'day' }),
  choice: ({ choices }) => ({ type: 'choice', choices: choices.map((each) => [each, each] as const) }),
  yesNo: () => ({
    type: 'choice',
    choices: [
      ['yes', 'Yes'],
      ['no', 'No'],
    ],
  }),
};

/** The row by which a form draws, checks and lists it. */
export const fieldRow = (field: AdditionalField): Field => ({
  ...fieldTypes[field.type](field),
  label: field.label,
  section: 'Additional fields',
  ...(field.required && { required: true as const }),
});

/** A master with the fields that its organisation has added to it. */
export function withAdditional(name: string, master: Master, all: readonly AdditionalField[]): Master {
  const own = all.filter(({ active, appliesTo }) => active && appliesTo.includes(name));
  if (own.length === 0) return master;
  return {
    ...master,
    fields: {
      ...master.fields,
      ...Object.fromEntries(own.map((field) => [additionalPath(field.key), fieldRow(field)])),
    },
    list: [...master.list, ...own.filter(({ inLists }) => inLists).map(({ key }) => additionalPath(key))],
  };
}
