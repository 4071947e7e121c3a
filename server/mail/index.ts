import type { Handlers } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import type { mailCalls } from '../../contract/mail.ts';
import type { Context } from '../context.ts';
import { listMails, mailedPaper } from './list.ts';
import { queueMail } from './send.ts';

export { type Catcher, type Caught, catchMail } from './catcher.ts';
export { queuePaper } from './send.ts';
export { abandonedMails, type MailWorks, mailTask } from './task.ts';
export { NotSent, type PostOffice, postOffice } from './transport.ts';

/** The calls about mails of documents; `possible` says whether this installation has a mail server. */
export const mailHandlers = (possible: boolean): Handlers<typeof mailCalls, Context> => ({
  SendInvoiceInMail: (input, context) => {
    if (!possible) throw new Refusal('noMail');
    return queueMail(input, context);
  },
  ListMails: (input, context) => listMails(input, context, possible),
  GetMailedPaper: mailedPaper,
});
