import { type Importable, importedLines, isImportedLines } from '../../contract/importable.ts';
import type { Context } from '../context.ts';
import { recordDesk, type Trx } from '../masters/index.ts';

/** What an import is of, with the fields that the organisation has added where it is a master. */
export const subjectOf = async (trx: Trx, context: Context, name: string): Promise<Importable> =>
  isImportedLines(name) ? importedLines[name] : (await recordDesk.asked(trx, context, name)).master;
