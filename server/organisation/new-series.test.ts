import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNames } from '../../domain/document/kinds/index.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';
import { addNewSeries } from './new-series.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

interface Series {
  readonly registration: string;
  readonly name: string;
  readonly prefix: string;
}
const seriesOf = async (kind: string): Promise<readonly Series[]> =>
  (
    await server.database.owner.query<Series>(
      `
        select registration, name, prefix
        from number_series
        where organisation = 1 and kind = $1 and location is null and till is null
        order by registration
      `,
      [kind],
    )
  ).rows;

/** Makes the database that of a release without the kind. */
const forget = async (kind: string): Promise<void> => {
  await server.database.owner.query('delete from offered_kinds where kind = $1', [kind]);
  await server.database.owner.query('delete from number_series where kind = $1', [kind]);
};
const start = async (): Promise<number> => {
  const client = await server.database.owner.connect();
  try {
    return await addNewSeries(client);
  } finally {
    client.release();
  }
};

test('a new kind gets the series in every registration that it would have got with the organisation, once', async () => {
  await start();
  const first = await seriesOf('deliveryChallan');
  expect(first.length).toBeGreaterThan(1);
  expect(new Set(first.map(({ prefix }) => prefix)).size).toBe(first.length);
  await forget('deliveryChallan');
  expect(await seriesOf('deliveryChallan')).toEqual([]);
  expect(await start()).toBeGreaterThanOrEqual(first.length);
  expect(await seriesOf('deliveryChallan')).toEqual(first);
  // a series that the organisation has taken away since does not come back with the next start
  await server.database.owner.query('delete from number_series where kind = $1', ['deliveryChallan']);
  expect(await start()).toBe(0);
  expect(await seriesOf('deliveryChallan')).toEqual([]);
});

test('a database of the release before is complete, and gets no second series of a kind', async () => {
  const { owner } = server.database;
  const count = async () => (await owner.query('select count(*)::int as n from number_series')).rows[0]?.n as number;
  await start();
  await owner.query('delete from offered_kinds');
  const before = await count();
  expect(await start()).toBe((await count()) - before);
  const offered = await owner.query<{ kind: string }>('select kind from offered_kinds');
  expect(offered.rows.map(({ kind }) => kind).sort()).toEqual([...kindNames].sort());
  const { rows } = await owner.query(`
    select registration, kind
    from number_series
    where location is null and till is null
    group by organisation, registration, kind
    having count(*) > 1
  `);
  expect(rows).toEqual([]);
});

test('a prefix that the organisation uses for something else is not given twice', async () => {
  const { owner } = server.database;
  await start();
  const first = await seriesOf('quotation');
  await forget('quotation');
  const taken = first[0]?.prefix ?? '';
  await owner.query(
    `
      update number_series set prefix = $1
      where organisation = 1 and registration = $2 and kind = 'deliveryChallan'
    `,
    [taken, first[0]?.registration],
  );
  await owner.query(
    `
      insert into number_series (organisation, id, name, kind, registration, prefix)
      select 1, gen_random_uuid(), 'Ours', 'saleOrder', $2, $1
    `,
    [taken, first[0]?.registration],
  );
  await start();
  const again = await seriesOf('quotation');
  expect(again.map(({ registration }) => registration)).toEqual(first.map(({ registration }) => registration));
  expect(again.map(({ prefix }) => prefix)).not.toContain(taken);
  expect(new Set(again.map(({ prefix }) => prefix)).size).toBe(first.length);
});
