import type { Books, World } from './world.ts';

const columnsOf = async ({ superuser }: World, table: string): Promise<string[]> =>
  (
    await superuser.query<{ name: string }>(
      `
        select quote_ident(column_name) as name
        from information_schema.columns
        where table_schema = 'public' and table_name = $1
        order by ordinal_position
      `,
      [table],
    )
  ).rows.map((r) => r.name);

/** What differs from copy to copy, by table and column; every other column is the posted invoice's own. */
const changed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  documents: {
    id: 'c.id',
    number: 'c.number',
    date: 'c.date',
    due_date: 'c.date + 30',
    financial_year: 'c.year',
    party: 'c.party',
    series: 'null',
    body: `'{}'`,
  },
  document_lines: { document: 'c.id', item: 'c.items[1 + (c.n + t.line) % cardinality(c.items)]' },
  entries: { document: 'c.id', date: 'c.date', party: 'case when t.party is not null then c.party end' },
  movements: {
    document: 'c.id',
    date: 'c.date',
    sequence: `nextval('movement_sequence')`,
    item: 'c.items[1 + (c.n + t.line) % cardinality(c.items)]',
  },
  movement_costs: { document: 'c.id', cause: 'c.id' },
  open_items: { document: 'c.id', date: 'c.date', due_date: 'c.date + 30', party: 'c.party' },
};

/**
 * Fills books with so many copies of a posted invoice over three years up to yesterday, set-based and without posting: what
 * posting would have written, totals and stock balances included. `bare` leaves out lines, entries and stock.
 */
export async function fill(
  world: World,
  books: Books,
  invoice: string,
  count: number,
  { bare = false } = {},
): Promise<void> {
  const { superuser } = world;
  const { organisation, items, parties } = books;
  await superuser.query('begin');
  await superuser.query(`set local session_replication_role = replica`); // triggers and foreign keys were the invoice's
  await superuser.query(
    `
      create temp table copies on commit drop as
      select
        n, date,
        case
          when extract(month from date) < 4
            then to_char(date - interval '1 year', 'YYYY') || '-' || to_char(date, 'YY')
          else to_char(date, 'YYYY') || '-' || to_char(date + interval '1 year', 'YY')
        end as year,
        (
          lpad(
            to_hex(extract(epoch from date)::bigint * 1000), 12, '0'
          ) || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || lpad(to_hex(n), 15, '0')
        )::uuid as id,
        'OLD/' || n as number, ($1::uuid[])[1 + n % $3] as party, $2::uuid[] as items
      from (
        select n, current_date - 1096 + (n::bigint * 1095 / $4)::int as date from generate_series(1, $4::int) n
      ) d
    `,
    [parties, items, parties.length, count],
  );
  const tables = bare ? ['documents', 'open_items'] : Object.keys(changed);
  for (const table of tables) {
    const columns = await columnsOf(world, table);
    const key = table === 'documents' ? 't.id' : 't.document';
    await superuser.query(
      `
        insert into ${table} (${columns.join(', ')})
        select ${columns.map((c) => changed[table]?.[c] ?? `t.${c}`).join(', ')}
        from copies c, ${table} t
        where t.organisation = $1 and ${key} = $2
        order by c.n
      `,
      [organisation, invoice],
    );
  }
  if (!bare) await carryOver(world, organisation);
  await superuser.query('commit');
  for (const table of tables) await superuser.query(`vacuum analyze ${table}`);
}

/** Totals and stock balances follow from what was copied. */
async function carryOver({ superuser }: World, organisation: number): Promise<void> {
  for (const [table, column, day] of [
    ['ledger_day_totals', 'day', 'e.date'],
    ['ledger_month_totals', 'month', `date_trunc('month', e.date)::date`],
  ])
    await superuser.query(
      `
        insert into ${table} as t (organisation, ledger, location, ${column}, slot, debit, credit)
        select e.organisation, e.ledger, e.location, ${day}, 0, sum(e.debit), sum(e.credit)
        from entries e
        join copies c on c.id = e.document
        where e.organisation = $1
        group by 1, 2, 3, 4
        on conflict (organisation, ledger, location, ${column}, slot) do update
        set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
      `,
      [organisation],
    );
  await superuser.query(
    `
      update item_balances b
      set quantity = b.quantity + m.quantity, value = b.value + m.cost, last_date = greatest(b.last_date, m.last)
      from (
        select m.item, m.location, sum(m.quantity) as quantity, sum(k.cost) as cost, max(m.date) as last
        from copies c
        join movements m on m.organisation = $1 and m.document = c.id
        join movement_costs k on k.organisation = $1 and k.document = m.document and k.number = m.number
        group by 1, 2
      ) m
      where b.organisation = $1 and b.item = m.item and b.location = m.location
    `,
    [organisation],
  );
}

/**
 * Adds so many customers and as many items, with names of three words as the trade has them: ten first names, 400 names of families
 * or brands, seven trades.
 */
export async function fillRecords({ superuser }: World, { organisation }: Books, count: number): Promise<void> {
  const words = `
    select
      n,
      (array['Asha', 'Bharat', 'Chandra', 'Deepak', 'Ekta', 'Ganesh', 'Hari', 'Indira', 'Jaya', 'Kiran'])[1 + n % 10]
        || ' ' || syllables[1 + (n / 10) % 20] || lower(syllables[1 + (n / 200) % 20])
        || ' ' || (array['Traders', 'Mills', 'Stores', 'Textiles', 'Agencies', 'Motors', 'Foods'])[1 + n % 7] as name
    from
      generate_series(1, $2::int) n,
      (
        select array[
          'Sha', 'Rma', 'Gup', 'Kri', 'Shna', 'Ved', 'Man', 'Bal', 'Dev', 'Nat', 'Pur', 'Raj', 'Ser', 'Tha', 'Var', 'Yog',
          'Lak', 'Mur', 'Nir', 'Oma'
        ] as syllables
      ) s`;
  await superuser.query(
    `
      insert into parties (organisation, id, code, name, side, category, state, search)
      select
        $1, gen_random_uuid(), 'R' || n, name, 'customer', 'unregistered', '29', lower('R' || n || ' ' || name)
      from (${words}) w
    `,
    [organisation, count],
  );
  await superuser.query(
    `
      insert into items (
        organisation, id, sku, name, service, stocked, hsn, unit, treatment, gst_rate, sale_rate, purchase_rate, search
      )
      select
        $1, gen_random_uuid(), 'R' || n, name, false, true, '84713010', 'NOS', 'taxable', 180000, 100000000, 60000000,
        lower('R' || n || ' ' || name)
      from (${words}) w
    `,
    [organisation, count],
  );
  await superuser.query('analyze parties, items');
}
