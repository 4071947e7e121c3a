import { sql } from 'kysely';
import { z } from 'zod';
import type { Books } from '../kit/database/sql.ts';
import { newId } from '../kit/ids.ts';
import { Later } from '../kit/later.ts';
import { NotSent, type PostOffice } from '../mail/index.ts';
import { signInLetter } from './letters.ts';
import { digestOf, linkAt, newLink } from './links.ts';

const job = z.object({ organisation: z.int(), user: z.uuid(), person: z.uuid() });

/**
 * Somebody has forgotten the password of this e-mail: the link goes there and to nobody else. Unknown or known, it is one
 * statement and no answer, so that nobody learns who exists; and at most one mail in two minutes.
 */
export async function forgotPassword(books: Books, email: string): Promise<void> {
  await books.pool.query(
    `
      insert into outbox (organisation, task, payload, key)
      select
        m.organisation, 'forgottenPassword',
        jsonb_build_object('organisation', m.organisation, 'user', m."user", 'person', p.id),
        p.id::text
      from people p
      cross join lateral memberships_of(p.id) m
      where lower(p.email) = lower($1)
        and p.password_hash is not null
        and not exists (
          select from sign_in_links l
          where l.person = p.id and l.made_by is null and l.made_at > now() - interval '2 minutes'
        )
      order by m.organisation
      limit 1
    `,
    [email],
  );
}

/** Makes the link when it is mailed, so that it is kept nowhere; one that could not be mailed opens nothing. */
export const forgottenPassword =
  ({ books, post, publicUrl }: { readonly books: Books; readonly post: PostOffice; readonly publicUrl: string }) =>
  async (payload: unknown): Promise<void> => {
    const { organisation, user, person } = job.parse(payload);
    const made = await books.inTransaction({ organisation, user }, async (trx) => {
      const { rows } = await sql<{ email: string; name: string; organisation: string }>`
        select p.email, u.name, o.name as organisation
        from users u
        join people p on p.id = u.person
        join organisations o on o.organisation = u.organisation
        where u.organisation = ${organisation}
          and u.id = ${user}
          and u.person = ${person}
          and u.active
          and u.accepted_at is not null
      `.execute(trx);
      return (
        rows[0] && { ...rows[0], ...(await newLink(trx, 'password', { organisation, user, person, by: undefined })) }
      );
    });
    if (!made) return;
    const { token, email, expiresAt } = made;
    const letter = signInLetter({
      purpose: 'password',
      name: made.name,
      by: undefined,
      organisation: made.organisation,
      url: linkAt(publicUrl, token),
      expiresAt,
    });
    try {
      await post.send({
        id: newId(),
        senderName: 'Bahi',
        replyTo: undefined,
        to: [email],
        cc: [],
        papers: [],
        ...letter,
      });
    } catch (error) {
      await books.pool.query('delete from sign_in_links where digest = $1', [digestOf(token)]);
      if (!(error instanceof NotSent)) throw error;
      if (!error.final) throw new Later(error.message);
    }
  };
