import { draftBody } from '../../contract/documents.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';
import { type Poster, preparePosting } from '../documents/index.ts';
import { masterHandlers } from '../masters/index.ts';

export interface Place {
  readonly registration: Id;
  readonly location: Id;
  readonly code: string;
}
/** One of the demo's organisations while it trades. */
export interface Shop {
  readonly context: Context;
  readonly poster: Poster;
  readonly places: readonly Place[];
  readonly ledgers: ReadonlyMap<string, Id>;
  readonly customers: Id[];
  readonly suppliers: Id[];
  readonly items: { readonly id: Id; readonly stocked: boolean; readonly sale: number; readonly cost: string }[];
}

/** Every document goes the way of the calls: shape, facts, checks, posting. */
export async function post(shop: Shop, date: string, draft: Record<string, unknown>): Promise<Id> {
  const parsed = draftBody.parse({ date, lines: [], ...draft });
  const context = { ...shop.context, today: date };
  return (await shop.poster.post(await preparePosting(context, parsed))).id;
}

/** A record of a master, kept by the call that forms make. */
export async function save(shop: Shop, master: string, values: Record<string, unknown>): Promise<Id> {
  return (await masterHandlers.SaveMaster({ master, values }, shop.context)).id;
}
