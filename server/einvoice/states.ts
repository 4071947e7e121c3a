import type { einvoiceStates } from '../../contract/einvoice.ts';

export type EinvoiceState = (typeof einvoiceStates)[number];

/** States from which a document may be sent to the portal. */
export const sendable: readonly EinvoiceState[] = ['queued', 'failed', 'unclear'];
