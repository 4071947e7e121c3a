import { type Type, TypeFlags } from 'typescript/unstable/sync';
import type { Column } from './described.ts';
import { membersOf, type RoomTypes } from './program.ts';

/** What the driver makes of the types of PostgreSQL; `json` is whatever was stored. server/kit/database/row-types.test.ts asks it. */
export const SHAPES = {
  ...{ bool: 'boolean', _bool: 'boolean[]' },
  ...{ int2: 'number', int4: 'number', oid: 'number', float8: 'number', _int4: 'number[]' },
  ...{ int8: 'string', numeric: 'string' },
  ...{ text: 'string', name: 'string', uuid: 'string', inet: 'string', date: 'string' },
  ...{ _text: 'string[]', _uuid: 'string[]', _int8: 'string[]' },
  timestamptz: 'Date',
  bytea: 'Buffer',
  ...{ json: 'json', jsonb: 'json' },
} as const;

/** What differs between the row type that the source asserts and the columns of all texts that its statement may have. */
export function differencesOf(room: RoomTypes, row: Type, answers: readonly (readonly Column[])[]): string[] {
  const { checker } = room;
  const properties = new Map(
    checker.getPropertiesOfType(row).map((each) => [each.name, checker.getTypeOfSymbol(each)]),
  );
  const found = answers.flatMap((columns) => [
    ...columns.flatMap((column) => {
      const type = properties.get(column.name);
      if (!type) return column.fromStar || !properties.size ? [] : [`${column.name} is not in the row type`];
      return differenceOf(room, type, column).map((difference) => `${column.name} ${difference}`);
    }),
    ...[...properties].flatMap(([name, type]) =>
      columns.some((column) => column.name === name) || (type && includes(type, TypeFlags.Undefined))
        ? []
        : [`${name} is not in the answer`],
    ),
  ]);
  const neverNull = (name: string) => answers.every((columns) => columns.find((each) => each.name === name)?.notNull);
  for (const [name, type] of properties)
    if (type && includes(type, TypeFlags.Null) && neverNull(name)) found.push(`${name} is never null`);
  return [...new Set(found)];
}

function differenceOf(room: RoomTypes, type: Type, column: Column): string[] {
  if (type.flags & TypeFlags.AnyOrUnknown) return [];
  const shape = Object.hasOwn(SHAPES, column.type) ? SHAPES[column.type as keyof typeof SHAPES] : undefined;
  if (shape === undefined) return [`is ${column.type}, which tools/row-types/compared.ts does not know`];
  const wrong = membersOf(type).find((one) => !(one.flags & TypeFlags.Nullable) && !fits(room, one, shape));
  if (wrong) return [`is ${column.type}: the driver gives ${shape}, not ${room.checker.typeToString(wrong)}`];
  return column.notNull === false && !includes(type, TypeFlags.Null) ? ['may be null'] : [];
}

const includes = (type: Type, flag: TypeFlags): boolean => membersOf(type).some((one) => one.flags & flag);

function fits(room: RoomTypes, type: Type, shape: string): boolean {
  const { checker } = room;
  switch (shape) {
    case 'json':
      return true;
    case 'string':
      return checker.isTypeAssignableTo(type, checker.getStringType());
    case 'number':
      return checker.isTypeAssignableTo(type, checker.getNumberType());
    case 'boolean':
      return checker.isTypeAssignableTo(type, checker.getBooleanType());
    case 'Date':
    case 'Buffer':
      return type.getSymbol()?.name === shape;
    default: {
      const element = shape.replace(/\[\]$/, '');
      return type.isTypeReference() && checker.getTypeArguments(type).every((one) => fits(room, one, element));
    }
  }
}
