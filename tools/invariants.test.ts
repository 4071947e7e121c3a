import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checks } from '../server/kit/database/invariant-checks.ts';
import { REPLAY, SIGNED } from '../server/kit/database/invariants.ts';
import { root } from '../server/kit/database/migrate.ts';
import { LOGGED } from '../server/kit/secrets/logged.ts';

/** Checks of the sweep, that are run on any database; or why no row of the books could break it. */
type Swept = readonly string[] | { readonly because: string };
/** A test that fails when the product breaks it: the file, and what its name begins with or holds. */
type Proven = readonly [file: string, name: string];

/** INV-60: each invariant is held on any database by a check, and proven in the product by a test of its own. */
const invariants: Readonly<Record<string, readonly [swept: Swept, proven: Proven]>> = {
  'INV-01': [
    ['INV-01'],
    ['domain/books/posting.test.ts', 'balances, has no negative amounts, and its mirror undoes it'],
  ],
  'INV-02': [['INV-02'], ['server/documents/stock/stock-law.test.ts', 'whatever is posted in whatever order']],
  'INV-03': [['INV-03'], ['db/books.test.ts', 'INV-01, INV-03: entries']],
  'INV-04': [['INV-04'], ['server/reports/reports.test.ts', 'the trial balance of any period is what the entries say']],
  'INV-05': [['INV-05'], ['server/reports/reports.test.ts', 'the balance sheet balances on any day']],
  'INV-06': [
    ['INV-06', 'INV-06b', 'INV-06c', 'INV-06d'],
    ['server/reports/reports.test.ts', '%s: its buckets make its total, which is what is outstanding, party by party'],
  ],
  'INV-07': [
    { because: 'it joins what a report shows to what it leads to: both are queries of the product' },
    ['server/reports/reports.test.ts', 'each line of the trial balance drills to entries that make it'],
  ],
  'INV-08': [['INV-08'], ['domain/books/posting.test.ts', 'balances, and takes what was booked off the party']],
  'INV-09': [
    ['INV-09a', 'INV-09b'],
    ['server/kit/database/invariants.test.ts', 'projections are made anew from the books'],
  ],
  'INV-10': [
    ['INV-10'],
    ['server/masters/fixed.test.ts', 'a ledger with amounts stays among its nature, and no group is under itself'],
  ],
  'INV-11': [['INV-11'], ['db/books.test.ts', 'INV-11: what is posted is written once']],
  'INV-12': [
    ['INV-12'],
    ['server/documents/posting/idempotency.test.ts', 'cancelling several under one key mirrors each once'],
  ],
  'INV-13': [
    ['INV-13', 'INV-13b', 'INV-13c'],
    ['domain/books/settle.test.ts', 'no item gets more than is open, nothing is lost'],
  ],
  'INV-14': [
    ['INV-14'],
    ['server/documents/posting/refunds.test.ts', 'a refund uses up the credits that its panel names'],
  ],
  'INV-15': [
    ['INV-15', 'INV-15b'],
    ['server/documents/posting/post.test.ts', 'a locked period is refused'],
  ],
  'INV-16': [['INV-16'], ['domain/document/resolve.test.ts', 'returns of a line in any parts come to the line']],
  'INV-17': [
    ['INV-17'],
    [
      'server/documents/posting/idempotency.test.ts',
      'a draft that was posted is answered again under its key, and is gone under another',
    ],
  ],
  'INV-18': [['INV-18'], ['server/einvoice/einvoice.test.ts', 'whatever the portal does, there is exactly one IRN']],
  'INV-20': [
    ['INV-20'],
    ['server/reports/stock.test.ts', 'stock on hand, stock ledger and statements agree with the movements on any day'],
  ],
  'INV-21': [['INV-21'], ['server/documents/stock/stock-law.test.ts', 'whatever is posted in whatever order']],
  'INV-22': [['INV-22'], ['domain/stock/revalue.test.ts', 'a transfer arrives at what it left at']],
  'INV-23': [['INV-23'], ['server/inventory/reserved.test.ts', 'INV-23: whatever happens to orders']],
  'INV-24': [
    ['INV-24a', 'INV-24b', 'INV-24c'],
    [
      'server/documents/stock/stock-law.test.ts',
      'whatever is posted in whatever order, values and the stock ledger are those of the order of days',
    ],
  ],
  'INV-25': [['INV-25'], ['domain/stock/valuation.test.ts', 'nothing on the shelf is worth nothing']],
  'INV-26': [
    ['INV-26', 'INV-26b'],
    ['server/documents/stock/parts.test.ts', 'two sales at once do not both get the last of a batch'],
  ],
  'INV-27': [
    ['INV-27', 'INV-27b'],
    ['server/documents/stock/parts.test.ts', 'one for each unit, none twice, and a unit is not split'],
  ],
  'INV-28': [
    ['INV-28'],
    ['server/documents/stock/parts.test.ts', 'are counted in the unit of the line and move in that of the item'],
  ],
  'INV-30': [['INV-30'], ['domain/document/number.test.ts', 'patterns that never meet never give the same number']],
  'INV-31': [['INV-31'], ['server/faults.test.ts', 'G-01, F-21: 200 posts at once by several users']],
  'INV-32': [
    ['INV-32'],
    [
      'server/documents/posting/post.test.ts',
      'a refused post in a batch takes nothing from the others, and leaves no gap',
    ],
  ],
  'INV-33': [['INV-33'], ['domain/document/number.test.ts', 'a pattern is held to its rules at every place it serves']],
  'INV-34': [['INV-34'], ['domain/base/dates.test.ts', 'begins in April and ends in March']],
  'INV-35': [
    ['INV-35'],
    ['domain/tax/gst/irp.test.ts', "documents of any making agree with the portal's rules of totals"],
  ],
  'INV-36': [
    ['INV-36', 'INV-36b', 'INV-36c', 'INV-36d', 'INV-36e'],
    ['server/einvoice/einvoice.test.ts', 'whatever the portal does, there is exactly one IRN'],
  ],
  'INV-37': [
    ['INV-37', 'INV-37b', 'INV-37c'],
    ['server/eway/eway.test.ts', 'whatever the portals do, there is exactly one e-way bill'],
  ],
  'INV-38': [
    ['INV-38'],
    ['domain/tax/gst/gstr1.test.ts', 'the file is valid and its tables hold every rupee of tax once'],
  ],
  'INV-39': [
    ['INV-39'],
    [
      'domain/document/price.test.ts',
      'a line bears one tax between states and two equal halves within one, never both',
    ],
  ],
  'INV-40': [['INV-40'], ['domain/tax/gst/gstr1.test.ts', 'the HSN summary has halves']],
  'INV-41': [['INV-41'], ['db/walls.test.ts', 'INV-41: every table of an organisation has forced row-level security']],
  'INV-42': [
    ['INV-42', 'INV-42b'],
    ['db/walls.test.ts', 'INV-42, INV-43: the organisation is in every foreign key'],
  ],
  'INV-43': [['INV-43'], ['db/walls.test.ts', 'INV-42, INV-43: the organisation is in every foreign key']],
  'INV-44': [
    ['INV-44a', 'INV-44b', 'INV-44c', 'INV-44d', 'INV-44e', 'INV-44f'],
    ['db/books.test.ts', 'INV-44: the edit log'],
  ],
  'INV-45': [
    ['INV-45'],
    ['server/trail/checkpoints.test.ts', 'INV-45, F-43: a chain made anew that is whole in itself'],
  ],
  'INV-46': [['INV-46'], ['server/attacks.test.ts', 'S-60, S-61: secrets are in no table, log or answer']],
  'INV-47': [
    ['INV-47'],
    [
      'server/access/access.test.ts',
      'the highest of several grants on a parent counts; parent 17 and level 0 grant nothing',
    ],
  ],
  'INV-48': [['INV-48'], ['server/session/session.test.ts', 'INV-48: who is disabled is out within five seconds']],
  'INV-50': [['INV-50'], ['domain/document/price.test.ts', 'price agrees with decimals of forty digits']],
  'INV-51': [['INV-51'], ['domain/document/price.test.ts', 'a document is the sum of its lines']],
  'INV-52': [['INV-52'], ['domain/base/dates.test.ts', 'adding days and counting them are each the other backwards']],
  'INV-53': [
    ['INV-53'],
    ['server/attacks.test.ts', 'S-30, S-34, S-36, S-37: %s takes hostile text for text, or refuses it'],
  ],
  'INV-54': [
    ['INV-54'],
    [
      'server/documents/posting/idempotency.test.ts',
      'the same key gets the same answer, one after the other and all at once, and posts once',
    ],
  ],
  'INV-55': [
    { because: 'a file that was read is not kept, only the lines it brought, each once by its key' },
    ['server/killed.test.ts', 'F-24: killed at three, six and nine tenths of a statement'],
  ],
  'INV-56': [
    ['INV-56'],
    [
      'server/documents/stock/revaluation.test.ts',
      'a job whose process died is put back into the outbox, and done twice it writes one revision',
    ],
  ],
  'INV-57': [
    ['INV-57'],
    ['server/closing/year-end.test.ts', 'case 36: periodic books are closed with their closing stock'],
  ],
  'INV-58': [['INV-58'], ['server/banking/banking.test.ts', 'lines are matched with entries as suggested']],
  'INV-61': [
    ['INV-61'],
    [
      'server/till/till.test.ts',
      'a bill that comes in while somebody closes: the books and the count agree, whoever was first',
    ],
  ],
  'INV-62': [
    ['INV-62'],
    [
      'server/till/numbers.test.ts',
      'a bill that is refused keeps its number, listed with the reason; mended, it is posted under that number',
    ],
  ],
  'INV-66': [
    ['INV-66'],
    ['server/workflow/workflow.test.ts', 'two who bring the same order on at once: one does, the other is refused'],
  ],
  'INV-70': [
    ['INV-70'],
    [
      'server/documents/posting/warnings.test.ts',
      'supplier’s bill booked twice: asks for a reason, which is kept with the document',
    ],
  ],
  'INV-71': [
    ['INV-71'],
    [
      'server/closing/filed-return.test.ts',
      'law: over random sales, advances, notes, cancellations, reversals, locks and marks, what was filed is what the books said then, and every difference is listed',
    ],
  ],
  'INV-67': [
    ['INV-67'],
    [
      'server/documents/drafts/approval.test.ts',
      'two who approve at once post once; a rejection meanwhile wins or is refused',
    ],
  ],
  'INV-69': [['INV-69'], ['server/withheld/withheld.test.ts', 'two at once never pay more than was deducted']],
  'INV-82': [['INV-82'], ['domain/tax/advances.test.ts', 'tax in is tax out']],
  'INV-84': [
    ['INV-84'],
    ['server/documents/posting/statuses.test.ts', 'no change reaches into days with documents of another status'],
  ],
  'INV-85': [['INV-85'], ['server/documents/posting/sources.test.ts', '%s: of another party is refused at the party']],
  'INV-86': [['INV-86'], ['server/documents/posting/sources.test.ts', 'goes to a place of the organisation only']],
  'INV-95': [
    ['INV-95'],
    [
      'server/masters/ledger-postings.test.ts',
      'every map of the default chart is lawful, and one that breaks the rule is found',
    ],
  ],
  'INV-91': [
    ['INV-91'],
    [
      'server/documents/posting/adjustments.test.ts',
      'what an invoice adds is given back once; a fee that is kept back leaves no more of it',
    ],
  ],
  'INV-92': [
    ['INV-92'],
    [
      'server/documents/posting/advances-of-registrations.test.ts',
      'an advance with tax is set against invoices of its own GSTIN only: another one is a problem at its amount',
    ],
  ],
  'INV-96': [['INV-96'], ['server/documents/posting/allowances.test.ts', 'is never freed beyond the money: %s']],
  'INV-65': [['INV-65'], ['server/banking/dues.test.ts', 'two at once never use more than there is']],
};

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `INV-${String(from + i).padStart(2, '0')}`);
const all = [
  ...numbers(1, 18),
  ...numbers(20, 28),
  ...numbers(30, 48),
  ...numbers(50, 58),
  ...numbers(61, 62),
  'INV-65',
  'INV-66',
  'INV-67',
  'INV-69',
  'INV-70',
  'INV-71',
  'INV-82',
  'INV-84',
  'INV-85',
  'INV-86',
  'INV-91',
  'INV-92',
  'INV-95',
  'INV-96',
];

test('INV-60: every invariant has its row', () => {
  expect(Object.keys(invariants).sort()).toEqual(all.sort());
});

test('INV-60: every check of the sweep belongs to one, and each row names checks that there are', () => {
  const swept = [...checks.map(({ id }) => id), REPLAY.id, LOGGED.id, SIGNED.id].sort();
  const named = Object.values(invariants).flatMap(([by]) => (Array.isArray(by) ? by : []) as string[]);
  expect(named.sort()).toEqual(swept);
  for (const [id, [by]] of Object.entries(invariants))
    if (Array.isArray(by)) for (const check of by as string[]) expect(check.replace(/[a-z]$/, '')).toBe(id);
});

test.each(Object.entries(invariants))('INV-60: %s has a test of that name', (_, [, [file, name]]) => {
  const source = fs.readFileSync(path.join(root(), file), 'utf8').replaceAll("\\'", "'");
  expect(source).toContain(name);
});
