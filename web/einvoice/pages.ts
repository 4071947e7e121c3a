import type { z } from 'zod';
import type { einvoiceCalls } from '../../contract/einvoice.ts';
import type { EinvoiceState } from './states.ts';

type Page = z.output<(typeof einvoiceCalls)['GetEInvoiceList']['details']>;
type Asked = { readonly state?: EinvoiceState; readonly after?: string };

/** Where the next page of several states begins: the state by its place, and the server's cursor within it. */
export interface Cursor {
  readonly at: number;
  readonly after: string;
}
export const start: Cursor = { at: 0, after: '' };

/** A page of some states one after another; the server lists one state, or all. States without rows are passed over. */
export const pageOf = async (
  states: readonly EinvoiceState[],
  from: Cursor,
  ask: (asked: Asked) => Promise<Page>,
): Promise<Page & { readonly next: Cursor | undefined }> => {
  const state = states[from.at];
  const page = await ask({ ...(state && { state }), ...(from.after && { after: from.after }) });
  const later = from.at + 1 < states.length ? { at: from.at + 1, after: '' } : undefined;
  const next = page.after ? { at: from.at, after: page.after } : later;
  return page.rows.length === 0 && next ? pageOf(states, next, ask) : { ...page, next };
};
