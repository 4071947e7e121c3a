import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Input } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { mailCalls } from '../../contract/mail.ts';
import { say } from '../../domain/base/say.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { allowCost } from '../access/index.ts';
import type { Context } from '../context.ts';
import { viewDocument } from '../documents/index.ts';
import { once } from '../kit/database/once.ts';
import { newId } from '../kit/ids.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type Asked = Input<(typeof mailCalls)['SendInvoiceInMail']>;
type Letter = Pick<Asked, 'to' | 'cc' | 'subject' | 'message'>;

/** Keeps the mail with its job, in one transaction and once for its key; the relay sends it. */
export async function queueMail(
  { TransactionIds, to, cc, subject, message, again }: Asked,
  context: Context,
): Promise<{ mail: string }> {
  const papers: { readonly document: string; readonly name: string }[] = [];
  for (const id of new Set(TransactionIds)) papers.push(await paperFor(context, id));
  const org = context.organisation;
  return context.inTransaction((trx) =>
    once(trx, context, { mail: newId() }, ({ mail }) =>
      keepMail(trx, context, mail, { to, cc, subject, message }, async () => {
        for (const [i, { document, name }] of papers.entries())
          await sql`
            insert into mail_papers (organisation, mail, place, document, name)
            values (${org}, ${mail}, ${i + 1}, ${document}, ${name})
          `.execute(trx);
        if (again)
          await giveUp(
            trx,
            context,
            again,
            mail,
            papers.map((p) => p.document),
          );
      }),
    ),
  );
}

/** A mail with what is attached to it, and the job that sends it. */
async function keepMail(
  trx: Trx,
  { organisation, user }: Context,
  mail: string,
  { to, cc, subject, message }: Letter,
  attach: () => Promise<void>,
): Promise<void> {
  await sql`
    insert into mails (organisation, id, recipients, copies, subject, message, by)
    values (${organisation}, ${mail}, ${to}, ${cc}, ${subject}, ${message}, ${user})
  `.execute(trx);
  await attach();
  await sql`
    insert into outbox (organisation, task, payload, key)
    values (${organisation}, 'mail', ${JSON.stringify({ organisation, mail })}, ${mail})
  `.execute(trx);
}

/** A paper that is no document's: made already, and kept as it is. `certificate` says whose it is, once the mail is there. */
export interface MadePaper {
  readonly name: string;
  readonly bytes: Buffer;
  certificate(trx: Trx): Promise<string>;
}

/** Keeps a mail of a paper that is made already, once for its key. */
export function queuePaper(
  letter: Letter,
  { name, bytes, certificate }: MadePaper,
  context: Context,
): Promise<{ mail: string }> {
  const org = context.organisation;
  const digest = createHash('sha256').update(bytes).digest('hex');
  return context.inTransaction((trx) =>
    once(trx, context, { mail: newId() }, ({ mail }) =>
      keepMail(trx, context, mail, letter, async () => {
        await sql`
          insert into files (organisation, digest, bytes, type, name)
          values (${org}, ${digest}, ${bytes}, 'application/pdf', ${name})
          on conflict do nothing
        `.execute(trx);
        await sql`
          insert into mail_papers (organisation, mail, place, certificate, name, digest)
          values (${org}, ${mail}, 1, ${await certificate(trx)}, ${name}, ${digest})
        `.execute(trx);
      }),
    ),
  );
}

/** Only what is posted has a paper to send. A foreign id looks like an unknown one. */
async function paperFor(context: Context, id: string): Promise<{ readonly document: string; readonly name: string }> {
  const { kind: name, number, draft } = await viewDocument(context, { id });
  allowCost(context, name);
  const kind = kindCalled(name);
  if (draft) throw new Refusal('cannotMail', { name: kind?.label ?? name, reason: say('it is a draft') });
  if (kind?.paper.form === 'none') throw new Refusal('cannotMail', { name: number, reason: say('it has no paper') });
  return { document: id, name: `${number.replaceAll('/', '-')}.pdf` };
}

/**
 * A mail that failed and is sent again by hand is not tried any more; one that was sent stays as it is. It is found
 * only among the mails of what is mailed now.
 */
async function giveUp(
  trx: Trx,
  context: Context,
  old: string,
  mail: string,
  documents: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ over: boolean; busy: boolean }>`
    select state = 'sent' or replaced_by is not null as over, coalesce(claimed_until > now(), false) as busy
    from mails m
    where organisation = ${context.organisation}
      and id = ${old}
      and not exists (
        select from mail_papers p
        where p.organisation = m.organisation
          and p.mail = m.id
          and (p.document is null or not p.document = any(${documents}::uuid[]))
      )
    for update
  `.execute(trx);
  const [found] = rows;
  if (!found) throw new Refusal('notFound');
  if (found.over) return;
  if (found.busy) throw new Refusal('busy');
  await sql`update mails set replaced_by = ${mail} where organisation = ${context.organisation} and id = ${old}`.execute(
    trx,
  );
}
