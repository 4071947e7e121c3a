import { sql } from 'kysely';
import type { Answer, Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { mailCalls } from '../../contract/mail.ts';
import { allowCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { mayOpen, viewDocument } from '../documents/index.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Contacts = Answer<(typeof mailCalls)['ListMails']>['contacts'];

interface Row {
  id: string;
  recipients: string[];
  copies: string[];
  subject: string;
  message: string;
  state: 'queued' | 'sent' | 'failed';
  attempts: number;
  error: string | null;
  at: Date;
  sent_at: Date | null;
  who: string | null;
  replaced: boolean;
  papers: { document: string; name: string; kept: boolean; kind: string; location: string; author: string }[];
}

/**
 * The mails of a document that its viewer may read, newest first, and whom the next one would go to; of other
 * documents in the same mail, those that the viewer may open too.
 */
export async function listMails(
  { document }: Input<(typeof mailCalls)['ListMails']>,
  context: Context,
  possible: boolean,
): Promise<Answer<(typeof mailCalls)['ListMails']>> {
  const view = await viewDocument(context, { id: document });
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<Row>`
      select
        m.id, m.recipients, m.copies, m.subject, m.message, m.state, m.attempts, m.error, m.at, m.sent_at,
        u.name as who, m.replaced_by is not null as replaced,
        (
          select jsonb_agg(
            jsonb_build_object(
              'document', p.document, 'name', p.name, 'kept', p.digest is not null, 'kind', d.kind, 'location',
              d.location, 'author', d.author
            )
            order by p.place
          )
          from mail_papers p
          join documents d on d.organisation = p.organisation and d.id = p.document
          where p.organisation = m.organisation and p.mail = m.id
        ) as papers
      from mails m
      left join users u on u.organisation = m.organisation and u.id = m.by
      where m.organisation = ${context.organisation}
        and exists (
          select from mail_papers p
          where p.organisation = m.organisation and p.mail = m.id and p.document = ${view.id}
        )
      order by m.at desc, m.id desc
      limit 50
    `.execute(trx);
    const contacts = view.party ? await contactsOf(trx, context, view.party.id) : [];
    return {
      possible,
      to: contacts.slice(0, 1).map(({ email }) => email),
      contacts,
      mails: rows.map(({ recipients, copies, at, sent_at, who, papers, ...row }) => ({
        ...row,
        papers: papers
          .filter((paper) => mayOpen(context, paper))
          .map(({ document: own, name, kept }) => ({ document: own, name, kept })),
        to: recipients,
        cc: copies,
        at: at.toISOString(),
        sentAt: sent_at?.toISOString() ?? null,
        by: who ?? '',
      })),
    };
  });
}

interface Reached {
  readonly name?: string;
  readonly role?: string;
  readonly city?: string;
  readonly email?: string;
}

/** The addresses of a party, each once: its own, those of its people, those of its places. */
async function contactsOf(trx: Trx, { organisation }: Context, party: string): Promise<Contacts> {
  const { rows } = await sql<{
    name: string;
    body: { readonly email?: string; readonly contacts?: readonly Reached[]; readonly addresses?: readonly Reached[] };
  }>`select name, body from parties where organisation = ${organisation} and id = ${party}::uuid`.execute(trx);
  const [found] = rows;
  if (!found) return [];
  const { email = '', contacts = [], addresses = [] } = found.body;
  const all = [
    { name: found.name, role: '', email },
    ...contacts.map((c) => ({ name: c.name ?? '', role: c.role ?? '', email: c.email ?? '' })),
    ...addresses.map((a) => ({ name: found.name, role: a.city ?? '', email: a.email ?? '' })),
  ].filter((one) => one.email !== '');
  return all.filter(
    (one, at) => all.findIndex((other) => other.email.toLowerCase() === one.email.toLowerCase()) === at,
  );
}

/** A paper as it was mailed, to whoever may read its document. */
export async function mailedPaper(
  { mail, document }: Input<(typeof mailCalls)['GetMailedPaper']>,
  context: Context,
): Promise<Answer<(typeof mailCalls)['GetMailedPaper']>> {
  allowCost(context, (await viewDocument(context, { id: document })).kind);
  return context.inTransaction(async (trx) => {
    const { rows } = await sql<{ name: string; type: string; bytes: Buffer }>`
      select p.name, f.type, f.bytes from mail_papers p join files f on f.organisation = p.organisation and f.digest = p.digest
       where p.organisation = ${context.organisation} and p.mail = ${mail} and p.document = ${document}`.execute(trx);
    const [paper] = rows;
    if (!paper) throw new Refusal('notFound');
    return { name: paper.name, type: paper.type, content: paper.bytes.toString('base64') };
  });
}
