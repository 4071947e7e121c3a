import type pg from 'pg';
import { millionths } from '../../../domain/base/decimal.ts';
import { paise } from '../../../domain/base/money.ts';
import type { Span } from '../../../domain/stock/cost-spans.ts';
import { type Placed, runThrough } from '../../../domain/stock/revalue.ts';
import type { LateCost, Method, StockState } from '../../../domain/stock/valuation.ts';

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
  readonly line: number;
  /** The document it cancels. */
  readonly reverses: string | null;
  /** The line it was made from. */
  readonly source_document: string | null;
  readonly source_line: number | null;
  /** Of goods that go back at their own cost: the duty on all goods of the line that they came in by. */
  readonly given_back: string | null;
  /** Of goods that come or go back: which stretches of the goods of their source they are. */
  readonly spans: readonly Span[] | null;
  /** Of a late cost on goods of which cost layers are kept, and of what undoes it. */
  readonly lateCost: LateCost | null;
}

export interface ItemMoved {
  readonly organisation: number;
  readonly method: Method;
  readonly item: string;
  /** At all its locations, in date order. */
  readonly moved: readonly MovementRow[];
}

/** Items that wait for a job to value them again: until then their costs are those of before. */
export async function beingRevalued(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ item: string }>('select distinct item from revaluations');
  return new Set(rows.map((r) => r.item));
}

const PORTION = 5000;

/** Every item with all its movements, one after the other, read in portions inside the open transaction. */
export async function* itemsMoved(client: pg.ClientBase): AsyncGenerator<ItemMoved> {
  // it is read to its end: a plan that is quick only with the first rows would look up each of the others
  await client.query('set local cursor_tuple_fraction = 1');
  await client.query(`
    declare moved no scroll cursor for
    with costs as (
      select distinct on (organisation, document, number) organisation, document, number, cost
      from movement_costs
      order by organisation, document, number, revision desc
    )
    select
      m.organisation, coalesce(o.settings ->> 'valuation', 'average') as method, m.item, m.location,
      m.document, m.number, m.date::text as date, m.quantity, m.stated_value, c.cost, m.line, d.reverses,
      l.source_document, l.source_line, d.body -> 'givenBack' ->> m.line::text as given_back,
      d.body -> 'costSpans' -> m.line::text as spans,
      coalesce(u.body, d.body) -> 'behind' -> m.line::text as "lateCost"
    from movements m
    join organisations o on o.organisation = m.organisation
    join costs c on c.organisation = m.organisation and c.document = m.document and c.number = m.number
    join documents d on d.organisation = m.organisation and d.id = m.document
    left join documents u on u.organisation = d.organisation and u.id = d.reverses
    left join document_lines l on l.organisation = m.organisation and l.document = m.document and l.line = m.line
    order by m.organisation, m.item, m.date, m.sequence
  `);
  let item: MovementRow[] = [];
  for (;;) {
    const { rows } = await client.query<MovementRow>(`fetch ${PORTION} from moved`);
    for (const row of rows) {
      const [first] = item;
      if (first && !(first.organisation === row.organisation && first.item === row.item)) {
        yield { ...first, moved: item };
        item = [];
      }
      item.push(row);
    }
    if (rows.length === 0) break;
  }
  const [first] = item;
  if (first) yield { ...first, moved: item };
  await client.query('close moved');
}

const keyOf = (document: string, number: number): string => `${document}/${number}`;

/** What a movement takes its cost from, as the view movement_sources says in SQL, found here a second time. */
function sourcesOf(moved: readonly MovementRow[]): (m: MovementRow) => MovementRow | undefined {
  const byKey = new Map(moved.map((m) => [keyOf(m.document, m.number), m]));
  const firstOfLine = new Map<string, MovementRow>();
  for (const m of moved) {
    const line = keyOf(m.document, m.line);
    const known = firstOfLine.get(line);
    if (!known || m.number < known.number) firstOfLine.set(line, m);
  }
  return (m) => {
    if (m.reverses !== null) return byKey.get(keyOf(m.reverses, m.number));
    const from =
      m.source_document === null || m.source_line === null
        ? undefined
        : firstOfLine.get(keyOf(m.source_document, m.source_line));
    if (Number(m.quantity) < 0)
      return from && m.given_back !== null && Number(from.quantity) > 0 && from.location === m.location
        ? from
        : undefined;
    if (m.stated_value !== null) return undefined;
    const before = byKey.get(keyOf(m.document, m.number - 1));
    if (before && before.line === m.line && Number(before.quantity) === -Number(m.quantity)) return before;
    return from;
  };
}

function placed(m: MovementRow, source: MovementRow | undefined): Placed {
  return {
    key: keyOf(m.document, m.number),
    balanceKey: m.location,
    quantity: millionths(Number(m.quantity)),
    ...(m.stated_value !== null && { stated: paise(Number(m.stated_value)) }),
    ...(m.lateCost && { lateCost: m.lateCost }),
    ...(source && {
      taken: {
        from: keyOf(source.document, source.number),
        quantity: millionths(Number(source.quantity)),
        cost: paise(Number(source.cost)),
        undoes: m.reverses !== null,
        ...(m.reverses === null && m.spans !== null && { spans: m.spans }),
        ...(m.reverses === null && m.given_back !== null && { landed: paise(Number(m.given_back)) }),
      },
    }),
  };
}

/** An item valued from nothing, in date order over all its locations: what each movement costs, how each stock balance states. */
export function valued({ method, moved }: ItemMoved): {
  readonly costOf: (m: MovementRow) => number | undefined;
  readonly stockBalances: ReadonlyMap<string, StockState>;
} {
  const stockBalances = new Map<string, StockState>();
  const sourceOf = sourcesOf(moved);
  const costs = runThrough(
    method,
    stockBalances,
    moved.map((m) => placed(m, sourceOf(m))),
  );
  return { costOf: (m) => costs.get(keyOf(m.document, m.number)), stockBalances };
}
