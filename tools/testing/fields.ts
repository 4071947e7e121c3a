import { z } from 'zod';

/** A field of an input by its names from the top; '0' stands for the first element of a list. */
export type Path = readonly string[];

interface Shape {
  readonly format?: string;
  readonly type?: string;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Names that choose a record, an organisation or a person though their shape is plain text. */
const choosing =
  /^(id|(?!client|transporter).*Ids?|[oO]rgCode|SubOrgCode|OrgBranchCode|UserName|createdBy|IrnNumber|InvoiceNo|TransactionNumber|after|[sS]earch)$/;

const shapeOf = (input: z.ZodType): Shape => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape;

function* fieldsOf(shape: Shape, path: Path = []): Generator<readonly [Path, Shape]> {
  yield [path, shape];
  for (const one of shape.anyOf ?? []) yield* fieldsOf(one, path);
  if (shape.items) yield* fieldsOf(shape.items, [...path, '0']);
  for (const [name, one] of Object.entries(shape.properties ?? {})) yield* fieldsOf(one, [...path, name]);
}

/** Every field of an input that names a record: a uuid, or plain text that chooses one. */
export function namingFields(input: z.ZodType): Path[] {
  const found = [...fieldsOf(shapeOf(input))].filter(([path, shape]) => {
    const name = path.filter((p) => p !== '0').at(-1) ?? '';
    return shape.format === 'uuid' || (shape.type === 'string' && shape.format === undefined && choosing.test(name));
  });
  return [...new Map(found.map(([path]) => [path.join('.'), path])).values()];
}

/** Every field of an input that holds text of whatever shape. */
export const textFields = (input: z.ZodType): Path[] => {
  const found = [...fieldsOf(shapeOf(input))].filter(([path, shape]) => path.length > 0 && shape.type === 'string');
  return [...new Map(found.map(([path]) => [path.join('.'), path])).values()];
};

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The input with another value in a field. What should hold the field and is not there is made from `parts`, by its name. */
export function withValue(
  input: unknown,
  path: Path,
  value: unknown,
  parts: Readonly<Record<string, unknown>> = {},
): unknown {
  const copy: unknown = structuredClone(input);
  let at = copy;
  for (const [depth, name] of path.entries()) {
    if (!isNode(at)) throw new Error(`${path.join('.')}: nothing holds ${name}`);
    if (depth === path.length - 1) at[name] = value;
    else at[name] ??= structuredClone(parts[name] ?? (path[depth + 1] === '0' ? [] : {}));
    at = at[name];
  }
  return copy;
}
