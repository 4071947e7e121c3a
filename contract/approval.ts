import { z } from 'zod';
import { parseDecimal } from '../domain/base/decimal.ts';
import { mayNeedApproval } from '../domain/document/approval.ts';
import { kindCalled } from '../domain/document/kinds/index.ts';
import { operation } from './contract.ts';
import { decimalText, id, required } from './wire.ts';

const from = decimalText.refine(
  (text) => (parseDecimal(text, 2) ?? -1) >= 0 && (parseDecimal(text, 2) ?? 0) <= 9_999_999_999_999,
  'Enter an amount of nothing or more',
);
/** Which kinds somebody else than their author posts, and from which amount on: settled once for each kind. */
export const approvalRules = z
  .array(
    z.object({
      kind: z.string().refine((name) => {
        const kind = kindCalled(name);
        return kind !== undefined && mayNeedApproval(kind);
      }, 'Choose a kind of document that people write'),
      from,
    }),
  )
  .max(100)
  .refine((rules) => new Set(rules.map(({ kind }) => kind)).size === rules.length, 'Each kind is listed once');

const which = { TransactionId: id, version: z.int().positive() };
const kept = z.object({ TransactionId: id, version: z.int() });

/** Approval of documents, in the service `transactions`; approving is `PostTransactionCalls` by somebody else than the author. */
export const approvalCalls = {
  SubmitForApproval: operation({
    service: 'transactions',
    method: 'POST',
    summary: "Sends the author's own draft for approval: it is locked until somebody else posts or rejects it",
    input: z.object(which),
    details: kept,
  }),
  WithdrawSubmission: operation({
    service: 'transactions',
    method: 'POST',
    summary: "Takes the author's own draft back from approval: it can be changed again",
    input: z.object(which),
    details: kept,
  }),
  RejectDocument: operation({
    service: 'transactions',
    method: 'POST',
    summary: 'Gives a draft that waits for approval back to its author, with a comment',
    input: z.object({ ...which, comment: required(500, 'A comment') }),
    details: kept,
  }),
} as const;

/** How a document stands with its approval: who sent it, and who approved or rejected it. */
export const approvalView = z.object({
  state: z.enum(['requested', 'rejected', 'approved']),
  by: z.string(),
  at: z.string(),
  /** Whether the caller sent it. */ own: z.boolean(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  comment: z.string(),
  /** What has changed of the figures since it was sent, in words; who approves is refused. Null: nothing. */
  changed: z.string().nullable(),
});
