import type pg from 'pg';
import { millionths } from '../../domain/decimal.ts';
import { paise } from '../../domain/money.ts';
import type { Method, Step } from '../../domain/valuation.ts';

export interface MovementRow {
  readonly organisation: number;
  readonly method: Method;
  readonly item: string;
  readonly location: string;
  readonly document: string;
  readonly number: number;
  readonly date: string;
  readonly quantity: string;
  readonly stated_value: string | null;
  readonly cost: string;
}

export interface ShelfMoved {
  readonly organisation: number;
  readonly method: Method;
  readonly item: string;
  readonly location: string;
  /** In date order. */
  readonly moved: readonly MovementRow[];
}

const PORTION = 5000;

/** Every shelf with all its movements, one after the other, read in portions inside the open transaction. */
export async function* shelvesMoved(client: pg.PoolClient): AsyncGenerator<ShelfMoved> {
  await client.query(`declare moved no scroll cursor for
    select m.organisation, coalesce(o.settings ->> 'valuation', 'average') as method, m.item, m.location, m.document, m.number, m.date::text as date, m.quantity, m.stated_value, c.cost
      from movements m join organisations o on o.organisation = m.organisation
      join lateral (select cost from movement_costs k where k.organisation = m.organisation and k.document = m.document and k.number = m.number order by revision desc limit 1) c on true
     order by m.organisation, m.item, m.location, m.date, m.sequence`);
  let shelf: MovementRow[] = [];
  for (;;) {
    const { rows } = await client.query<MovementRow>(`fetch ${PORTION} from moved`);
    for (const row of rows) {
      const [first] = shelf;
      if (
        first &&
        !(first.organisation === row.organisation && first.item === row.item && first.location === row.location)
      ) {
        yield { ...first, moved: shelf };
        shelf = [];
      }
      shelf.push(row);
    }
    if (rows.length === 0) break;
  }
  const [first] = shelf;
  if (first) yield { ...first, moved: shelf };
  await client.query('close moved');
}

/** As in posting: a receipt keeps what it was stated at, a return or an arrival the cost it came with. */
export const stepOf = (m: MovementRow): Step => ({
  quantity: millionths(Number(m.quantity)),
  ...(m.stated_value !== null
    ? { value: paise(Number(m.stated_value)) }
    : Number(m.quantity) > 0
      ? { value: paise(Number(m.cost)) }
      : {}),
});
