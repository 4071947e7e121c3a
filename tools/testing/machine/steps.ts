import type { CallName } from '../../../contract/calls.ts';
import { addDays } from '../../../domain/base/dates.ts';
import type { Id } from '../../../domain/document/document.ts';
import { apart } from './apart.ts';
import {
  carriedOut,
  type Doc,
  free,
  isLocked,
  isThere,
  type Line,
  leftOf,
  type Move,
  madeFrom,
  paired,
  type Side,
  settle,
  shortOf,
} from './books.ts';
import { categories, isTaken } from './categories.ts';
import { counts } from './counts.ts';
import { irns, isAtPortal, isIrnCancelled } from './irns.ts';
import {
  all,
  because,
  DAYS,
  dayOf,
  enter,
  headOf,
  ITEMS,
  type Made,
  moved,
  type Numbers,
  type Plan,
  pick,
  placeOf,
  posting,
  type Step,
  some,
  type World,
  wireLines,
} from './step.ts';
import { paidBy, withheld } from './withheld.ts';
import { YEAR_ENDS, years } from './years.ts';

const sale = (world: World, n: Numbers): Made & { readonly place: 'shop' | 'store' } => {
  const [date, place, lines] = [dayOf(world, n[0]), placeOf(n[1]), some(n[2], n[3])];
  return { kind: 'saleInvoice', date, place, lines, moves: moved(lines, place, date, -1), side: 'receivable' };
};

/** A return of one line, priced and moved as its source says. It settles what is open of its source. */
const returning =
  (kind: string, source: string, who: 'customer' | 'supplier', side: Side, sign: number): Plan =>
  (books, world, [a, b, c, d]) => {
    const from = pick(
      all(books, source).filter((d) => d.moves.every((m) => m.part === undefined) && !d.tax),
      a,
    );
    const at = from && 1 + (b % from.lines.length);
    const origin = from?.lines[(at ?? 1) - 1];
    if (!from || !at || !origin || from.place === 'transit') return undefined;
    const lines: Line[] = [{ ...origin, quantity: 1 + (c % 3), source: { doc: from, line: at } }];
    const date = dayOf(world, d);
    const made: Made = { kind, date, place: from.place, lines, moves: moved(lines, from.place, date, sign), side };
    const problems = (lines[0]?.quantity ?? 0) > leftOf(books, from, at) || date < from.date;
    const settles = (doc: Doc) => {
      const amount = Math.min(from.open, doc.total);
      if (amount > 0) settle(books, doc, from, amount);
    };
    return posting(
      books,
      world,
      made,
      { party: world[who], against: from.id, reason: '01' },
      { problems, alreadyCancelled: from.cancelled, irnCancelled: isIrnCancelled(from) },
      settles,
    );
  };

/** Money on account that settles up to two documents by so much each. */
const paying =
  (kind: string, who: 'customer' | 'supplier', due: string, side: Side): Plan =>
  (books, world, [a, b, c, d]) => {
    const wanted = [a, b].slice(0, c % 3).flatMap((n, i) => {
      const doc = pick(all(books, due), n);
      // mostly what is open, sometimes more
      return doc
        ? [{ doc, amount: d % 7 === i ? doc.open + 1 : Math.max(1, Math.floor(doc.open / (1 + ((c + i) % 3)))) }]
        : [];
    });
    const [one, two] = wanted;
    const asked = wanted.reduce((t, w) => t + w.amount, 0);
    const total = d % 11 === 10 && asked > 1 ? asked - 1 : asked + 100 + (d % 5000);
    const over =
      wanted.some((w) => w.amount > w.doc.open) ||
      (one !== undefined && two?.doc === one.doc && one.amount + two.amount > one.doc.open);
    const made: Made = { kind, date: dayOf(world, b), place: 'shop', lines: [], total, side };
    const more = {
      party: world[who],
      amount: (total / 100).toFixed(2),
      moneyLedger: world.ledgers.bank,
      accepted: [{ warning: 'usedSectionMissingOfMoney', reason: 'For bills that bore it' }],
      allocations: wanted.map(({ doc, amount }) => ({ document: doc.id, amount: (amount / 100).toFixed(2) })),
    };
    const gone = wanted.some(({ doc }) => isIrnCancelled(doc));
    const wrong = { problems: total < asked, overAllocated: over, irnCancelled: gone };
    return posting(books, world, made, more, wrong, (credit) => {
      for (const { doc, amount } of wanted) settle(books, credit, doc, paired(books, credit, doc) + amount);
    });
  };

const credits: readonly Side[] = ['customerCredit', 'supplierCredit'];
const settledSide: Readonly<Partial<Record<Side, Side>>> = { customerCredit: 'receivable', supplierCredit: 'payable' };
const partyOf = (world: World, { side }: Doc): Id =>
  side === 'payable' || side === 'supplierCredit' ? world.supplier : world.customer;

/** What the other organisation's id is answered with: as if it were not there. */
const foreign = (call: CallName, input: object, refused = ['notFound']): Step => ({
  call,
  input,
  refused,
  apply: () => 'the other organisation was reached',
});

const writes: readonly number[] = [5001, 5003];
const approves: readonly number[] = [5002, 5003];

/** Journals take cash of which the small books know no receipt. */
const lent = [{ warning: 'cashBelowZero', reason: 'Lent by the owner' }];

/** Everything that the machine does. The four numbers choose among what there is. */
const usual = {
  sell: (books, world, n) => {
    const made = sale(world, n);
    return posting(books, world, made, { party: world.customer }, {});
  },
  // a field that the kind does not have is neither obeyed nor ignored
  sellWithout: (books, world, n) => {
    const beside = [
      { withoutTax: true },
      { reason: 'x' },
      { customs: { assessable: '1', basic: '0', surcharge: '0', igst: '0' } },
      { fields: { vatNumber: '310122393500003' } },
    ] as const;
    return posting(
      books,
      world,
      sale(world, n),
      { party: world.customer, ...beside[n[3] % beside.length] },
      { problems: true },
    );
  },
  buy: (books, world, [a, b, c, d]) => {
    const [date, place] = [dayOf(world, a), placeOf(b)];
    const lines = some(c, d).map((l) => ({ ...l, quantity: l.quantity * 8 }));
    return posting(
      books,
      world,
      { kind: 'purchaseBill', date, place, lines, moves: moved(lines, place, date, 1), side: 'payable' },
      { party: world.supplier, reference: `M-${books.docs.length}-${a}`, referenceDate: date },
      {},
    );
  },
  takeBack: returning('saleReturn', 'saleInvoice', 'customer', 'customerCredit', 1),
  giveBack: returning('purchaseReturn', 'purchaseBill', 'supplier', 'supplierCredit', -1),
  receive: paying('saleReceipt', 'customer', 'saleInvoice', 'customerCredit'),
  pay: paying('payment', 'supplier', 'purchaseBill', 'supplierCredit'),
  adjust: (books, world, [a, b, c, d]) => {
    const [date, place, item, quantity] = [dayOf(world, a), placeOf(b), c % ITEMS, (d % 9) - 5 || 4];
    const made: Made = {
      kind: 'inventoryAdjustment',
      date,
      place,
      lines: [],
      moves: [{ item, place, date, quantity }],
    };
    return posting(
      books,
      world,
      made,
      {
        fields: { adjustmentReason: 'Count' },
        // what the goods cost by now depends on what was bought, and on the way to value them
        accepted: [{ warning: 'foundRateFar', reason: 'As counted' }],
        lines: [
          {
            item: world.items[item] ?? '',
            delta: String(quantity),
            ...(quantity > 0 && { rate: String(40 + (c % 30)) }),
          },
        ],
      },
      {},
    );
  },
  dispatch: (books, world, [a, b, c, d]) => {
    const [date, from] = [dayOf(world, a), placeOf(b)];
    const to = from === 'shop' ? 'store' : 'shop';
    const lines = some(c, d);
    const moves = lines.flatMap((l): Move[] => [...moved([l], from, date, -1), ...moved([l], 'transit', date, 1)]);
    return posting(
      books,
      world,
      { kind: 'branchTransfer', date, place: from, lines, moves },
      { toLocation: world.places[to], toRegistration: world.registration },
      {},
    );
  },
  arrive: (books, world, [a, b, c, d]) => {
    const from = pick(all(books, 'branchTransfer'), a);
    const at = from && 1 + (b % from.lines.length);
    const origin = from?.lines[(at ?? 1) - 1];
    if (!from || !at || !origin) return undefined;
    const [date, to] = [dayOf(world, d), from.place === 'shop' ? 'store' : 'shop'] as const;
    const lines: Line[] = [{ ...origin, quantity: 1 + (c % 4), source: { doc: from, line: at } }];
    const moves = [...moved(lines, 'transit', date, -1), ...moved(lines, to, date, 1)];
    const problems = (lines[0]?.quantity ?? 0) > leftOf(books, from, at) || date < from.date;
    return posting(
      books,
      world,
      { kind: 'transferReceipt', date, place: to, lines, moves },
      { toLocation: world.places[to], toRegistration: world.registration, against: from.id },
      { problems, alreadyCancelled: from.cancelled },
    );
  },
  order: (books, world, [a, , c, d]) =>
    posting(
      books,
      world,
      { kind: a % 3 === 0 ? 'quotation' : 'saleOrder', date: dayOf(world, a), place: 'shop', lines: some(c, d) },
      { party: world.customer },
      {},
    ),
  deliver: (books, world, [a, b, c, d]) => {
    const from = pick(all(books, 'saleOrder', 'quotation'), a);
    const at = from && 1 + (b % from.lines.length);
    const origin = from?.lines[(at ?? 1) - 1];
    if (!from || !at || !origin) return undefined;
    const lines: Line[] = [{ ...origin, quantity: 1 + (c % 4), source: { doc: from, line: at } }];
    const date = dayOf(world, d);
    return posting(
      books,
      world,
      { kind: 'saleInvoice', date, place: 'shop', lines, moves: moved(lines, 'shop', date, -1), side: 'receivable' },
      { party: world.customer },
      {
        problems: (lines[0]?.quantity ?? 0) > leftOf(books, from, at) || date < from.date,
        alreadyCancelled: from.cancelled,
      },
    );
  },
  carryOut: (books, _world, [a, b]) => {
    const [order, doc] = [pick(all(books, 'saleOrder', 'quotation'), a), pick(all(books, 'saleInvoice'), b)];
    if (!order || !doc) return undefined;
    const named = new Set(doc.lines.flatMap((l) => (l.source ? [l.source.doc] : [])));
    const elsewhere = (doc.order !== undefined && doc.order !== order) || [...named].some((o) => o !== order);
    return {
      call: 'UpdateOrderStatus',
      input: { OrderId: order.id, InvoiceId: doc.id },
      refused: because({ alreadyCancelled: order.cancelled || doc.cancelled, problems: elsewhere }),
      apply: ({ carriedOut: left }) => {
        if (!named.has(order)) doc.order = order;
        return left === String(carriedOut(books, order))
          ? undefined
          : `${left} was carried out, not ${carriedOut(books, order)}`;
      },
    };
  },
  journal: (books, world, [a, b]) => {
    const amount = ((1 + (b % 900)) / 4).toFixed(2);
    return posting(
      books,
      world,
      { kind: 'manualJournal', date: dayOf(world, a), place: 'shop', lines: [] },
      {
        accepted: lent,
        lines: [
          { ledger: world.ledgers.bank, debit: amount },
          { ledger: world.ledgers.cash, credit: amount },
        ],
      },
      {},
    );
  },
  cancel: (books, _world, [a, b]) => {
    // mostly one of the last, where nothing came after it yet
    const doc = a % 3 === 0 ? pick(books.docs, b) : books.docs.at(-1 - (b % 8));
    if (!doc) return undefined;
    const back = doc.moves.map((m) => ({ ...m, date: doc.date, quantity: -m.quantity }));
    const settles = [...books.pairs.values()].some((p) => (p.due === doc || p.credit === doc) && p.amount > 0);
    // mostly its settlements are freed with it
    const frees = a % 4 !== 1;
    // what settlements abroad have gained or lost stays with them: they are cancelled first
    if (doc.who === 'abroad' && [...books.pairs.values()].some((p) => p.due === doc && p.amount > 0)) return undefined;
    const followed =
      madeFrom(books, doc).length > 0 ||
      isTaken(books, doc) ||
      books.docs.some((d) => !d.cancelled && (d.order === doc || d.used?.credit === doc || d.used?.due === doc)) ||
      paidBy(books, doc).length > 0;
    return {
      call: 'CancelTransaction',
      input: { TransactionIds: [doc.id], TransactionType: doc.kind, reason: 'typed twice', frees },
      refused: because({
        alreadyCancelled: doc.cancelled,
        settled: settles && !frees,
        notCancellable: followed || isAtPortal(doc),
        periodLocked: isLocked(books, doc.date),
        ...shortOf(books, back),
      }),
      apply: () => {
        doc.cancelled = true;
        if (doc.irn === 'queued') doc.irn = 'void';
        books.exchange -= doc.exchange;
        books.moves.push(...back);
        free(books, doc);
        if (doc.used)
          settle(books, doc.used.credit, doc.used.due, paired(books, doc.used.credit, doc.used.due) - doc.used.amount);
        return undefined;
      },
    };
  },
  allocate: (books, world, [a, b, c]) => {
    const credit = pick(
      books.docs.filter((d) => d.who === 'main' && d.side && credits.includes(d.side)),
      a,
    );
    const due =
      credit &&
      pick(
        books.docs.filter((d) => d.who === 'main' && d.side === settledSide[credit.side ?? 'receivable']),
        b,
      );
    if (!credit || !due) return undefined;
    const before = paired(books, credit, due);
    const most = Math.min(credit.open, due.open) + before;
    // all of it, a part, nothing any more, or a paisa too much
    const amount = [most, Math.floor(most / 2), 0, most + 1][c % 4] ?? 0;
    return {
      call: 'SavePartyCreditsAllocation',
      input: {
        party: partyOf(world, credit),
        allocations: [{ credit: credit.id, invoice: due.id, amount: (amount / 100).toFixed(2) }],
      },
      refused: because({
        notFound: credit.cancelled || due.cancelled,
        overAllocated: !credit.cancelled && !due.cancelled && amount > most,
        irnCancelled: amount > before && (isIrnCancelled(credit) || isIrnCancelled(due)),
      }),
      apply: () => void settle(books, credit, due, amount),
    };
  },
  settleOldest: (books, _world, [a]) => {
    const own = pick(
      books.docs.filter((d) => d.who === 'main' && d.side !== undefined && !d.cancelled),
      a,
    );
    if (!own?.side) return undefined;
    const isCredit = credits.includes(own.side);
    const others = books.docs.filter(
      (d) =>
        d.who === 'main' &&
        !d.cancelled &&
        !isIrnCancelled(own) &&
        !isIrnCancelled(d) &&
        d.open > 0 &&
        (isCredit
          ? d.side === settledSide[own.side ?? 'receivable']
          : d.side !== undefined && settledSide[d.side] === own.side),
    );
    return {
      call: 'AllcoateCreditsByTransactionId',
      input: { TransactionId: own.id },
      refused: [],
      apply: () => {
        for (const other of others.toSorted((x, y) =>
          x.date === y.date ? (x.id < y.id ? -1 : 1) : x.date < y.date ? -1 : 1,
        )) {
          const amount = Math.min(own.open, other.open);
          const [credit, due] = isCredit ? [own, other] : [other, own];
          if (amount > 0) settle(books, credit, due, paired(books, credit, due) + amount);
        }
        return undefined;
      },
    };
  },
  lock: (books, world, [a, b]) => {
    const through = a % 3 === 0 ? addDays(world.today, -DAYS + (b % 5)) : null;
    // a year that is closed stays locked
    return {
      call: 'SaveLock',
      input: { through, reason: 'counted' },
      refused: because({ yearClosed: books.year.closed !== undefined && (through ?? '') < YEAR_ENDS }),
      apply: () => {
        books.lockedThrough = through ?? undefined;
        return undefined;
      },
    };
  },
  again: ({ last }) =>
    last && {
      call: 'PostTransactionCalls',
      input: last.input,
      key: last.key,
      refused: [],
      apply: ({ TransactionId }) => (TransactionId === last.id ? undefined : 'the same key posted twice'),
    },
  keyReused: ({ last }) =>
    last && {
      call: 'PostTransactionCalls',
      input: { ...last.input, version: 7 },
      key: last.key,
      refused: ['keyReused'],
      apply: () => undefined,
    },
  draft: (books, world, n) => {
    const { date, place, lines } = sale(world, n);
    return {
      call: 'AddTransactionDetails',
      input: {
        kind: 'saleInvoice',
        body: {
          ...headOf(world, { kind: 'saleInvoice', date, place }),
          party: world.customer,
          lines: wireLines(world, lines),
        },
      },
      refused: [],
      apply: ({ TransactionId, version }) => {
        books.drafts.push({
          id: String(TransactionId),
          version: Number(version),
          sale: { date, place, lines },
          gone: undefined,
        });
        return undefined;
      },
    };
  },
  editDraft: (books, world, n) => {
    const kept = pick(books.drafts, n[0]);
    if (!kept) return undefined;
    const lines = some(n[2], n[3]);
    const version = n[1] % 5 === 0 ? kept.version + 1 : kept.version;
    // by the call for the lines, or the whole again
    const whole = {
      kind: 'saleInvoice',
      id: kept.id,
      version,
      body: {
        ...headOf(world, {
          kind: 'saleInvoice',
          date: kept.sale.date,
          place: kept.sale.place === 'store' ? 'store' : 'shop',
        }),
        party: world.customer,
        lines: wireLines(world, lines),
      },
    };
    const refused =
      kept.gone === 'posted'
        ? ['alreadyPosted']
        : kept.gone === 'deleted'
          ? ['notFound']
          : because({ stale: version !== kept.version });
    return {
      ...(n[1] % 2 === 0
        ? { call: 'AddTransactionDetails', input: whole }
        : {
            call: 'AddtransactionItemDetails',
            input: { TransactionId: kept.id, version, lines: wireLines(world, lines) },
          }),
      refused,
      apply: (answer) => {
        kept.version += 1;
        kept.sale = { ...kept.sale, lines };
        return answer['version'] === kept.version ? undefined : `version ${answer['version']} is not ${kept.version}`;
      },
    };
  },
  deleteDraft: (books, _world, [a]) => {
    const kept = pick(books.drafts, a);
    return (
      kept && {
        call: 'DeleteMultipleTransaction',
        input: { TransactionIds: [kept.id], versions: [kept.version] },
        refused: because({ notFound: kept.gone === 'deleted', alreadyPosted: kept.gone === 'posted' }),
        apply: () => {
          kept.gone = 'deleted';
          return undefined;
        },
      }
    );
  },
  postDraft: (books, _world, [a, b]) => {
    const kept = pick(books.drafts, a);
    if (!kept) return undefined;
    const version = b % 6 === 0 ? kept.version + 1 : kept.version;
    const { date, place, lines } = kept.sale;
    const moves = moved(lines, place, date, -1);
    const standing =
      kept.gone === 'posted'
        ? 'alreadyPosted'
        : kept.gone === 'deleted'
          ? 'notFound'
          : version === kept.version
            ? undefined
            : 'stale';
    return {
      call: 'PostTransactionCalls',
      input: { TransactionId: kept.id, version },
      refused: standing
        ? [standing]
        : because({ periodLocked: isLocked(books, date), stockShort: !isThere(books, moves) }),
      apply: (answer) => {
        kept.gone = 'posted';
        if (answer['TransactionId'] !== kept.id) return 'the document has another id than its draft';
        return enter(
          books,
          { kind: 'saleInvoice', date, place: place === 'store' ? 'store' : 'shop', lines, moves, side: 'receivable' },
          answer,
        );
      },
    };
  },
  reachOver: ({ other }, world, [a, b]) => {
    const doc = other && pick(other.docs, a);
    if (!doc) return undefined;
    const head = {
      ...headOf(world, { kind: 'saleReceipt', date: world.today, place: 'shop' }),
      party: world.customer,
      amount: '1.00',
      moneyLedger: world.ledgers.bank,
    };
    return pick(
      [
        foreign('CancelTransaction', { TransactionIds: [doc.id], TransactionType: doc.kind, reason: 'not ours' }),
        foreign('GetTransactionDetailForInvoice', { TransactionId: doc.id }),
        foreign('PostTransactionCalls', { document: { ...head, allocations: [{ document: doc.id, amount: '1.00' }] } }),
        foreign(
          'PostTransactionCalls',
          {
            document: {
              ...head,
              kind: 'saleReturn',
              amount: undefined,
              moneyLedger: undefined,
              against: doc.id,
              reason: '01',
              lines: [{ item: world.items[0], quantity: '1', rate: '1', source: { document: doc.id, line: 1 } }],
            },
          },
          ['problems', 'notFound'],
        ),
        foreign('AllcoateCreditsByTransactionId', { TransactionId: doc.id }),
        foreign('UpdateOrderStatus', { OrderId: doc.id }),
      ],
      b,
    );
  },
  contradict: (books, world, [a, b, c]) => {
    const [from, own] = [
      pick(
        all(books, 'saleInvoice').filter((d) => !d.tax && d.place !== 'transit'),
        a,
      ),
      world.items,
    ];
    const origin = from?.lines[0];
    if (!from || !origin || from.place === 'transit') return undefined;
    const source = { document: from.id, line: 1 };
    const line = { item: own[origin.item] ?? '', quantity: '1', rate: String(origin.rate), source };
    const head = {
      ...headOf(world, { kind: 'saleReturn', date: world.today, place: from.place }),
      party: world.customer,
      against: from.id,
      reason: '01',
      lines: [line],
    };
    const theirs = books.other?.docs.at(-1)?.id ?? from.id;
    const absent = own.findIndex((_, item) => !from.lines.some((l) => l.item === item));
    // what was sold is taken from the only line of its item: a note says nothing wrong when it leaves that line out
    const strange = absent < 0 ? { item: own[0], source: { ...source, line: 99 } } : { item: own[absent] };
    const wrong = pick<object>(
      [
        { party: world.early },
        { party: world.supplier },
        { placeOfSupply: '33' },
        { date: addDays(from.date, -1) },
        { reverseCharge: true },
        { currency: 'USD', exchangeRate: '80' },
        { lines: [{ ...line, item: own[(origin.item + 1) % ITEMS] }] },
        { lines: [{ ...line, source: { ...source, line: 99 } }] },
        { lines: [{ ...line, unit: 'BOX' }] },
        ...[
          { gstRate: '3' },
          { treatment: 'nonGst' },
          { hsn: '999999' },
          { rate: String(origin.rate + 1) },
          { discount: { percent: '1' } },
        ].map((more) => ({ lines: [{ ...line, ...more }] })),
        { against: theirs, ...(theirs === from.id && { party: world.early }) },
        { kind: 'purchaseReturn', party: world.supplier, reference: 'X', referenceDate: world.today },
        { kind: 'saleCreditNote', lines: [{ ...strange, quantity: '1', rate: '1' }] },
        { kind: 'branchTransfer', toLocation: books.other?.docs.at(-1)?.id ?? from.id },
        { toLocation: world.places[from.place === 'shop' ? 'store' : 'shop'] },
        { kind: 'saleInvoice' },
        { charges: [{ name: 'Freight', amount: '100000' }] },
        { adjustments: [{ name: 'Packing', sign: 'add', amount: '100000', ledger: world.ledgers.cash }] },
      ],
      b + c,
    );
    return {
      call: 'PostTransactionCalls',
      input: { document: { ...head, ...wrong } },
      refused: ['problems'],
      apply: () => 'a document that contradicts its source was posted',
    };
  },
  restate: (books, world, [a, b]) => {
    const doc = pick(
      all(books, 'saleInvoice', 'purchaseBill').filter(({ cancelled }) => !cancelled),
      a,
    );
    if (!doc) return undefined;
    const kind = pick(['composition', 'sez'], b);
    const values = {
      legalName: 'Test books',
      gstin: '29AAGCS4821F1ZB',
      state: '29',
      kind: 'regular',
      line1: '1 Market Road',
      city: 'Bengaluru',
      pincode: '560001',
      statuses: [{ from: doc.date, kind }],
    };
    return {
      call: 'SaveMaster',
      input: { master: 'registration', id: world.registration, version: 1, values },
      refused: ['problems'],
      apply: () => 'a status was changed under a document',
    };
  },
  /** A new document names a record that is retired, of another organisation or not there at all. */
  nameWrong: (books, world, [a, b]) => {
    const { retired } = world;
    const [date, place] = [dayOf(world, a), 'shop'] as const;
    const line = { item: world.items[0] ?? '', quantity: '1', rate: '10' };
    const sold = { ...headOf(world, { kind: 'saleInvoice', date, place }), party: world.customer, lines: [line] };
    const pair = (more: object) => [
      { ledger: world.ledgers.bank, debit: '1', ...more },
      { ledger: world.ledgers.cash, credit: '1' },
    ];
    const written = { ...headOf(world, { kind: 'manualJournal', date, place }), accepted: lent, lines: pair({}) };
    // an id of the other organisation, and one of our own that is another sort of record
    const others = [books.other?.docs.at(-1)?.id ?? retired.item, retired.item, world.customer, world.rooms.front];
    const document = pick<object>(
      [
        { ...sold, party: retired.party },
        { ...sold, lines: [{ ...line, item: retired.item }] },
        { ...sold, costCentre: retired.centre },
        { ...written, costCentre: retired.centre },
        { ...written, lines: pair({ ledger: retired.ledger }) },
        { ...written, lines: pair({ party: retired.party }) },
        { ...written, lines: pair({ costCentre: retired.centre }) },
        { ...sold, location: retired.place },
        {
          ...headOf(world, { kind: 'branchTransfer', date, place }),
          lines: [line],
          toLocation: retired.place,
          toRegistration: world.registration,
        },
        {
          ...headOf(world, { kind: 'saleReceipt', date, place }),
          party: world.customer,
          amount: '1',
          moneyLedger: retired.ledger,
        },
        {
          ...headOf(world, { kind: 'payment', date, place }),
          party: retired.party,
          amount: '1',
          moneyLedger: world.ledgers.bank,
        },
        ...others.flatMap((id) => [
          { ...sold, costCentre: id },
          { ...written, lines: pair({ costCentre: id }) },
          {
            ...headOf(world, { kind: 'branchTransfer', date, place }),
            lines: [line],
            toLocation: id,
            toRegistration: world.registration,
          },
        ]),
      ],
      b,
    );
    return {
      call: 'PostTransactionCalls',
      input: { document },
      refused: ['problems'],
      apply: () => 'a document was posted that names what is retired or not there',
    };
  },
  /** A set-off uses more credit, or pays more tax, than the books have; or it writes tax off. */
  setOffTooMuch: (_books, world, [a, b]) => {
    const { output, input, power } = world.ledgers;
    const amount = '99999999';
    const [paid, from] = b % 2 === 0 ? [output, input] : [output, power];
    return {
      call: 'PostTransactionCalls',
      input: {
        document: {
          ...headOf(world, { kind: 'gstAdjustment', date: dayOf(world, a), place: 'shop' }),
          lines: [
            { ledger: paid, debit: amount },
            { ledger: from, credit: amount },
          ],
        },
      },
      refused: ['problems'],
      apply: () => 'a set-off used credit that is not there',
    };
  },
  /** Money comes to, or leaves, a ledger that is no cash, bank or clearing. */
  noMoney: (_books, world, [a, b, c]) => {
    const [date, place] = [dayOf(world, a), 'shop'] as const;
    const ledger = c % 2 === 0 ? world.ledgers.power : world.ledgers.sales;
    const [taken, paid] = [
      { party: world.customer, amount: '1', moneyLedger: ledger },
      { party: world.supplier, amount: '1', moneyLedger: ledger },
    ];
    const line = { item: world.items[0] ?? '', quantity: '1', rate: '10' };
    const document = pick<object>(
      [
        { ...headOf(world, { kind: 'saleReceipt', date, place }), ...taken },
        { ...headOf(world, { kind: 'payment', date, place }), ...paid },
        { ...headOf(world, { kind: 'cashSale', date, place }), lines: [line], tenders: [{ ledger, amount: '1' }] },
        {
          ...headOf(world, { kind: 'contra', date, place }),
          lines: [
            { ledger, debit: '1' },
            { ledger: world.ledgers.bank, credit: '1' },
          ],
        },
      ],
      b,
    );
    return {
      call: 'PostTransactionCalls',
      input: { document },
      refused: ['problems'],
      apply: () => 'money went to a ledger that holds none',
    };
  },
  /** A part of postings is pointed at a ledger that its rule does not take, or away from one with amounts. */
  point: (_books, world, [a, b]) => {
    const { power, sales, bank } = world.ledgers;
    const [effect, ledger] = pick(
      [
        ['stock', power],
        ['receivable', sales],
        ['payable', bank],
        ['outputCgst', power],
        ['inputIgst', sales],
        ['salesGoods', bank],
        ['roundOff', bank],
        ['advanceCustomer', power],
        ['bank', sales],
      ] as const,
      a + b,
    ) ?? ['stock', power];
    return {
      call: 'AddAccountingEffects',
      input: { effect, ledger, version: 1 },
      refused: ['problems'],
      apply: () => `${effect} was pointed at a ledger that it may not go to`,
    };
  },
  /** A document and its entries are charged to a cost centre, or a line is. */
  charge: (books, world, [a, b]) => {
    const amount = ((1 + (b % 900)) / 4).toFixed(2);
    const [whole, byLine] = b % 2 === 0 ? [{ costCentre: world.centre }, {}] : [{}, { costCentre: world.centre }];
    return posting(
      books,
      world,
      { kind: 'manualJournal', date: dayOf(world, a), place: 'shop', lines: [] },
      {
        ...whole,
        accepted: lent,
        lines: [
          { ledger: world.ledgers.bank, debit: amount, ...byLine },
          { ledger: world.ledgers.cash, credit: amount },
        ],
      },
      {},
    );
  },
} as const satisfies Readonly<Record<string, Plan>>;

/** And who asks, and when. */
const plans = {
  ...usual,
  asOther: (books, world, [a, b, c, d]) => {
    const level = ([0, 5000, 5001, 5002, 5003] as const)[a % 5] ?? 0;
    const [name, allowed] = (
      [
        ['sell', writes],
        ['cancel', approves],
        ['draft', writes],
        ['lock', writes],
      ] as const
    )[b % 4] ?? ['sell', writes];
    const step = usual[name](books, world, [c, d, a, b]);
    if (!step) return undefined;
    // what was settled is open again: that takes full rights
    const { through } = step.input as { readonly through?: string | null };
    const earlier = through !== undefined && books.lockedThrough !== undefined && (through ?? '') < books.lockedThrough;
    if (allowed.includes(level) && (!earlier || level === 5003)) return { ...step, level };
    return { ...step, level, refused: ['noAccess'], apply: () => `level ${level} was let through` };
  },
  ...apart,
  ...counts,
  ...years,
  ...withheld,
  ...categories,
  ...irns,
} as const satisfies Readonly<Record<string, Plan>>;

export type StepName = keyof typeof plans;
export const planned: Readonly<Record<StepName, Plan>> = plans;

/** How often each is done, compared with the others. */
export const weights: Readonly<Record<StepName, number>> = {
  sell: 12,
  sellWithout: 2,
  buy: 10,
  takeBack: 6,
  giveBack: 3,
  receive: 6,
  pay: 4,
  adjust: 4,
  dispatch: 5,
  arrive: 5,
  order: 4,
  deliver: 5,
  carryOut: 3,
  journal: 2,
  cancel: 9,
  allocate: 7,
  settleOldest: 4,
  lock: 2,
  again: 2,
  keyReused: 1,
  draft: 4,
  editDraft: 4,
  deleteDraft: 1,
  postDraft: 4,
  reachOver: 3,
  contradict: 4,
  restate: 1,
  nameWrong: 4,
  setOffTooMuch: 2,
  noteAbroad: 1,
  noMoney: 2,
  point: 1,
  charge: 2,
  asOther: 4,
  buyParts: 5,
  sellParts: 5,
  sellAbroad: 3,
  receiveAbroad: 3,
  advance: 2,
  sellEarly: 3,
  useAdvance: 4,
  midnight: 1,
  newYear: 1,
  count: 8,
  closeYear: 4,
  reopenYear: 3,
  buyWork: 3,
  sellScrap: 2,
  payTax: 5,
  readTax: 1,
  sellTo: 10,
  buyFrom: 8,
  spendOn: 4,
  correct: 10,
  original: 8,
  register: 0,
  cancelIrn: 0,
};
/** The same where the invoice portal is: its clock stands still. */
export const portalWeights: Readonly<Partial<Record<StepName, number>>> = {
  buy: 5,
  sell: 8,
  takeBack: 3,
  receive: 1,
  cancel: 5,
  register: 14,
  cancelIrn: 6,
};
