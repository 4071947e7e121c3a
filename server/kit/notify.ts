import { sql } from 'kysely';
import type { Said } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Executor } from './database/sql.ts';
import { newId } from './ids.ts';

/** Letters of a notification that are kept in English. */
const MOST = 400;

/** A sentence as the table of notifications keeps it: in English, and as the catalogue of another language finds it. */
export const noticeOf = ({ message, text }: Said): { readonly message: string; readonly text: string } => ({
  message: message.slice(0, MOST),
  text: JSON.stringify(text),
});

interface Notice {
  readonly organisation: number;
  /** Null: everybody of the organisation. */
  readonly to: Id | null;
  readonly says: Said;
  /** The address of the screen that it is about. */
  readonly link?: string | null;
  /** Not while the same stands unread. */
  readonly once?: true;
}

/** Puts a sentence into the bell of one person, or of everybody. */
export async function notify(trx: Executor, { organisation, to, says, link = null, once }: Notice): Promise<void> {
  const { message, text } = noticeOf(says);
  await sql`
    insert into notifications (organisation, id, "user", message, text, link)
    select ${organisation}, ${newId()}, ${to}::uuid, ${message}, ${text}::jsonb, ${link}
    where ${once !== true}
      or not exists (
        select from notifications n
        where n.organisation = ${organisation}
          and n."user" = ${to}::uuid
          and n.message = ${message}
          and n.dismissed_at is null
      )
  `.execute(trx);
}
