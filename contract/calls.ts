import { accountCalls } from './accounts.ts';
import { additionalCalls } from './additional.ts';
import { approvalCalls } from './approval.ts';
import { bankingCalls } from './banking.ts';
import { besideCalls } from './beside.ts';
import { closingCalls } from './closing.ts';
import type { Contract } from './contract.ts';
import { countCalls } from './counting.ts';
import { documents } from './documents.ts';
import { einvoiceCalls } from './einvoice.ts';
import { wayCalls } from './eway.ts';
import { exchangeCalls } from './exchange.ts';
import { findCalls } from './finding.ts';
import { foundingCalls } from './founding.ts';
import { guideCalls } from './guide-calls.ts';
import { importCalls } from './imports.ts';
import { inventoryCalls } from './inventory.ts';
import { itemCalls } from './items.ts';
import { mailCalls } from './mail.ts';
import { masterCalls, pageCalls } from './master-calls.ts';
import { namedCalls } from './named.ts';
import { partyCalls } from './parties.ts';
import { partCalls } from './parts.ts';
import { paymentCalls } from './payments.ts';
import { peopleCalls } from './people.ts';
import { recurringCalls } from './recurring.ts';
import { dashboardCalls, reportCalls } from './report-calls.ts';
import { lookupCalls, sessionCalls } from './session.ts';
import { subscriptionCalls } from './subscription.ts';
import { tillCalls } from './till.ts';
import { tokenCalls } from './tokens.ts';
import { trailCalls } from './trail.ts';
import { webhookCalls } from './webhooks.ts';
import { taxCalls } from './withheld.ts';
import { workflowCalls } from './workflow.ts';

/** Every call of the product, by the name it is served under at /api/<service>/<name>. */
export const calls = {
  ...sessionCalls,
  ...lookupCalls,
  ...findCalls,
  ...peopleCalls,
  ...tokenCalls,
  ...webhookCalls,
  ...foundingCalls,
  ...guideCalls,
  ...masterCalls,
  ...pageCalls,
  ...importCalls,
  ...namedCalls,
  ...partyCalls,
  ...paymentCalls,
  ...additionalCalls,
  ...documents,
  ...besideCalls,
  ...partCalls,
  ...approvalCalls,
  ...tillCalls,
  ...accountCalls,
  ...closingCalls,
  ...bankingCalls,
  ...exchangeCalls,
  ...taxCalls,
  ...inventoryCalls,
  ...countCalls,
  ...itemCalls,
  ...mailCalls,
  ...recurringCalls,
  ...trailCalls,
  ...reportCalls,
  ...dashboardCalls,
  ...einvoiceCalls,
  ...wayCalls,
  ...subscriptionCalls,
  ...workflowCalls,
} as const satisfies Contract;

export type CallName = keyof typeof calls;
