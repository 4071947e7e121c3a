import { workOnImport } from '../server/imports/index.ts';
import { systemClock } from '../server/kit/clock.ts';
import { openBooks } from '../server/kit/database/sql.ts';
import { newId } from '../server/kit/ids.ts';
import { median, type Row } from './table.ts';
import type { Books, World } from './world.ts';

const ROWS = Number(process.env.BENCH_IMPORTED ?? 1000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** An import of suppliers that is checked and begun, as its wizard leaves it. */
async function begun({ superuser }: World, { organisation, email }: Books, round: number): Promise<string> {
  const id = newId();
  await superuser.query(
    `
      insert into imports (organisation, id, master, name, size, state, headings, columns, rows, by)
      select $1, $2, 'supplier', 'bench.csv', 1, 'importing', '{Code,Name,Phone}', '["code","name","phone"]', $4, u.id
      from users u
      where u.organisation = $1 and u.email = $3
    `,
    [organisation, id, email, ROWS],
  );
  await superuser.query(
    `
      insert into import_rows (organisation, import, row, cells)
      select $1, $2, n + 1, array['I' || $4::int || '-' || n, 'Supplier ' || $4::int || ' ' || n, '98450' || n]
      from generate_series(1, $3::int) n
    `,
    [organisation, id, ROWS, round],
  );
  return id;
}

/** A job works for a while and leaves the rest to the next one. */
async function untilDone({ superuser }: World, work: () => Promise<void>, id: string): Promise<void> {
  for (;;) {
    await work();
    const { rowCount } = await superuser.query(`select from imports where id = $1 and state = 'done'`, [id]);
    if (rowCount === 1) return;
  }
}

/** The same records in one statement, with the indexes and the edit log of the table and none of the checks. */
const loaded = ({ superuser }: World, { organisation }: Books, round: number): Promise<unknown> =>
  superuser.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, search, body)
      select
        $1, gen_random_uuid(), 'L' || $3::int || '-' || n, 'Supplier ' || $3::int || ' ' || n, 'supplier', 'unregistered', '29',
        lower('L' || $3::int || '-' || n || ' supplier ' || $3::int || ' ' || n), jsonb_build_object('phone', '98450' || n)
      from generate_series(1, $2::int) n
    `,
    [organisation, ROWS, round],
  );

/** Masters that are imported, by the rate at which a statement loads the same ones. */
export async function* measureImports(world: World, own: Books): AsyncGenerator<Row> {
  const books = openBooks(world.database.url);
  const work = workOnImport({ books, clock: systemClock, changed: () => undefined });
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await begun(world, own, round);
    const imported = await timed(() =>
      untilDone(world, () => work({ organisation: own.organisation, import: id }), id),
    );
    ratios.push((await timed(() => loaded(world, own, round))) / imported);
    rates.push((ROWS / imported) * 1000);
  }
  await books.end();
  yield { what: 'Import of masters ÷ set-based load', value: median(ratios), better: 'more' };
  yield { what: 'Masters imported in a second', value: median(rates), unit: '', better: 'more' };
}
