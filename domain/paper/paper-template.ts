import { say } from '../base/say.ts';
import type { Problem } from '../document/document.ts';
import { kindCalled } from '../document/kinds/index.ts';

/** Columns that the lines of an invoice may have, with the rule of law that asks for one: such a column cannot be left out. */
export const paperColumns = {
  number: { label: '#' },
  description: { label: 'Description', rule: 'rule 46(h)' },
  hsn: { label: 'HSN/SAC', rule: 'rule 46(g)' },
  quantity: { label: 'Qty', rule: 'rule 46(i)' },
  unit: { label: 'Unit', rule: 'rule 46(i)' },
  rate: { label: 'Rate' },
  discount: { label: 'Discount' },
  gstRate: { label: 'GST %', rule: 'rule 46(l)' },
  taxable: { label: 'Taxable value', rule: 'rule 46(k)' },
} as const satisfies Record<string, { readonly label: string; readonly rule?: string }>;
export type PaperColumnName = keyof typeof paperColumns;
export const paperColumnNames = Object.keys(paperColumns) as readonly PaperColumnName[];
const ruleOf = (name: PaperColumnName): string | undefined => (paperColumns[name] as { readonly rule?: string }).rule;

export const paperSizes = [
  ['A4', 'A4'],
  ['A5', 'A5'],
  ['roll', 'Roll of 80 mm'],
] as const;
export const paperColours = [
  ['#1a2230', 'Black'],
  ['#104dba', 'Blue'],
  ['#4338ca', 'Indigo'],
  ['#7c3aed', 'Violet'],
  ['#0f766e', 'Teal'],
  ['#15803d', 'Green'],
  ['#b45309', 'Amber'],
  ['#b91c1c', 'Red'],
  ['#475569', 'Slate'],
] as const;
export const logoPlaces = [
  ['left', 'Left of the supplier'],
  ['right', 'At the right'],
  ['none', 'No logo'],
] as const;

/** How a paper looks: what of it is a matter of taste. What the law asks for is no matter of a template. */
export interface PaperTemplate {
  readonly size: (typeof paperSizes)[number][0];
  readonly colour: string;
  readonly logo: (typeof logoPlaces)[number][0];
  /** In this order, under these words. */
  readonly columns: readonly { readonly column: PaperColumnName; readonly label: string }[];
  readonly terms: string;
  readonly bank: boolean;
  readonly upi: boolean;
  readonly signatory: string;
  readonly footer: string;
}

const isColumn = (name: unknown): name is PaperColumnName =>
  typeof name === 'string' && Object.hasOwn(paperColumns, name);
const oneOf = <T extends string>(known: readonly (readonly [T, string])[], value: unknown, usual: T): T =>
  known.find(([name]) => name === value)?.[0] ?? usual;
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const isOn = (value: unknown): boolean => value === undefined || value === true || value === 'true';
interface Typed {
  readonly column?: unknown;
  readonly label?: unknown;
}
const typedColumns = (value: unknown): readonly Typed[] =>
  Array.isArray(value) ? (value as Typed[]).filter(({ column }) => text(column) !== '') : [];

/**
 * Whether the rules on invoices, notes and challans bind the papers of these kinds; what we order or was billed to us
 * is a matter of taste.
 */
const isBound = (kinds: unknown): boolean => {
  const named = Array.isArray(kinds) ? kinds.map((name) => kindCalled(String(name))) : [];
  return (
    named.length === 0 ||
    named.some(
      (kind) =>
        kind === undefined ||
        ['taxInvoice', 'billOfSupply', 'challan'].includes(kind.paper.form) ||
        (kind.paper.form === 'note' && kind.gst.tax === 'output'),
    )
  );
};

/** A template as its master has it; what is not said is as usual, and what the law asks for is never missing. */
export function readTemplate(values: Readonly<Record<string, unknown>>): PaperTemplate {
  const typed = typedColumns(values['columns']).flatMap(({ column, label }) =>
    isColumn(column) ? [{ column, label: text(label) || paperColumns[column].label }] : [],
  );
  const chosen = typed.filter(({ column }, at) => typed.findIndex((other) => other.column === column) === at);
  const missing = paperColumnNames.filter(
    (name) =>
      (chosen.length === 0 || (isBound(values['kinds']) && ruleOf(name) !== undefined)) &&
      !chosen.some(({ column }) => column === name),
  );
  return {
    size: oneOf(paperSizes, values['size'], 'A4'),
    colour: oneOf(paperColours, values['colour'], '#1a2230'),
    logo: oneOf(logoPlaces, values['logo'], 'left'),
    columns: [...chosen, ...missing.map((column) => ({ column, label: paperColumns[column].label }))],
    terms: text(values['terms']),
    bank: isOn(values['bank']),
    upi: isOn(values['upi']),
    signatory: text(values['signatory']) || 'Authorised signatory',
    footer: text(values['footer']),
  };
}

/** What is wrong with the columns of a template: one twice, or one left out that the law asks for. */
export function columnProblems(value: unknown, kinds?: unknown): Problem[] {
  const typed = typedColumns(value);
  if (typed.length === 0) return [];
  const twice = typed.flatMap(({ column }, row) =>
    typed.findIndex((other) => other.column === column) < row
      ? [{ field: 'columns.column', row, ...say('This column already exists') }]
      : [],
  );
  const left = paperColumnNames.flatMap((name) =>
    !isBound(kinds) || ruleOf(name) === undefined || typed.some(({ column }) => column === name)
      ? []
      : [
          {
            field: 'columns',
            ...say('{{paperColumns}} cannot be left out: {{name}} of the CGST Rules asks for it', {
              paperColumns: paperColumns[name].label,
              name: ruleOf(name),
            }),
          },
        ],
  );
  return [...twice, ...left];
}
