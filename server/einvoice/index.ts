import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import type { einvoiceCalls } from '../../contract/einvoice.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Context } from '../context.ts';
import { printHandlers } from '../printing/index.ts';
import { cancelIrn } from './cancel.ts';
import { credentialHandlers } from './credentials.ts';
import { listAttempts, listEinvoices, sendAgain } from './list.ts';
import { mustBeConnected, type PortalDesk } from './sending.ts';

export { openBody, sealBody, sealLogin } from './cipher.ts';
export { credentialsOf, keepCredentials, rememberSignIn } from './credentials.ts';
export { exchange, type Line, Unclear } from './exchange.ts';
export { type PortalDocument, portalDocument } from './facts.ts';
export {
  type Credentials,
  factsOf,
  noPortal,
  type Portal,
  type PortalError,
  type PortalPlace,
  portalAt,
  type Reply,
  signingKeysOf,
} from './portal.ts';
export { ABANDONED } from './record.ts';
export { type RegisterPayload, registerInvoice } from './register.ts';
export {
  credentialTrouble,
  type Errand,
  type Exchanges,
  heard,
  mustBeConnected,
  type PortalDesk,
  passing,
  refusedBy,
  sendOnce,
  stillUnclear,
  wordsOf,
} from './sending.ts';

/** The calls about e-invoices. Sending is a job; cancelling asks the portal at once, for the user waits for its answer. */
export const einvoiceHandlers = (desk: PortalDesk): Handlers<typeof einvoiceCalls, Context> => ({
  GetEInvoiceList: listEinvoices,
  GetEInvoiceAttempts: ({ id }, context) => listAttempts(id, context),
  GenerateIRNNumber: async ({ ids }, context) => {
    mustBeConnected(desk);
    return sendAgain(ids, context);
  },
  CancelIRNNumber: async ({ id, reason, remark }, context) => {
    mustBeConnected(desk);
    return { cancelledOn: await cancelIrn(desk, context, id, reason, remark) };
  },
  GetEInvoiceByteCode: async ({ IrnNumber }, context) => {
    const found = await context.inTransaction(async (trx) => {
      const { rows } = await sql<{
        document: string;
        number: string;
        state: string;
      }>`
        select e.document, d.number, e.state
          from einvoices e
          join documents d on d.organisation = e.organisation and d.id = e.document
         where e.organisation = ${context.organisation} and e.irn = lower(${IrnNumber}) and e.ack_no is not null`.execute(
        trx,
      );
      return rows[0];
    });
    if (!found) throw new Refusal('notFound');
    if (found.state === 'unclear' || found.state === 'sending')
      throw new Refusal('irnUnclear', { number: found.number });
    return printHandlers(desk.installed).PrintDocument({ id: found.document, copy: 'original' }, context);
  },
  ...credentialHandlers(desk.vault, desk.portal),
});
