import type { einvoiceStates } from '../../contract/einvoice.ts';

export type EinvoiceState = (typeof einvoiceStates)[number];

/** States from which a document may be sent to the portal. */
export const sendable: readonly EinvoiceState[] = ['queued', 'failed', 'unclear'];

/** The code of a failure where the portal has our number for another invoice; the database asks for it too (`irn_differs`). */
export const DIFFERS = 'differs';
