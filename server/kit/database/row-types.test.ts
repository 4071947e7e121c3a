import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differencesOf, SHAPES } from '../../../tools/row-types/compared.ts';
import { type Describer, describer } from '../../../tools/row-types/described.ts';
import { NOT_COMPARED, RIGHT } from '../../../tools/row-types/exceptions.ts';
import { openRoom, type RoomTypes } from '../../../tools/row-types/program.ts';
import { NotConstant, textsOf } from '../../../tools/row-types/statement-text.ts';
import { type Statement, statementsOf } from '../../../tools/row-types/statements.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import './sql.ts'; // it sets what the driver makes of a date

let db: TestDatabase;
let client: pg.Client;
let database: Describer;
let room: RoomTypes;
beforeAll(async () => {
  db = await testDatabase();
  client = new pg.Client({ connectionString: db.ownerUrl });
  await client.connect();
  database = await describer(client);
  room = openRoom('server');
});
afterAll(async () => {
  room.close();
  await client.end();
  await db.drop();
});

/** What is wrong with a statement: its row type, or that it cannot be compared. */
async function faultsOf({ text, row }: Statement): Promise<readonly string[]> {
  try {
    const answers = [];
    for (const one of textsOf(room, text)) {
      if (/^fetch /.test(one)) throw new NotConstant('fetch');
      answers.push(await database.columnsOf(one));
    }
    return differencesOf(room, row, answers);
  } catch (error) {
    if (error instanceof NotConstant) return [`not known before it runs: ${error.message.split('\n')[0]}`];
    return [`refused by the database: ${(error as Error).message}`];
  }
}

test('row types of SQL statements: each column exists, with its type and its nulls', async () => {
  const statements = statementsOf(room);
  expect(statements.length).toBeGreaterThan(500);
  const accepted = new Map<string, boolean>([
    ...NOT_COMPARED.map(({ file, part }) => [`${file}: not known before it runs: ${part}`, false] as const),
    ...RIGHT.map(({ file, difference }) => [`${file}: ${difference}`, false] as const),
  ]);
  const faults: string[] = [];
  for (const statement of statements)
    for (const fault of await faultsOf(statement)) {
      const key = `${statement.file}: ${fault}`;
      if (accepted.has(key)) accepted.set(key, true);
      else faults.push(`${statement.file}:${statement.line}: ${fault}`);
    }
  expect(faults).toEqual([]);
  // an exception that no statement needs any more is deleted
  expect([...accepted].flatMap(([key, needed]) => (needed ? [] : [key]))).toEqual([]);
  // the tables only shrink
  expect(NOT_COMPARED.length).toBeLessThanOrEqual(14);
  expect(RIGHT.length).toBeLessThanOrEqual(9);
}, 120_000);

test('a row type with a wrong name, type or null: each is found', async () => {
  const [statement] = statementsOf(room).filter(({ file }) => file === 'server/access/whole.ts');
  expect(statement).toBeDefined();
  const differences = async (text: string) =>
    differencesOf(room, statement?.row as Statement['row'], [await database.columnsOf(text)]);
  expect(await differences('select true as whole')).toEqual([]);
  expect(await differences('select active as whole from users')).toEqual(['whole is never null']);
  expect(await differences('select 1 as whole')).toEqual(['whole is int4: the driver gives number, not false']);
  expect(await differences('select true as all')).toEqual(['all is not in the row type', 'whole is not in the answer']);
});

test('an outer join: columns of its optional side may be null, unless a condition excludes it', async () => {
  const notNull = async (text: string) => (await database.columnsOf(text)).map((column) => column.notNull);
  const joined = `select d.number, c.reason from documents d
    left join cancellations c on c.organisation = d.organisation and c.document = d.id`;
  expect(await notNull(joined)).toEqual([true, false]);
  expect(await notNull(`${joined} where c.reason <> ''`)).toEqual([true, true]);
});

test.each(Object.entries(SHAPES))('the driver gives %s as %s', async (type, shape) => {
  const { rows } = await client.query<{ value: unknown }>(
    `select ${SAMPLES[type] ?? SAMPLES[shape]}::${type} as value`,
  );
  const value = rows[0]?.value;
  const [element] = Array.isArray(value) ? value : [value];
  const kind = element instanceof Date || Buffer.isBuffer(element) ? element.constructor.name : typeof element;
  expect(`${kind}${Array.isArray(value) ? '[]' : ''}`.replace('object', 'json')).toBe(shape);
});

/** A value of each type, by the name of the type or by what the driver gives. */
const SAMPLES: Readonly<Record<string, string>> = {
  boolean: `'t'`,
  'boolean[]': `'{t}'`,
  number: `'1'`,
  'number[]': `'{1}'`,
  ...{ int8: `'1'`, numeric: `'1'`, text: `'1'`, name: `'1'`, date: `'2026-04-01'`, inet: `'127.0.0.1'` },
  uuid: `'00000000-0000-0000-0000-000000000001'`,
  'string[]': `'{00000000-0000-0000-0000-000000000001}'`,
  _int8: `'{1}'`,
  Date: `'2026-04-01'`,
  Buffer: `'1'`,
  json: `'{}'`,
};
