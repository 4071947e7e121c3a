import { expect, test } from 'vitest';
import { kindNames, kindOf } from './kinds/index.ts';
import { actions, isChangeable, type Standing, type State, stateOf } from './lives.ts';

const today = '2026-11-21';
const item = { original: 1000, open: 1000 };

test.each<[string, 'saleInvoice' | 'saleOrder' | 'manualJournal', Standing, State]>([
  ['being typed', 'saleInvoice', { draft: true }, 'draft'],
  ['waiting for a word', 'saleInvoice', { draft: true, approval: 'requested' }, 'pendingApproval'],
  ['sent back', 'saleInvoice', { draft: true, approval: 'rejected' }, 'rejected'],
  ['nothing paid', 'saleInvoice', { draft: false, item }, 'open'],
  ['due today', 'saleInvoice', { draft: false, item: { ...item, due: today } }, 'open'],
  ['due yesterday', 'saleInvoice', { draft: false, item: { ...item, due: '2026-11-20' } }, 'overdue'],
  [
    'due and partly paid',
    'saleInvoice',
    { draft: false, item: { original: 1000, open: 1, due: '2026-11-20' } },
    'overdue',
  ],
  ['partly paid', 'saleInvoice', { draft: false, item: { original: 1000, open: 1 } }, 'partlyPaid'],
  [
    'paid after the due date',
    'saleInvoice',
    { draft: false, item: { original: 1000, open: 0, due: '2026-11-20' } },
    'paid',
  ],
  ['cancelled while unpaid', 'saleInvoice', { draft: false, cancelled: true, item }, 'cancelled'],
  ['nothing to settle', 'manualJournal', { draft: false }, 'posted'],
  ['nothing delivered', 'saleOrder', { draft: false, carried: { whole: 5, done: 0 } }, 'open'],
  ['some delivered', 'saleOrder', { draft: false, carried: { whole: 5, done: 2 } }, 'partlyFulfilled'],
  ['all delivered', 'saleOrder', { draft: false, carried: { whole: 5, done: 5 } }, 'fulfilled'],
  ['closed short', 'saleOrder', { draft: false, closed: true, carried: { whole: 5, done: 2 } }, 'closed'],
])('%s: a %s', (_, name, standing, wanted) => {
  expect(stateOf(kindOf(name), standing, today)).toBe(wanted);
});

test('only drafts can be changed, and nobody changes what waits for approval', () => {
  const states: State[] = [
    'draft',
    'rejected',
    'pendingApproval',
    'posted',
    'open',
    'partlyPaid',
    'paid',
    'overdue',
    'fulfilled',
    'closed',
    'cancelled',
  ];
  expect(states.filter(isChangeable)).toEqual(['draft', 'rejected']);
});

test('actions follow from the row of the kind', () => {
  expect(actions(kindOf('saleOrder'), 'open')).toContain('close');
  expect(actions(kindOf('saleInvoice'), 'open')).not.toContain('close');
  expect(actions(kindOf('saleInvoice'), 'open')).toContain('settle');
  expect(actions(kindOf('manualJournal'), 'posted')).not.toContain('settle');
  expect(actions(kindOf('saleInvoice'), 'cancelled')).toEqual(['print', 'copy']);
  for (const name of kindNames.filter((each) => kindOf(each).life.system))
    expect(actions(kindOf(name), 'posted').filter((action) => action !== 'print')).toEqual([]);
});
