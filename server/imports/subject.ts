import { Refusal } from '../../contract/errors.ts';
import { type Importable, importableOf } from '../../contract/importable.ts';
import { masterOf } from '../../contract/masters.ts';
import type { Context } from '../context.ts';
import { recordDesk, type Trx } from '../masters/index.ts';

/** What an import is of, with the fields that the organisation has added where it is a master. */
export async function subjectOf(trx: Trx, context: Context, name: string): Promise<Importable> {
  if (masterOf(name)) return (await recordDesk.asked(trx, context, name)).master;
  const subject = importableOf(name);
  if (!subject) throw new Refusal('notFound');
  return subject;
}
