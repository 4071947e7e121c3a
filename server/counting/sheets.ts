import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { countCalls } from '../../contract/counting.ts';
import { Refusal } from '../../contract/errors.ts';
import { say } from '../../domain/base/say.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import { kindFor } from '../../domain/document/kinds/index.ts';
import type { Context } from '../context.ts';
import { isHere } from '../documents/index.ts';
import { staleOf } from '../kit/database/stale.ts';
import { newId } from '../kit/ids.ts';
import { Problems } from '../kit/problems.ts';

export type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Shown = Answer<(typeof countCalls)['ListCountSheets']>[number];

/** A sheet of more is a sheet that nobody finishes: it is made by room or category. */
export const MOST_LINES = 5000;

export interface Sheet {
  readonly id: Id;
  readonly version: number;
  readonly number: number;
  readonly name: string;
  readonly location: Id;
  readonly location_name: string;
  readonly registration: Id;
  readonly room: Id | null;
  readonly room_name: string | null;
  readonly category_name: string | null;
  readonly blind: boolean;
  readonly state: Shown['state'];
  readonly round: number;
  readonly lines: number;
  readonly counted: number;
  readonly author_name: string;
  readonly created_at: Date;
  readonly ended_by_name: string | null;
  readonly ended_at: Date | null;
  readonly remark: string;
  readonly plan: readonly { readonly id: Id; readonly reason: string }[] | null;
  readonly documents: Shown['documents'] | null;
}

/** The counts that the user may see: those of their locations. */
export async function sheetsOf(
  trx: Trx,
  context: Context,
  {
    id,
    state,
    search,
  }: { readonly id?: Id; readonly state?: Shown['state'] | undefined; readonly search?: string | undefined } = {},
): Promise<Sheet[]> {
  const { rows } = await sql<Sheet>`
    select
      s.id, s.version, s.number, s.name, s.location, l.name as location_name, l.registration, s.room,
      r.name as room_name, c.name as category_name, s.blind, s.state, s.round, a.name as author_name,
      s.created_at, e.name as ended_by_name, s.ended_at, s.remark, s.plan,
      (select count(*)::int from count_lines x where x.organisation = s.organisation and x.sheet = s.id) as lines,
      (
        select count(distinct x.line)::int from counted x where x.organisation = s.organisation and x.sheet = s.id
      ) as counted,
      (
        select json_agg(
          json_build_object('id', d.id, 'kind', d.kind, 'number', d.number, 'reason', p.one ->> 'reason')
          order by p.n
        )
        from jsonb_array_elements(s.plan) with ordinality p(one, n)
        join documents d on d.organisation = s.organisation and d.id = (p.one ->> 'id')::uuid
      ) as documents
    from count_sheets s
    join locations l on l.organisation = s.organisation and l.id = s.location
    join users a on a.organisation = s.organisation and a.id = s.author
    left join masters r on r.organisation = s.organisation and r.id = s.room
    left join masters c on c.organisation = s.organisation and c.id = s.category
    left join users e on e.organisation = s.organisation and e.id = s.ended_by
    where s.organisation = ${context.organisation}
      and ${id === undefined ? sql`true` : sql`s.id = ${id}::uuid`}
      and ${state ? sql`s.state = ${state}` : sql`true`}
      and ${
        search
          ? sql`
        (
          lower(
            concat_ws(' ', 'CS-' || lpad(s.number::text, 4, '0'), s.name, l.name, r.name, c.name)
          ) like ${`%${search.toLowerCase().replace(/[\\%_]/g, (x) => `\\${x}`)}%`}
        )
      `
          : sql`true`
      }
    order by s.number desc
    limit 500
  `.execute(trx);
  return rows.filter((row) => isHere(context, row.location));
}

const numberOf = (number: number): string => `CS-${String(number).padStart(4, '0')}`;
export const sheetName = ({ number }: Pick<Sheet, 'number'>): string => numberOf(number);

export const shownSheet = (s: Sheet): Shown => ({
  id: s.id,
  version: s.version,
  number: sheetName(s),
  name: s.name,
  location: s.location,
  locationName: s.location_name,
  room: s.room,
  roomName: s.room_name,
  categoryName: s.category_name,
  blind: s.blind,
  state: s.state,
  round: s.round,
  lines: s.lines,
  counted: s.counted,
  author: s.author_name,
  createdAt: s.created_at.toISOString(),
  endedBy: s.ended_by_name,
  endedAt: s.ended_at?.toISOString() ?? null,
  remark: s.remark,
  documents: s.documents ?? [],
});

/** One that the user may see. */
export async function sheetOf(trx: Trx, context: Context, id: Id): Promise<Sheet> {
  const [sheet] = await sheetsOf(trx, context, { id });
  if (!sheet) throw new Refusal('notFound');
  return sheet;
}

/** One under lock, that is still counted; with a version, as the user knows it. */
export async function running(trx: Trx, context: Context, id: Id, version?: number): Promise<Sheet> {
  await sql`select from count_sheets where organisation = ${context.organisation} and id = ${id}::uuid for update`.execute(
    trx,
  );
  const sheet = await sheetOf(trx, context, id);
  if (sheet.state !== 'counting')
    throw new Refusal('cannotChange', {
      name: sheetName(sheet),
      reason: sheet.state === 'dropped' ? say('it was given up') : say('it is approved'),
    });
  if (version !== undefined && version !== sheet.version)
    throw await staleOf(trx, context.organisation, 'count_sheets', id);
  return sheet;
}

/** Who ends counts sees what the books say; the others do where they do not count blindly, or it is over. */
export const mayEnd = (context: Context): boolean => context.may('approve', kindFor('stockAdjustment'));

type SheetWish = Input<(typeof countCalls)['MakeCountSheet']>;

async function placeProblems(trx: Trx, context: Context, { location, room, category }: SheetWish): Promise<Problem[]> {
  const { organisation } = context;
  const { rows: found } = await sql<{ place: boolean; room: boolean; category: boolean }>`
    select
      exists (
        select from locations
        where organisation = ${organisation} and id = ${location}::uuid and active and not is_transit
      ) as place,
      ${room ?? null}::uuid is null
        or exists (
          select from masters
          where organisation = ${organisation}
            and master = 'warehouse'
            and id = ${room ?? null}::uuid
            and body ->> 'location' = ${location}
        ) as room,
      ${category ?? null}::uuid is null
        or exists (
          select from masters
          where organisation = ${organisation} and master = 'category' and id = ${category ?? null}::uuid
        ) as category
  `.execute(trx);
  const [known] = found;
  return [
    ...(known?.place && isHere(context, location) ? [] : [{ field: 'location', ...say('Choose a location') }]),
    ...(known?.room ? [] : [{ field: 'room', ...say('This stock room is not there') }]),
    ...(known?.category ? [] : [{ field: 'category', ...say('Choose a category') }]),
  ];
}

/** Writes the lines of a sheet: what the books have at its place now. Answers how many, at most one more than a sheet may have. */
async function writeLines(
  trx: Trx,
  { organisation }: Context,
  id: Id,
  { location, room, category, empty }: SheetWish,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with recursive
      below as (
        select id
        from masters
        where organisation = ${organisation} and master = 'category' and id = ${category ?? null}::uuid
        union
        select m.id
        from masters m
        join below b on m.body ->> 'parent' = b.id::text
        where m.organisation = ${organisation} and m.master = 'category'
      ),
      held as (
        select *
        from stock_parts(${organisation}, ${location}::uuid, null)
        where ${room ? sql`room = ${room}::uuid` : sql`true`}
      ),
      lines as (
        select
          i.sku, i.id as item, h.room, coalesce(h.batch, '') as batch, h.expiry,
          coalesce(h.quantity, 0) as book, h.serials
        from items i ${empty ? sql`left join` : sql`join`} held h on h.item = i.id
        where i.organisation = ${organisation}
          and i.stocked
          and not i.service
          and not i.is_template
          and (i.active or h.item is not null)
          and ${category ? sql`i.body ->> 'category' in (select id::text from below)` : sql`true`}
          -- an empty batch says nothing that could be counted
          and (h.item is not null or not coalesce((i.body ->> 'batched')::boolean, false))
      ),
      written as (
        insert into count_lines (organisation, sheet, line, item, room, batch, expiry, book, serials)
        select
          ${organisation}, ${id},
          row_number() over (order by w.name nulls first, l.sku, l.expiry nulls last, l.batch),
          l.item, coalesce(l.room, ${room ?? null}::uuid), l.batch, l.expiry, l.book, l.serials
        from lines l
        left join masters w on w.organisation = ${organisation} and w.id = l.room
        limit ${MOST_LINES + 1}
        returning 1
      )
    select count(*)::int as n
    from written
  `.execute(trx);
  return rows[0]?.n ?? 0;
}

/** Makes a sheet with what the books have at this moment. A category is counted with those below it. */
export const makeSheet = (asked: SheetWish, context: Context): Promise<{ id: Id }> =>
  context.inTransaction(async (trx) => {
    const { organisation, user } = context;
    const { location, room, category, name, blind } = asked;
    const problems = await placeProblems(trx, context, asked);
    if (problems.length > 0) throw new Problems(problems);
    const id = newId();
    await sql`select pg_advisory_xact_lock(hashtextextended('count sheets', ${organisation}))`.execute(trx);
    await sql`
      insert into count_sheets (organisation, id, number, name, location, room, category, blind, author)
      select
        ${organisation}, ${id}, coalesce(max(number), 0) + 1, ${name}, ${location}, ${room ?? null},
        ${category ?? null}, ${blind}, ${user}
      from count_sheets
      where organisation = ${organisation}
    `.execute(trx);
    const lines = await writeLines(trx, context, id, asked);
    if (lines === 0)
      throw new Problems([
        {
          field: 'location',
          ...say('No stock at this location: choose another one, or also list items without stock'),
        },
      ]);
    if (lines > MOST_LINES)
      throw new Problems([
        {
          field: 'category',
          ...say('More than {{mostLines}} lines: choose a stock room or a category', {
            mostLines: MOST_LINES.toLocaleString('en-IN'),
          }),
        },
      ]);
    return { id };
  });
