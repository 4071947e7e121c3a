import type pg from 'pg';
import { kindNames } from '../../domain/document/kinds/index.ts';
import { newId } from '../kit/ids.ts';
import { firstSeries, markFor, markOf } from './series.ts';

interface Registration {
  readonly organisation: number;
  readonly id: string;
  readonly state: string;
  readonly series: readonly { readonly kind: string; readonly prefix: string }[];
}

/**
 * Gives every registration that has number series one for each kind of document that this release brings. A kind that was there
 * before is left alone: its series are the organisation's own affair. Runs as the owner after the migrations, in one transaction;
 * of two processes that start together the second waits and finds nothing to do. Answers how many series it made.
 */
export async function addNewSeries(client: pg.ClientBase): Promise<number> {
  await client.query('begin');
  try {
    const made = await seriesOfNewKinds(client);
    await client.query('commit');
    return made;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function seriesOfNewKinds(client: pg.ClientBase): Promise<number> {
  const { rows: fresh } = await client.query<{ kind: string }>(
    `
      insert into offered_kinds (kind)
      select unnest($1::text[])
      on conflict do nothing
      returning kind
    `,
    [kindNames],
  );
  if (fresh.length === 0) return 0;
  const kinds = fresh.map(({ kind }) => kind);
  const { rows: registrations } = await client.query<Registration>(
    `
      select r.organisation, r.id, r.state, s.series
      from registrations r
      join lateral (
        select json_agg(json_build_object('kind', n.kind, 'prefix', n.prefix)) as series, array_agg(n.kind) as kinds
        from number_series n
        where n.organisation = r.organisation and n.registration = r.id
      ) s on s.series is not null and not s.kinds @> $1::text[]
    `,
    [kinds],
  );
  for (const registration of registrations) await addSeriesOf(client, registration, kinds);
  return registrations.reduce((made, { series }) => made + missingKinds(kinds, series).length, 0);
}

const missingKinds = (kinds: readonly string[], series: Registration['series']): readonly string[] =>
  kinds.filter((kind) => series.every((own) => own.kind !== kind));

async function addSeriesOf(
  client: pg.ClientBase,
  { organisation, id, state, series }: Registration,
  kinds: readonly string[],
): Promise<void> {
  const missing = missingKinds(kinds, series);
  const { rows: all } = await client.query<{ prefix: string }>(
    'select prefix from number_series where organisation = $1',
    [organisation],
  );
  const taken = all.map(({ prefix }) => prefix);
  const used = new Set(taken.map((prefix) => prefix.toUpperCase()));
  const withMark = (mark: string) => firstSeries(mark).filter(({ kind }) => missing.includes(kind));
  const own = withMark(markOf(series) ?? markFor(state, taken));
  // the organisation may have given that prefix to another kind or registration
  const rows = own.some(({ prefix }) => used.has(prefix.toUpperCase())) ? withMark(markFor(state, taken)) : own;
  await client.query(
    `
      insert into number_series (organisation, id, name, kind, registration, prefix, padding)
      select $1, s.id, s.name, s.kind, $2, s.prefix, s.padding
      from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[]) s (id, name, kind, prefix, padding)
    `,
    [
      organisation,
      id,
      rows.map(() => newId()),
      rows.map(({ name }) => name),
      rows.map(({ kind }) => kind),
      rows.map(({ prefix }) => prefix),
      rows.map(({ padding }) => padding),
    ],
  );
}
