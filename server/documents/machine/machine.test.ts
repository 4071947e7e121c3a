import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAll } from '../../../tools/testing/books.ts';
import { type TestDatabase, testDatabase } from '../../../tools/testing/database.ts';
import { type MachinePortal, machinePortal } from '../../../tools/testing/machine/portal.ts';
import { type Machine, machine, type Operated, type Settings } from '../../../tools/testing/machine/run.ts';
import { portalWeights, type StepName, weights } from '../../../tools/testing/machine/steps.ts';
import { brokenInvariants } from '../../kit/database/invariants.ts';
import { type Books, openBooks } from '../../kit/database/sql.ts';

/** How many operations in all, and from which seed; both can be set. `npm run check -- --all` does the 20,000 of G-06. */
const OPERATIONS = Number(process.env['BAHI_OPERATIONS'] ?? (process.env['BAHI_ALL'] === '1' ? 20_000 : 3000));
const SEED = Number(process.env['BAHI_SEED'] ?? 20_261_121);
/** Most operations of one run, which begins with empty books. */
const LONGEST = 400;
/** Runs go on side by side, each with another way to keep stock. */
const LANES: readonly Settings[] = [
  {},
  { valuation: 'fifo' },
  { stockAccounting: 'periodic' },
  { isAllowNegative: true },
];
const FAILURES = path.join(import.meta.dirname, 'failures');

let db: TestDatabase;
/** The connections of all runs. */
let books: Books;
const seen = new Map<string, number>();
beforeAll(async () => {
  db = await testDatabase();
  books = openBooks(db.url);
});
afterAll(async () => {
  await books.end();
  await db.drop();
});

class Command implements fc.AsyncCommand<object, Machine> {
  readonly operated: Operated;
  readonly did: () => void;
  constructor(operated: Operated, did: () => void) {
    this.operated = operated;
    this.did = did;
  }
  check = () => true;
  run = async (_: object, real: Machine) => {
    if (await real.step(this.operated)) this.did();
  };
  toString = () => JSON.stringify(this.operated);
}

const number = fc.nat(9_999);
const operating = (often: Readonly<Partial<Record<StepName, number>>>): fc.Arbitrary<Operated> =>
  fc.tuple(
    fc.constantFrom(0 as const, 0 as const, 1 as const),
    fc.oneof(
      ...(Object.entries(often) as [StepName, number][]).map(([name, weight]) => ({
        weight,
        arbitrary: fc.constant(name),
      })),
    ),
    fc.tuple(number, number, number, number),
  );

/** Runs from empty books until so many operations were done; a failure is reported in the form that is kept under failures/. */
async function lane(settings: Settings, seed: number, most: number, portal?: MachinePortal): Promise<number> {
  let done = 0;
  const did = () => {
    done += 1;
  };
  const commands = fc.commands<object, Machine, false>(
    [operating(portal ? portalWeights : weights).map((one) => new Command(one, did))] as never,
    {
      maxCommands: LONGEST,
      size: 'max',
    },
  );
  const property = fc.asyncProperty(commands, async (all) => {
    if (done >= most) return;
    const real = await machine(db, { settings, seen, books, ...(portal && { portal }) });
    try {
      await fc.asyncModelRun(() => ({ model: {}, real }), all as never);
      await real.compare();
    } finally {
      await real.end();
    }
  });
  // there are more runs than are needed: the last of them find that all is done
  // what fails is shrunk and reported with its settings, to be kept
  await fc.assert(property, { seed, numRuns: Math.ceil((20 * most) / LONGEST), interruptAfterTimeLimit: 600_000 });
  return done;
}

test('the machine sees a paisa that is missing, and a piece too many', async () => {
  const real = await machine(db, { books });
  const [ours] = real.organisations;
  const spoil = async (table: string, column: string, by: number) => {
    await db.owner.query(`update ${table} set ${column} = ${column} + $2 where organisation = $1`, [ours, by]);
  };
  try {
    await real.step([0, 'buy', [0, 1, 0, 0]]);
    for (const [table, column] of [
      ['open_items', 'open'],
      ['item_balances', 'quantity'],
    ] as const) {
      await spoil(table, column, -1);
      await expect(real.compare()).rejects.toThrow('in the end');
      await expect(real.step([0, 'journal', [0, 1, 0, 0]])).rejects.toThrow('after PostTransactionCalls');
      await spoil(table, column, 1);
    }
    await real.compare();
    // and a paisa of tax withheld that a challan is said to have paid
    await real.step([0, 'buyWork', [0, 1, 100, 0]]);
    await real.step([0, 'payTax', [1, 2, 1, 2]]);
    await real.compare();
    await spoil('tax_challan_parts', 'amount', 1);
    await expect(real.compare()).rejects.toThrow('of tds the books tell');
    await expect(real.step([0, 'readTax', [0, 0, 0, 0]])).rejects.toThrow('of tds the books tell');
    await spoil('tax_challan_parts', 'amount', -1);
    await real.compare();
  } finally {
    await real.end();
  }
});

test('the machine sees a supply that is taxed as if its buyer were of another category', async () => {
  const real = await machine(db, { books });
  try {
    await real.step([0, 'sellTo', [0, 30, 0, 8]]);
    await db.owner.query(
      `update parties set category = 'sezUnit' where organisation = $1 and side = 'customer' and category = 'registered'`,
      [real.organisations[0]],
    );
    await expect(real.step([0, 'sellTo', [0, 30, 0, 8]])).rejects.toThrow('the total 50.00 is not 5900');
  } finally {
    await real.end();
  }
});

test('whatever failed once holds: each kept failure is run again', async () => {
  for (const file of fs.readdirSync(FAILURES).filter((name) => name.endsWith('.json'))) {
    const { settings, operations } = JSON.parse(fs.readFileSync(path.join(FAILURES, file), 'utf8')) as {
      settings?: Settings;
      operations: Operated[];
    };
    const real = await machine(db, { settings: settings ?? {}, books });
    try {
      for (const one of operations) await real.step(one);
      await real.compare();
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
    } finally {
      await real.end();
    }
  }
}, 300_000);

test(`G-06: ${OPERATIONS} operations on the books of two organisations go as the small books in memory foresee`, async () => {
  const share = Math.ceil(OPERATIONS / LANES.length);
  const done = await Promise.all(LANES.map((settings, n) => lane(settings, SEED + n, share)));
  expect(done.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(OPERATIONS);
  const table = Object.fromEntries([...seen].sort());
  if (process.env['BAHI_OPERATIONS']) process.stdout.write(`${JSON.stringify(table, undefined, 1)}\n`);
  if (OPERATIONS < 5000) return;
  // a machine that is refused everything would foresee that too
  const never = (Object.keys(weights) as StepName[]).filter((name) => weights[name] > 0 && !seen.has(`${name} done`));
  expect(never).toEqual([
    'sellWithout',
    'keyReused',
    'reachOver',
    'contradict',
    'restate',
    'nameWrong',
    'setOffTooMuch',
    'noMoney',
    'point',
  ]);
  const codes = new Set([...seen.keys()].map((how) => how.split(' ')[1]));
  expect([...codes].sort()).toEqual([
    'alreadyCancelled',
    'alreadyPosted',
    'batchShort',
    'cannotChange',
    'cannotClose',
    'cannotReopen',
    'done',
    'figuresChanged',
    'keyReused',
    'moreThanGiven',
    'noAccess',
    'notCancellable',
    'notFound',
    'overAllocated',
    'periodLocked',
    'problems',
    'returnWithoutSource',
    'serialAway',
    'serialTwice',
    'settled',
    'sourceExceeded',
    'stale',
    'stockShort',
    'yearClosed',
  ]);
}, 1_200_000);

test('whatever the portal answers, a document that is registered has exactly one IRN, and none that lives once it was cancelled', async () => {
  const portal = await machinePortal(db, books);
  try {
    const most = Math.ceil(OPERATIONS / 100);
    expect(await lane({}, SEED, most, portal)).toBeGreaterThanOrEqual(most);
  } finally {
    await portal.end();
  }
  if (OPERATIONS < 5000) return;
  const outcomes = ['register done', 'cancelIrn done', 'cancelIrn irpRefused', 'cancel notCancellable', 'cancel done'];
  expect(outcomes.filter((how) => !seen.has(how))).toEqual([]);
}, 300_000);

test('after all of it every invariant holds', async () => {
  await sealAll(db);
  expect(await brokenInvariants(db.owner)).toEqual([]);
}, 300_000);
