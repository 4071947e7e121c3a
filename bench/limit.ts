import fs from 'node:fs';
import pg from 'pg';

/** One invoice in one statement: number, head, five lines, six entries, five movements, balances, totals, one log row. */
const ONE = `
  WITH
    s AS (UPDATE number_series SET next_no = next_no + 1 WHERE id = 1 RETURNING prefix || (next_no - 1) AS no),
    h AS (
      INSERT INTO invoice (
        company_id, series_id, no, date, party_id, place_of_supply, taxable, cgst, sgst, igst, round_off,
        total, outstanding, status, created_by
      )
      SELECT
        1, 1, s.no, date '2026-03-31', $1::int, '27', $2::bigint * 5, $3::bigint * 5, $3::bigint * 5, 0, 0,
        $2::bigint * 5 + $3::bigint * 10, $2::bigint * 5 + $3::bigint * 10, 'posted', 1
      FROM s
      RETURNING id
    ),
    v AS (SELECT * FROM unnest($5::int[]) WITH ORDINALITY t (i, n)),
    l AS (
      INSERT INTO invoice_line (
        invoice_id, line_no, item_id, description, hsn, qty, rate, gst_bp, taxable, cgst, sgst, igst
      )
      SELECT h.id, v.n, v.i, 'Item line', '8471', $4::numeric, 50000, 1800, $2, $3, $3, 0
      FROM h, v
    ),
    e AS (
      SELECT *
      FROM (
        VALUES
          (1, $1::int, $2::bigint * 5 + $3::bigint * 10, 0::bigint), (20, NULL, 0, $2::bigint * 5),
          (3, NULL, 0, $3::bigint * 5), (4, NULL, 0, $3::bigint * 5), (5, NULL, $2::bigint * 3, 0),
          (6, NULL, 0, $2::bigint * 3)
      ) e (a, p, d, c)
    ),
    g AS (
      INSERT INTO ledger_entry (company_id, voucher_type, voucher_id, date, account_id, party_id, debit, credit)
      SELECT 1, 1, h.id, date '2026-03-31', e.a, e.p, e.d, e.c
      FROM h, e
    ),
    k AS (
      INSERT INTO stock_move (company_id, voucher_type, voucher_id, date, item_id, warehouse_id, qty, value)
      SELECT 1, 1, h.id, date '2026-03-31', v.i, 1, -$4::numeric, $2::bigint * 3 / 5
      FROM h, v
    ),
    b AS (
      UPDATE stock_balance sb
      SET qty = sb.qty - $4::numeric, value = sb.value - $2::bigint * 3 / 5
      FROM v
      WHERE sb.item_id = v.i AND sb.warehouse_id = 1
    ),
    m AS (
      INSERT INTO account_month_slot AS t
      SELECT 1, e.a, date '2026-03-01', $6::int, e.d, e.c
      FROM e
      ORDER BY e.a
      ON CONFLICT (company_id, account_id, month, slot) DO UPDATE
      SET debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
    ),
    a AS (
      INSERT INTO audit (user_id, action, entity, entity_id, detail)
      SELECT 1, 'post', 'invoice', h.id, jsonb_build_object('total', $2::bigint)
      FROM h
    )
  SELECT id
  FROM h
`;

const below = (n: number) => Math.floor(Math.random() * n);

export interface Limit {
  post(client: number): Promise<void>;
  end(): Promise<void>;
}

/** The bare limit in a database of its own: one prepared statement for each invoice, a connection for each client. */
export async function openLimit(url: string, clients: number): Promise<Limit> {
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  await connections[0]?.query(fs.readFileSync(new URL('./limit.sql', import.meta.url), 'utf8'));
  return {
    post: async (client) => {
      const quantity = 1 + below(9);
      const items = [0, 1, 2, 3, 4].map((i) => i * 1000 + 1 + below(1000));
      await connections[client]?.query({
        name: 'one',
        text: ONE,
        values: [1 + below(20000), quantity * 50000, quantity * 4500, quantity, items, client % 8],
      });
    },
    end: async () => {
      for (const client of connections) await client.end();
    },
  };
}
