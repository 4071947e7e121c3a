import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import type { countCalls } from '../../contract/counting.ts';
import { Refusal } from '../../contract/errors.ts';
import { type Millionths, millionths, ONE, quantityText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import { scannedCode } from '../../domain/items/barcode.ts';
import { partName } from '../../domain/stock/parts.ts';
import { inBase } from '../../domain/stock/units.ts';
import type { Context } from '../context.ts';
import { itemFacts } from '../documents/index.ts';
import { decimalsProblems } from '../kit/measures.ts';
import { Problems } from '../kit/problems.ts';
import { type Line, linesOf, shownLine } from './lines.ts';
import { running, type Sheet, type Trx } from './sheets.ts';

type Shown = Answer<(typeof countCalls)['EnterCount']>;

async function lineOf(trx: Trx, context: Context, sheet: Sheet, line: number): Promise<Line> {
  const [found] = await linesOf(trx, context, sheet, line);
  if (!found) throw new Refusal('notFound');
  return found;
}

/** The unit that was counted in, as so many of the item's own. */
async function inOwnUnit(
  trx: Trx,
  { organisation }: Context,
  item: Id,
  quantity: Millionths,
  unit: string | undefined,
): Promise<Millionths> {
  const facts = (await itemFacts(trx, organisation, [item])).get(item);
  const problems = await decimalsProblems(trx, organisation, [
    { quantity, unit: unit ?? facts?.unit, at: { field: 'quantity' } },
  ]);
  if (problems.length > 0) throw new Problems(problems);
  if (!facts || unit === undefined || unit === facts.unit) return quantity;
  const ratio = facts.units[unit];
  if (!ratio)
    throw new Problems([{ field: 'unit', ...say('{{unit}} is no unit of {{sku}}', { unit, sku: facts.sku }) }]);
  return inBase(quantity, ratio);
}

/** Writes what I counted of a line in this round, with what the books have at this moment. */
async function write(
  trx: Trx,
  context: Context,
  sheet: Sheet,
  { row }: Line,
  quantity: number,
  serials: readonly string[] | undefined,
): Promise<void> {
  const { organisation, user } = context;
  // a line that was added for what was asked again is asked for in this round too
  await sql`
    insert into counted (organisation, sheet, line, round, by, quantity, serials, book, book_serials, at)
    values (
      ${organisation}, ${sheet.id}, ${row.line}, ${row.round}, ${user}, ${quantity},
      ${serials ? [...serials] : null}, ${row.now ?? '0'},
      ${row.now_serials ? [...row.now_serials] : null}, clock_timestamp()
    )
    on conflict (organisation, sheet, line, round, by) do update
    set
      quantity = excluded.quantity, serials = excluded.serials, book = excluded.book,
      book_serials = excluded.book_serials, at = excluded.at
  `.execute(trx);
}

/** What I counted before in the round that asks for this line. */
const mineOf = ({ row }: Line, { user }: Context) => row.counts?.find((c) => c.user === user && c.round === row.round);

function checkedSerials(serials: readonly string[], name: string): string[] {
  const own = serials.map(partName);
  const twice = own.find((serial, at) => own.indexOf(serial) < at);
  if (twice)
    throw new Problems([{ field: 'serials', ...say('{{twice}} of {{name}} is listed twice', { twice, name }) }]);
  return own;
}

/** One number is seen by one person: a number that a colleague has scanned is a problem that names them. */
function rejectDuplicateSerial({ row }: Line, { user }: Context, serials: readonly string[]): void {
  const theirs = row.counts?.find(
    (c) => c.user !== user && c.round === row.round && (c.serials ?? []).some((serial) => serials.includes(serial)),
  );
  if (theirs)
    throw new Problems([
      {
        field: 'serials',
        ...say('{{by}} has counted {{value}} already', {
          by: theirs.by,
          value: serials.find((serial) => theirs.serials?.includes(serial)),
        }),
      },
    ]);
}

export const enterCount = (
  { id, line: at, quantity, unit, add, serials }: Input<(typeof countCalls)['EnterCount']>,
  context: Context,
): Promise<Shown> =>
  context.inTransaction(async (trx) => {
    const sheet = await running(trx, context, id);
    const line = await lineOf(trx, context, sheet, at);
    const before = mineOf(line, context);
    if (quantity === null)
      await sql`
        delete from counted
        where organisation = ${context.organisation}
          and sheet = ${id}::uuid
          and line = ${at}
          and round = ${line.row.round}
          and by = ${context.user}
      `.execute(trx);
    else if (line.row.serialised) {
      const own = checkedSerials([...(add ? (before?.serials ?? []) : []), ...(serials ?? [])], line.row.name);
      if (serials === undefined && quantity !== 0)
        throw new Problems([
          { field: 'serials', ...say('Scan or enter the serial numbers of {{row}}', { row: line.row.name }) },
        ]);
      rejectDuplicateSerial(line, context, own);
      await write(trx, context, sheet, line, own.length * ONE, own);
    } else {
      const base = await inOwnUnit(trx, context, line.row.item, quantity, unit);
      const whole = base + (add ? (before?.quantity ?? 0) : 0);
      if (whole < 0)
        throw new Problems([
          {
            field: 'quantity',
            ...(add
              ? say('You have counted only {{quantity}}', { quantity: quantityText(before?.quantity ?? 0) })
              : say('A counted quantity cannot be negative')),
          },
        ]);
      await write(trx, context, sheet, line, whole, undefined);
    }
    return shownLine(context, sheet, await lineOf(trx, context, sheet, at));
  });

interface Meant {
  readonly item: Id;
  readonly unit: string | undefined;
  readonly serial?: string;
}

/** What a code means: a barcode has a unit, an SKU the item's own unit, a serial number is one piece. */
async function meantBy(
  trx: Trx,
  { organisation }: Context,
  { location }: Sheet,
  code: string,
): Promise<Meant | undefined> {
  const { rows } = await sql<{ item: Id; unit: string | null }>`
    select b.item, b.unit
    from item_barcodes b
    join items i on i.organisation = b.organisation and i.id = b.item and not i.is_template
    where b.organisation = ${organisation} and b.barcode = ${scannedCode(code)}
    union all
    select id, null
    from items
    where organisation = ${organisation}
      and upper(sku) = ${code.toUpperCase()}
      and not is_template
      and stocked
      and not service
    limit 1
  `.execute(trx);
  if (rows[0]) return { item: rows[0].item, unit: rows[0].unit ?? undefined };
  const serial = partName(code);
  // those that lie elsewhere, or were sold, may be found here all the same
  const { rows: numbered } = await sql<{
    item: Id;
  }>`
    select m.item
    from movements m
    where m.organisation = ${organisation} and m.serials @> array[${serial}]
    order by m.location = ${location}::uuid desc, m.date desc
    limit 1
  `.execute(trx);
  return numbered[0] && { item: numbered[0].item, unit: undefined, serial };
}

export const scanCount = (
  { id, code, quantity, room }: Input<(typeof countCalls)['ScanCount']>,
  context: Context,
): Promise<Answer<(typeof countCalls)['ScanCount']>> =>
  context.inTransaction(async (trx) => {
    const sheet = await running(trx, context, id);
    const meant = await meantBy(trx, context, sheet, code);
    if (!meant)
      throw new Problems([{ code: 'unknownCode', field: 'code', ...say('Nothing found for “{{code}}”', { code }) }]);
    const facts = (await itemFacts(trx, context.organisation, [meant.item])).get(meant.item);
    if (!facts) throw new Refusal('notFound');
    const { rows } = await sql<{ line: number; holds: boolean }>`
      select line, ${meant.serial ?? ''} = any(coalesce(serials, '{}')) as holds
      from count_lines
      where organisation = ${context.organisation}
        and sheet = ${id}::uuid
        and item = ${meant.item}::uuid
        and ${room ? sql`room = ${room}::uuid` : sql`true`}
      order by line
    `.execute(trx);
    const item = { id: facts.id, name: facts.name, batched: facts.batched ?? false };
    const own = rows.filter((row) => row.holds);
    const lines = own.length > 0 ? own : rows;
    if (lines.length === 0 && !facts.batched)
      lines.push({
        line: await addLine(trx, context, sheet, { item: facts.id, batch: '', ...(room && { room }) }),
        holds: false,
      });
    const [only] = lines;
    // which of them it is, or which serial numbers, has to be said
    if (!only || lines.length > 1 || (facts.serialised && meant.serial === undefined))
      return { line: null, choose: lines.map((each) => each.line), item };
    const line = await lineOf(trx, context, sheet, only.line);
    const before = mineOf(line, context);
    if (meant.serial !== undefined) {
      const serials = [...(before?.serials ?? [])];
      if (serials.includes(meant.serial))
        throw new Problems([{ field: 'code', ...say('{{serial}} is counted already', { serial: meant.serial }) }]);
      rejectDuplicateSerial(line, context, [meant.serial]);
      await write(trx, context, sheet, line, (serials.length + 1) * ONE, [...serials, meant.serial]);
    } else {
      const whole =
        (await inOwnUnit(trx, context, facts.id, quantity ?? millionths(ONE), meant.unit)) + (before?.quantity ?? 0);
      if (whole < 0)
        throw new Problems([
          {
            field: 'code',
            ...say('You have counted only {{quantity}} of it', { quantity: quantityText(before?.quantity ?? 0) }),
          },
        ]);
      await write(trx, context, sheet, line, whole, undefined);
    }
    return { line: shownLine(context, sheet, await lineOf(trx, context, sheet, only.line)), choose: [], item };
  });

type Added = Omit<Input<(typeof countCalls)['AddCountLine']>, 'id' | 'OrgCode' | 'SubOrgCode' | 'UserName'>;

/** Another line, with what the books have of it by now; the one that is there already when it is. */
async function addLine(
  trx: Trx,
  { organisation }: Context,
  sheet: Sheet,
  { item, room, batch, expiry }: Added,
): Promise<number> {
  const facts = (await itemFacts(trx, organisation, [item])).get(item);
  if (!facts || facts.template || facts.service || !facts.stocked)
    throw new Problems([{ field: 'item', ...say('Choose an item that is kept in stock') }]);
  const name = partName(batch);
  if (facts.batched && name === '')
    throw new Problems([{ field: 'batch', ...say('{{facts}} is kept in batches: say which', { facts: facts.name }) }]);
  if (!facts.batched && name !== '')
    throw new Problems([{ field: 'batch', ...say('{{facts}} is not kept in batches', { facts: facts.name }) }]);
  if (room !== undefined) {
    const { rows } = await sql`
      select from masters
      where organisation = ${organisation}
        and master = 'warehouse'
        and id = ${room}::uuid
        and body ->> 'location' = ${sheet.location}
    `.execute(trx);
    if (rows.length === 0)
      throw new Problems([{ field: 'room', ...say('This stock room is not at the place that is counted') }]);
  }
  const where = room ?? sheet.room;
  const { rows } = await sql<{ line: number }>`
    with
      there as (
        select line
        from count_lines
        where organisation = ${organisation}
          and sheet = ${sheet.id}::uuid
          and item = ${item}::uuid
          and room is not distinct from ${where}::uuid
          and batch = ${name}
      ),
      added as (
        insert into count_lines (organisation, sheet, line, item, room, batch, expiry, book, serials, round)
        select
          ${organisation}, ${sheet.id}::uuid,
          (
            select coalesce(max(line), 0) + 1
            from count_lines
            where organisation = ${organisation} and sheet = ${sheet.id}::uuid
          ),
          ${item}::uuid, ${where}::uuid, ${name}, coalesce(h.expiry, ${expiry ?? null}::date),
          coalesce(h.quantity, 0), h.serials, ${sheet.round}
        from (select) one
        left join stock_parts(${organisation}, ${sheet.location}::uuid, array[${item}::uuid]) h
          on h.room is not distinct from ${where}::uuid and h.batch = ${name}
        where not exists (select from there)
        returning line
      )
    select line
    from there
    union all
    select line
    from added
  `.execute(trx);
  const [line] = rows;
  if (!line) throw new Error('the line is not there');
  return line.line;
}

export const addCountLine = (
  { id, item, room, batch, expiry }: Input<(typeof countCalls)['AddCountLine']>,
  context: Context,
): Promise<Shown> =>
  context.inTransaction(async (trx) => {
    const sheet = await running(trx, context, id);
    const line = await addLine(trx, context, sheet, { item, batch, ...(room && { room }), ...(expiry && { expiry }) });
    return shownLine(context, sheet, await lineOf(trx, context, sheet, line));
  });
