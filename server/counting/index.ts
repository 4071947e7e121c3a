import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import type { countCalls } from '../../contract/counting.ts';
import { moneyText } from '../../domain/base/decimal.ts';
import { say } from '../../domain/base/say.ts';
import { isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import type { Poster } from '../documents/index.ts';
import { Problems } from '../kit/problems.ts';
import { postSheet } from './end.ts';
import { addCountLine, enterCount, scanCount } from './enter.ts';
import { differs, linesOf, seesBooks, shownLine, worthOf } from './lines.ts';
import { printSheetOf } from './print.ts';
import { makeSheet, mayEnd, running, sheetOf, sheetsOf, shownSheet } from './sheets.ts';

type Calls = Handlers<typeof countCalls, Context>;

const sheetWithLines: Calls['GetCountSheet'] = ({ id }, context) =>
  context.inTransaction(async (trx) => {
    const sheet = await sheetOf(trx, context, id);
    const lines = await linesOf(trx, context, sheet);
    const value =
      seesBooks(context, sheet) && !isCostHidden(context)
        ? moneyText(lines.filter(differs).reduce((sum, line) => sum + worthOf(line), 0))
        : null;
    return {
      sheet: shownSheet(sheet),
      lines: lines.map((line) => shownLine(context, sheet, line)),
      mayEnd: mayEnd(context),
      value,
    };
  });

const countAgain: Calls['CountAgain'] = ({ id, version, lines }, context) =>
  context.inTransaction(async (trx) => {
    const sheet = await running(trx, context, id, version);
    const { rows } = await sql`
      update count_lines
      set round = ${sheet.round + 1}
      where organisation = ${context.organisation} and sheet = ${id}::uuid and line = any(${lines}::int[])
      returning line
    `.execute(trx);
    if (rows.length < new Set(lines).size)
      throw new Problems([{ field: 'lines', ...say('One of these lines is not on the sheet') }]);
    await sql`
      update count_sheets
      set round = round + 1, version = version + 1
      where organisation = ${context.organisation} and id = ${id}::uuid
    `.execute(trx);
    return shownSheet(await sheetOf(trx, context, id));
  });

const noteCountLines: Calls['NoteCountLines'] = ({ id, lines }, context) =>
  context.inTransaction(async (trx) => {
    await running(trx, context, id);
    const { rows } = await sql`
      update count_lines x
      set reason = n.reason, rate = ${isCostHidden(context) ? sql`coalesce(n.rate, x.rate)` : sql`n.rate`}
      from unnest(
        ${lines.map((l) => l.line)}::int[], ${lines.map((l) => l.reason)}::text[],
        ${lines.map((l) => l.rate ?? null)}::bigint[]
      ) n(line, reason, rate)
      where x.organisation = ${context.organisation} and x.sheet = ${id}::uuid and x.line = n.line
      returning 1
    `.execute(trx);
    return { kept: rows.length };
  });

const dropCountSheet: Calls['DropCountSheet'] = ({ id, version, reason }, context) =>
  context.inTransaction(async (trx) => {
    await running(trx, context, id, version);
    await sql`
      update count_sheets
      set
        state = 'dropped', remark = ${reason}, ended_by = ${context.user}, ended_at = clock_timestamp(),
        version = version + 1
      where organisation = ${context.organisation} and id = ${id}::uuid
    `.execute(trx);
    return shownSheet(await sheetOf(trx, context, id));
  });

/** The calls about counting stock. Who may write adjustments counts; who may approve them ends a count. */
export const countHandlers = (poster: Poster): Calls => ({
  ListCountSheets: ({ state, search }, context) =>
    context.inTransaction(async (trx) => (await sheetsOf(trx, context, { state, search })).map(shownSheet)),
  MakeCountSheet: makeSheet,
  GetCountSheet: sheetWithLines,
  EnterCount: enterCount,
  ScanCount: scanCount,
  AddCountLine: addCountLine,
  CountAgain: countAgain,
  NoteCountLines: noteCountLines,
  PostCountSheet: (input, context) => postSheet(poster, input, context),
  DropCountSheet: dropCountSheet,
  PrintCountSheet: printSheetOf,
});
