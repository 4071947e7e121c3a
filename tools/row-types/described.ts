import type pg from 'pg';

/** A column of a statement's answer. */
export interface Column {
  readonly name: string;
  /** The name of its type in PostgreSQL. */
  readonly type: string;
  /** Undefined where PostgreSQL does not say, as of an expression. */
  readonly notNull: boolean | undefined;
  /** The statement has a `*`, which may have brought this column. */
  readonly fromStar: boolean;
}

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}
interface Connection {
  parse(statement: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  describe(what: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

/** Lets PostgreSQL analyse a statement without running it: the driver's query has no such mode. */
class Description {
  readonly answer: Promise<readonly Field[]>;
  readonly #text: string;
  #fields: readonly Field[] = [];
  #answered: (fields: readonly Field[]) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
    this.answer = new Promise((answered, failed) => {
      this.#answered = answered;
      this.#failed = failed;
    });
  }
  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.#text, types: [] });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }
  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields;
  }
  handleError(error: Error): void {
    this.#failed(error);
  }
  handleReadyForQuery(): void {
    this.#answered(this.#fields);
  }
}

/** Describes statements on one database. */
export interface Describer {
  /** The columns of the answer; fails when the database refuses the statement. */
  columnsOf(text: string): Promise<readonly Column[]>;
}

const TYPES = 'select oid, typname as name from pg_type';
const STORED = `
  select a.attrelid as relation, a.attnum as place, a.attnotnull as not_null
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  where a.attnum > 0 and c.relkind in ('r', 'p')`; // what a view gives may be null or not: PostgreSQL does not say

export async function describer(client: pg.Client): Promise<Describer> {
  const types = await client.query<{ oid: number; name: string }>(TYPES);
  const stored = await client.query<{ relation: number; place: number; not_null: boolean }>(STORED);
  const nameOf = new Map(types.rows.map(({ oid, name }) => [oid, name]));
  const notNull = new Map(stored.rows.map((row) => [`${row.relation}/${row.place}`, row.not_null]));
  return {
    columnsOf: async (text) => {
      const description = new Description(text);
      client.query(description as unknown as pg.Submittable);
      const fields = await description.answer;
      const optional = await optionalColumns(client, text);
      return fields.map((field, place) => {
        const column = notNull.get(`${field.tableID}/${field.columnID}`);
        const filled = column && inJoin(optional, place);
        return {
          name: field.name,
          type: nameOf.get(field.dataTypeID) ?? String(field.dataTypeID),
          notNull: filled === false && isExcluded(text, field.name) ? undefined : filled,
          fromStar: /(select|,|\.)\s*\*/.test(text),
        };
      });
    },
  };
}

/** Whether a column that its table never leaves empty is never empty in the answer. */
const inJoin = (optional: Optional | undefined, place: number): boolean | undefined => {
  const isOptional = optional ? optional[place] : false;
  return isOptional === undefined ? undefined : !isOptional;
};

/** A condition of the statement seems to exclude rows where the column is null. */
const isExcluded = (text: string, column: string): boolean =>
  new RegExp(`\\b${column} (is not null|= any\\()`).test(text.replace(/\s+/g, ' '));

interface Plan {
  readonly 'Join Type'?: string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly Plan[];
}

/** Which columns an outer join may leave empty: by place, true or false; undefined where the plan does not show it. */
type Optional = readonly (boolean | undefined)[];

/** By the plan of the statement: the planner knows which outer joins the conditions turn into inner ones. */
async function optionalColumns(client: pg.Client, text: string): Promise<Optional | undefined> {
  if (!/\b(left|right|full)\s+(outer\s+)?join\b/i.test(text)) return undefined;
  const explained = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    `explain (verbose, generic_plan, format json) ${text}`,
  );
  const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  const optional = new Map(relationsIn(plan, false));
  return (plan.Output ?? []).map((output) => optional.get(output.split('.')[0] ?? ''));
}

/** The relations of a plan by their alias: whether they are on the optional side of an outer join. */
function relationsIn(plan: Plan, optional: boolean): (readonly [string, boolean])[] {
  const sides = { Left: ['Inner'], Right: ['Outer'], Full: ['Inner', 'Outer'] }[plan['Join Type'] ?? ''] ?? [];
  const own = plan.Alias === undefined || !(optional || plan['Relation Name']) ? [] : [[plan.Alias, optional] as const];
  const below = (plan.Plans ?? []).flatMap((child) =>
    relationsIn(child, optional || sides.includes(child['Parent Relationship'] ?? '')),
  );
  return [...own, ...below];
}
