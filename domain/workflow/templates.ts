import type { FlowAction, Stage, StageColour } from './definition.ts';
import type { FactName, FlowFamily } from './families.ts';

/** A definition to begin with; the roles are left to the organisation. */
export interface Template {
  readonly key: string;
  readonly name: string;
  readonly says: string;
  readonly stages: readonly Stage[];
  readonly actions: readonly FlowAction[];
}

const stage = (key: string, name: string, colour: StageColour, more: Partial<Stage> = {}): Stage => ({
  key,
  name,
  colour,
  slaHours: null,
  start: false,
  end: false,
  onward: false,
  approval: false,
  fields: [],
  facts: [],
  ...more,
});
const action = (key: string, label: string, from: string, to: string, more: Partial<FlowAction> = {}): FlowAction => ({
  key,
  label,
  from,
  to,
  roles: [],
  needsComment: false,
  confirmText: '',
  destructive: false,
  ...more,
});
const turnsAway = (label: string) => ({
  needsComment: true,
  destructive: true,
  confirmText: `${label} this order? It goes no further.`,
});
const asks = (...facts: readonly FactName[]) => ({ facts });

/** Definitions to begin with, by the orders they are for. */
export const templates: Readonly<Record<FlowFamily, readonly Template[]>> = {
  saleOrders: [
    {
      key: 'approval',
      name: 'Approval',
      says: 'Somebody approves the order before anything is made from it',
      stages: [
        stage('new', 'New', 'neutral', { start: true, slaHours: 24, approval: true }),
        stage('approved', 'Approved', 'ok', { end: true, onward: true }),
        stage('rejected', 'Rejected', 'bad', { end: true }),
      ],
      actions: [
        action('approve', 'Approve', 'new', 'approved'),
        action('reject', 'Reject', 'new', 'rejected', turnsAway('Reject')),
      ],
    },
    {
      key: 'pick-pack-ship',
      name: 'Approve, pack, dispatch',
      says: 'Credit is looked at, then goods are packed and sent; the invoice is made once they are packed',
      stages: [
        stage('new', 'New', 'neutral', { start: true, slaHours: 24, approval: true, ...asks('creditOk') }),
        stage('approved', 'Approved', 'info', { slaHours: 48, ...asks('stockAvailable') }),
        stage('packed', 'Packed', 'warn', { slaHours: 24, onward: true }),
        stage('dispatched', 'Dispatched', 'ok', { end: true, onward: true }),
        stage('rejected', 'Rejected', 'bad', { end: true }),
      ],
      actions: [
        action('approve', 'Approve', 'new', 'approved'),
        action('reject', 'Reject', 'new', 'rejected', turnsAway('Reject')),
        action('pack', 'Mark as packed', 'approved', 'packed'),
        action('back', 'Send back', 'approved', 'new', { needsComment: true, destructive: true }),
        action('dispatch', 'Mark as dispatched', 'packed', 'dispatched'),
      ],
    },
  ],
  saleReturnOrders: [
    {
      key: 'inspect',
      name: 'Agree and inspect',
      says: 'The return is agreed to, the goods are looked at, then the sale return is made',
      stages: [
        stage('asked', 'Asked for', 'neutral', { start: true, slaHours: 48, approval: true }),
        stage('agreed', 'Agreed', 'info'),
        stage('inspected', 'Inspected', 'ok', { end: true, onward: true }),
        stage('refused', 'Refused', 'bad', { end: true }),
      ],
      actions: [
        action('agree', 'Agree', 'asked', 'agreed'),
        action('refuse', 'Refuse', 'asked', 'refused', turnsAway('Refuse')),
        action('inspect', 'Goods are in order', 'agreed', 'inspected'),
        action('send-away', 'Goods are not in order', 'agreed', 'refused', turnsAway('Refuse')),
      ],
    },
  ],
  purchaseOrders: [
    {
      key: 'approval',
      name: 'Approval',
      says: 'Somebody approves the order before it goes to the supplier and bills are entered for it',
      stages: [
        stage('asked', 'Asked for', 'neutral', { start: true, slaHours: 24, approval: true }),
        stage('approved', 'Approved', 'info', { onward: true }),
        stage('ordered', 'Ordered', 'ok', { end: true, onward: true }),
        stage('rejected', 'Rejected', 'bad', { end: true }),
      ],
      actions: [
        action('approve', 'Approve', 'asked', 'approved'),
        action('reject', 'Reject', 'asked', 'rejected', turnsAway('Reject')),
        action('order', 'Sent to the supplier', 'approved', 'ordered'),
      ],
    },
  ],
  purchaseReturnOrders: [
    {
      key: 'approval',
      name: 'Approval',
      says: 'Somebody approves before goods go back',
      stages: [
        stage('asked', 'Asked for', 'neutral', { start: true, slaHours: 24, approval: true }),
        stage('approved', 'Approved', 'ok', { end: true, onward: true }),
        stage('rejected', 'Rejected', 'bad', { end: true }),
      ],
      actions: [
        action('approve', 'Approve', 'asked', 'approved'),
        action('reject', 'Reject', 'asked', 'rejected', turnsAway('Reject')),
      ],
    },
  ],
};
