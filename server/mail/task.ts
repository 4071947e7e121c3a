import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { generalConfiguration } from '../../contract/session.ts';
import { todayIn } from '../../domain/base/dates.ts';
import { unlimited } from '../access/index.ts';
import type { Context } from '../context.ts';
import { type Clock, instant } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';
import { Later } from '../kit/later.ts';
import { printPaper } from '../paper/index.ts';
import { paperOf } from '../printing/index.ts';
import { NotSent, type PostOffice } from './transport.ts';

export interface MailWorks {
  readonly books: Books;
  readonly post: PostOffice;
  readonly clock: Clock;
  /** Whether the portals of this installation are stand-ins: its papers say so. */
  readonly trial: boolean;
  /** Tells the open pages of an organisation that a mail went out, or did not. */
  readonly changed: (organisation: number) => void;
}

/** Puts mails back into the outbox whose process died while it sent them; for the owner, over all organisations. */
export const abandonedMails = `
  insert into outbox (organisation, task, payload, key)
  select organisation, 'mail', jsonb_build_object('organisation', organisation, 'mail', id), id::text
  from mails
  where state <> 'sent' and replaced_by is null and claimed_until < now()
`;

interface Kept {
  recipients: string[];
  copies: string[];
  subject: string;
  message: string;
  by: string;
  code: string;
  name: string;
  settings: unknown;
  reply: string | null;
  papers: { place: number; document: string | null; name: string; digest: string | null }[];
}
interface Printed {
  readonly place: number;
  readonly name: string;
  readonly bytes: Buffer;
  readonly digest: string;
}

const job = z.object({ organisation: z.int(), mail: z.uuid() });
const nobody = '';

/** Longer than any attempt takes: after so long a process that was sending is thought dead. */
const CLAIM = '10 minutes';

/**
 * Sends one mail of the outbox: papers made now, kept as they were sent. Throws when trying again may help, so that the
 * worker does; a mail that is sent or replaced is left alone, and no two workers send one at the same time. A process that
 * dies between the mail server's yes and our note of it sends twice, under the same Message-ID.
 */
export const mailTask =
  (works: MailWorks) =>
  async (payload: unknown): Promise<void> => {
    const { organisation, mail } = job.parse(payload);
    const kept = await claim(works.books, organisation, mail);
    if (!kept) return;
    try {
      const sent = await attempt(works, organisation, mail, kept);
      await noteSent(works, organisation, mail, sent);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      if (!error.final) throw new Later(error.message);
    } finally {
      works.changed(organisation);
    }
  };

interface Sent {
  readonly papers: readonly Printed[];
  readonly refused: readonly string[];
}

/** Makes the papers and hands the mail over; why it did not go is noted. */
async function attempt(works: MailWorks, organisation: number, mail: string, kept: Kept): Promise<Sent> {
  try {
    const papers = await print(works, organisation, kept);
    const { refused } = await works.post.send({
      id: mail,
      senderName: kept.name,
      replyTo: kept.reply ?? undefined,
      to: kept.recipients,
      cc: kept.copies,
      subject: kept.subject,
      message: kept.message,
      papers,
    });
    return { papers, refused };
  } catch (error) {
    await noteFailed(
      works.books,
      organisation,
      mail,
      error instanceof NotSent ? error.message : 'The mail could not be made',
    );
    throw error;
  }
}

async function claim(books: Books, organisation: number, mail: string): Promise<Kept | undefined> {
  return books.inTransaction({ organisation, user: nobody }, async (trx) => {
    const claimed = await sql<{ id: string }>`
      update mails
      set attempts = attempts + 1, claimed_until = now() + ${CLAIM}::interval
      where organisation = ${organisation}
        and id = ${mail}
        and state <> 'sent'
        and replaced_by is null
        and (claimed_until is null or claimed_until < now())
      returning id
    `.execute(trx);
    if (claimed.rows.length === 0) {
      const { rows } = await sql<{
        over: boolean;
      }>`select state = 'sent' or replaced_by is not null as over from mails where organisation = ${organisation} and id = ${mail}`.execute(
        trx,
      );
      if (rows[0]?.over) return undefined;
      if (!rows[0]) throw new Error(`there is no mail ${mail}`);
      throw new Later(`the mail ${mail} is being sent by somebody else`);
    }
    const { rows } = await sql<Kept>`
      select
        m.recipients, m.copies, m.subject, m.message, m.by, o.code, o.name, o.settings,
        coalesce(nullif(o.body ->> 'email', ''), u.email) as reply,
        (
          select jsonb_agg(
            jsonb_build_object('place', p.place, 'document', p.document, 'name', p.name, 'digest', p.digest)
            order by p.place
          )
          from mail_papers p
          where p.organisation = m.organisation and p.mail = m.id
        ) as papers
      from mails m
      join organisations o on o.organisation = m.organisation
      join users u on u.organisation = m.organisation and u.id = m.by
      where m.organisation = ${organisation} and m.id = ${mail}
    `.execute(trx);
    return rows[0];
  });
}

/** The same papers as printing makes. Whether the sender may read them was checked at sending. */
async function print({ books, clock, trial }: MailWorks, organisation: number, kept: Kept): Promise<Printed[]> {
  const context: Context = {
    books,
    organisation,
    organisationCode: kept.code,
    person: kept.by,
    user: kept.by,
    name: '',
    grants: new Map(),
    limits: unlimited,
    locations: [],
    settings: generalConfiguration.parse(kept.settings),
    today: todayIn(clock.now()),
    now: clock.now(),
    key: undefined,
    digest: undefined,
    session: Buffer.alloc(0),
    may: () => true,
    still: () => undefined,
    require: () => undefined,
    sees: () => 'all',
    inTransaction: (work) => books.inTransaction({ organisation, user: kept.by }, work),
  };
  const printed: Printed[] = [];
  for (const { place, document, name, digest } of kept.papers) {
    const bytes = document
      ? Buffer.from(await printPaper(await paperOf(context, document, 'original', undefined, trial)))
      : await keptPaper(books, organisation, digest);
    printed.push({ place, name, bytes, digest: createHash('sha256').update(bytes).digest('hex') });
  }
  return printed;
}

/** A paper that is no document's was made when it was asked for. */
const keptPaper = (books: Books, organisation: number, digest: string | null): Promise<Buffer> =>
  books.inTransaction({ organisation, user: nobody }, async (trx) => {
    const { rows } = await sql<{
      bytes: Buffer;
    }>`select bytes from files where organisation = ${organisation} and digest = ${digest}`.execute(trx);
    if (!rows[0]) throw new Error('the paper of a mail is gone');
    return rows[0].bytes;
  });

async function noteSent(
  { books, clock }: MailWorks,
  organisation: number,
  mail: string,
  { papers, refused }: Sent,
): Promise<void> {
  const error = refused.length > 0 ? `The mail server did not take ${refused.join(', ')}` : null;
  await books.inTransaction({ organisation, user: nobody }, async (trx) => {
    for (const { place, name, bytes, digest } of papers) {
      await sql`
        insert into files (organisation, digest, bytes, type, name)
        values (${organisation}, ${digest}, ${bytes}, 'application/pdf', ${name})
        on conflict do nothing
      `.execute(trx);
      await sql`
        update mail_papers
        set digest = ${digest}
        where organisation = ${organisation} and mail = ${mail} and place = ${place}
      `.execute(trx);
    }
    await sql`
      update mails
      set state = 'sent', sent_at = ${instant(clock.now())}, error = ${error}, claimed_until = null
      where organisation = ${organisation} and id = ${mail}
    `.execute(trx);
  });
}

async function noteFailed(books: Books, organisation: number, mail: string, reason: string): Promise<void> {
  await books.inTransaction({ organisation, user: nobody }, (trx) =>
    sql`
      update mails
      set state = 'failed', error = ${reason}, claimed_until = null
      where organisation = ${organisation} and id = ${mail} and state <> 'sent'
    `.execute(trx),
  );
}
