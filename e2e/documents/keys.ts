import { expect, onTestFinished, test } from 'vitest';
import { type Screen, screenOf, screens } from '../../contract/screens.ts';
import { type KindName, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { gstinCheckDigit } from '../../domain/tax/gst/registration/gstin.ts';
import { axe, timesOfKeys } from '../../tools/testing/browser.ts';
import { ofEachShape } from '../kit/kind-books.ts';
import { typedDay, type Walk } from '../kit/walk.ts';

/** What is typed into each field, in the order in which Enter comes to them. */
type Typed = Readonly<Record<string, string>>;
interface Document {
  readonly head: Typed;
  /** Fields of the lines, without "line n". */
  readonly lines?: readonly Typed[];
  /** Typed where the head is done, for what Enter does not come to. */
  readonly before?: string;
}

const yesterday = typedDay(1);
const goods = { Item: 'KEY-1', Quantity: '2' };
const abroad = { ...goods, 'Rate (USD)': '3.5' };
const customer = { Customer: 'Keyed Trader' };
const supplier = { Supplier: 'Keyed Mill' };
const journal = [
  { Ledger: '6410', 'Debit (₹)': '70' },
  { Ledger: '1110', 'Credit (₹)': '70' },
];

/** A small document of each kind that has an editor. */
const typed: Readonly<Partial<Record<KindName, Document>>> = {
  saleInvoice: { head: customer, lines: [goods, { Item: 'KEY-2', Quantity: '1' }] },
  b2cInvoice: { head: { Customer: 'Keyed Consumer' }, lines: [goods] },
  cashSale: { head: { 'Bank or cash': 'cash' }, lines: [goods] },
  overseasSale: { head: { Customer: 'Keyed Abroad', Currency: 'USD', 'Exchange rate': '84' }, lines: [abroad] },
  saudiInvoice: { head: { Customer: 'Keyed Riyadh', Currency: 'USD', 'Exchange rate': '84' }, lines: [abroad] },
  allocationVoucher: { head: { ...customer, 'Against document': 'advanced', Amount: '5', 'Settle sale': '5' } },
  supplierAllocation: { head: { ...supplier, 'Against document': 'prepaid', Amount: '5', 'Settle bill': '5' } },
  saleCreditNote: {
    head: { ...customer, 'Against document': 'sale', Reason: 'P' },
    lines: [{ Quantity: '1', Rate: '5' }],
  },
  saleReturn: { head: { ...customer, 'Against document': 'sale', Reason: 'S' } },
  saleDebitNote: {
    head: { ...customer, 'Against document': 'sale', Reason: 'C' },
    lines: [{ Quantity: '1', Rate: '5' }],
  },
  quotation: { head: customer, lines: [goods] },
  saleOrder: { head: customer, lines: [goods] },
  saleReturnOrder: { head: { ...customer, 'Against document': 'sale', Reason: 'S' }, lines: [{ Quantity: '1' }] },
  purchaseOrder: { head: supplier, lines: [goods] },
  workflowOrder: { head: customer, lines: [goods] },
  returnOrder: { head: { ...customer, 'Against document': 'sale', Reason: 'S' }, lines: [{ Quantity: '1' }] },
  purchaseReturnOrder: { head: { ...supplier, 'Against document': 'bill', Reason: 'S' }, lines: [{ Quantity: '1' }] },
  saleReceipt: { head: { ...customer, 'Bank or cash': 'cash', Amount: '50' } },
  advanceReceipt: { head: { ...customer, 'Bank or cash': 'cash', Amount: '50' } },
  refund: { head: { ...customer, 'Bank or cash': 'cash', Amount: '5', 'Settle credit': '5' } },
  payment: { head: { ...supplier, 'Bank or cash': 'cash', Amount: '50' } },
  advancePayment: { head: { ...supplier, 'Bank or cash': 'cash', Amount: '50' } },
  purchaseBill: { head: { ...supplier, Reference: 'KB/1', 'Reference date': yesterday }, lines: [goods] },
  overseasPurchase: {
    head: {
      Supplier: 'Keyed Maker',
      Reference: 'K/2',
      'Reference date': yesterday,
      Currency: 'USD',
      'Exchange rate': '84',
    },
    lines: [abroad],
  },
  billOfEntry: {
    head: {
      'Against document': 'imported',
      Reference: '4125873',
      'Reference date': yesterday,
      'Assessable value (₹)': '75600',
      'Basic customs duty (₹)': '7560',
      'Social welfare surcharge (₹)': '756',
      'IGST (₹)': '15104.88',
    },
  },
  purchaseCreditNote: {
    head: { ...supplier, 'Against document': 'bill', Reason: 'P', Reference: 'K/3', 'Reference date': yesterday },
    lines: [{ Quantity: '1', Rate: '5' }],
  },
  purchaseReturn: { head: { ...supplier, 'Against document': 'bill', Reason: 'S' } },
  purchaseDebitNote: {
    head: { ...supplier, 'Against document': 'bill', Reason: 'C', Reference: 'K/4', 'Reference date': yesterday },
    lines: [{ Quantity: '1', Rate: '5' }],
  },
  expense: {
    head: { ...supplier, Reference: 'K/5', 'Reference date': yesterday },
    lines: [{ Ledger: '6485', 'Amount (₹)': '100' }],
  },
  openingStock: { head: {}, lines: [{ ...goods, Rate: '60' }] },
  inventoryAdjustment: { head: { Reason: 'D' }, lines: [{ Item: 'KEY-1', Change: '-1' }] },
  branchTransfer: { head: { 'To location': 'BLR2' }, lines: [goods] },
  transferReceipt: { head: { 'Against document': 'transfer' } },
  manualJournal: { head: {}, lines: journal },
  journalVoucher: { head: {}, lines: journal },
  openingBalance: { head: {}, lines: [{ Ledger: '6410', 'Debit (₹)': '70' }] },
  contra: {
    head: {},
    lines: [
      { Ledger: '1121', 'Debit (₹)': '70' },
      { Ledger: '1110', 'Credit (₹)': '70' },
    ],
  },
  deliveryChallan: { head: { ...customer, Reason: 'Job work' }, lines: [goods] },
  selfInvoice: { head: { Supplier: 'Keyed Carter', 'Against document': 'carted' } },
  advanceRefund: { head: { ...customer, 'Against document': 'advanced', 'Bank or cash': 'cash', Amount: '5' } },
  paymentVoucher: { head: { ...supplier, 'Against document': 'paid', Amount: '5' } },
};

/** Where a kind is typed: its own editor, or its list's screen. */
const placeOf = (kind: KindName): readonly [screen: string, query: string] | undefined => {
  const own = screenOf({ kind }, 'documentEditor');
  if (own) return [own, ''];
  const list = screenOf({ kind }, 'documentList');
  if (!list) return undefined;
  const { show } = screens[list] as Screen;
  return [
    list,
    `?show=documentEditor${'beside' in show && show.beside?.some((other) => other === kind) ? `&kind=${kind}` : ''}`,
  ];
};

/** The ways in which a test uses a field or a button without the keyboard. */
const byHand = [
  'click',
  'dblclick',
  'fill',
  'focus',
  'check',
  'selectOption',
  'hover',
  'tap',
  'press',
  'dispatchEvent',
];
const ofMouse = ['click', 'dblclick', 'down', 'up', 'move', 'wheel'];

/** Lets methods of an object throw. Answers what gives them back. */
const ban = (of: Record<string, unknown>, names: readonly string[]): (() => void) => {
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(of, name)] as const);
  for (const name of names)
    Object.defineProperty(of, name, {
      configurable: true,
      value: () => {
        throw new Error(`${name} is no key`);
      },
    });
  return () => {
    for (const [name, was] of before)
      if (was) Object.defineProperty(of, name, was);
      else delete of[name];
  };
};

/** The hand stays away from the mouse: nothing here can use one. */
const keysOnly = async ({ page }: Walk, work: () => Promise<void>): Promise<void> => {
  const undo = [
    ban(page.mouse as unknown as Record<string, unknown>, ofMouse),
    ban(Object.getPrototypeOf(page.locator('body')) as Record<string, unknown>, byHand),
    ban(page as unknown as Record<string, unknown>, byHand),
  ];
  const allow = () => {
    for (const each of undo.splice(0)) each();
  };
  // also when the walk takes too long: those after it have their mouse
  onTestFinished(allow);
  try {
    await work();
  } finally {
    allow();
  }
};

/** Waits for the lines that come with a document, where the kind has lines. */
const linesHere = async ({ page }: Walk): Promise<void> => {
  await expect.poll(() => page.getByLabel('Quantity, line 1').inputValue()).not.toBe('');
  if ((await page.getByLabel('Item, line 1').count()) > 0)
    await expect.poll(() => page.getByLabel('Item, line 1').inputValue()).not.toBe('');
};

/** Types into the field that has the focus, and waits for what it is chosen from. */
const typeInto = async ({ page, keys }: Walk, label: string, text: string): Promise<void> => {
  // a list whose choices are not there yet takes no key
  if (label === 'Currency') await page.locator(`option[value=${text}]`).waitFor({ state: 'attached' });
  await keys(text);
  // a document is found by its number: one that is not there yet cannot be meant
  if (label === 'Against document') await page.getByRole('option', { name: text }).waitFor();
};

/** Goes from field to field by Enter, or Tab, and types what each is asked for; answers how many keys beyond the data each line took. */
const type = async (walk: Walk, wanted: Typed, on = 'Enter', last = on): Promise<ReadonlyMap<string, number>> => {
  const { page, focused } = walk;
  const left = new Map(Object.entries(wanted));
  const spent = new Map<string, number>();
  const been: string[] = [];
  const hasOwnLines = wanted['Assessable value (₹)'] !== undefined || wanted.Amount !== undefined;
  for (let step = 0; left.size > 0; step++) {
    // a cell says its problem behind its label, as soon as the check has answered
    const label = (await focused()).replace(/ \*.*/, '').replace(/(?<=, line \d+): .*/, '');
    been.push(label);
    // the primary button stands after the last field: pressing it would post what is not complete
    if (step > 50 || (on === 'Enter' && /^(Post|Save) /.test(label)))
      throw new Error(`${on} does not come to ${[...left.keys()].join(', ')} by ${been.join(' › ')}`);
    const text = left.get(label);
    left.delete(label);
    if (text !== undefined) await typeInto(walk, label, text);
    // what there is to settle is known a moment after who it is from
    const due = [...left.keys()].find((wanted) => wanted.startsWith('Settle '));
    if (label === 'Amount' && due) await page.getByLabel(due).waitFor();
    await page.keyboard.press(left.size === 0 ? last : on);
    if (label === 'Against document' && !hasOwnLines) await linesHere(walk);
    const line = / line \d+$/.exec(label)?.[0];
    if (line) spent.set(line, (spent.get(line) ?? 0) + 1);
  }
  return spent;
};

const fieldsOf = (lines: readonly Typed[]): Typed =>
  Object.fromEntries(
    lines.flatMap((line, n) => Object.entries(line).map(([label, text]) => [`${label}, line ${n + 1}`, text])),
  );

const countOf = async ({ server }: Walk, kind: string): Promise<number> =>
  (
    await server.database.owner.query<{ n: number }>(
      'select count(*)::int as n from documents where organisation = 1 and kind = $1',
      [kind],
    )
  ).rows[0]?.n ?? 0;

/** Ctrl Enter, and it is in the books. */
const posted = async (walk: Walk, kind: string, before: number): Promise<void> => {
  const { page } = walk;
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(
      async () =>
        (await countOf(walk, kind)) - before ||
        (await page.locator('form.editor [role=alert], .error-panel').allInnerTexts()).join('; ') ||
        0,
      { timeout: 25_000, message: kind },
    )
    .toBe(1);
};

/** Saves a record. Answers its id. */
const saver =
  ({ owner }: Walk['shop']) =>
  async (master: string, values: Record<string, unknown>): Promise<string> =>
    ((await owner.ask('SaveMaster', { master, values })) as { id: string }).id;

const item = {
  unit: 'NOS',
  treatment: 'taxable',
  gstRate: '18',
  type: 'stock',
  hsn: '85395000',
  saleRate: '100.00',
  purchaseRate: '60.00',
};
const address = { line1: '9 Ring Road', city: 'Bengaluru', state: '29', pincode: '560058' };
const registered = { category: 'registered', state: '29', addresses: [address] };
const overseas = { category: 'overseas', state: '96', currency: 'USD', addresses: [] };

/** The parties and items that are typed. Answers the ids of those that documents are posted with. */
const saveRecords = async ({ shop }: Walk) => {
  const save = saver(shop);
  await save('customer', { name: 'Keyed Consumer', category: 'unregistered', state: '29', addresses: [] });
  await save('customer', { ...overseas, name: 'Keyed Abroad', country: 'DE' });
  await save('customer', { ...overseas, name: 'Keyed Riyadh', country: 'SA' });
  return {
    one: await save('item', { ...item, sku: 'KEY-1', name: 'Keyed lamp' }),
    two: await save('item', { ...item, sku: 'KEY-2', name: 'Keyed holder' }),
    trader: await save('customer', { ...registered, name: 'Keyed Trader', gstin: '29AABCB1234F1Z4' }),
    mill: await save('supplier', { ...registered, name: 'Keyed Mill', gstin: '29AABCK1234F1ZV' }),
    carter: await save('supplier', { ...registered, name: 'Keyed Carter', category: 'unregistered' }),
    maker: await save('supplier', { ...overseas, name: 'Keyed Maker', country: 'DE' }),
  };
};

/** Posts what other documents are made from. Answers the number of each by the name that the table has for it. */
const postSources = async (walk: Walk): Promise<Readonly<Record<string, string>>> => {
  const { shop, server } = walk;
  const { one, two, trader, mill, carter, maker } = await saveRecords(walk);
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const [cash, bank] = [await shop.ledger('1110'), await shop.ledger('1121')];
  const stocked = [one, two].map((id) => ({ item: id, quantity: '5000', rate: '60' }));
  // bought and not opened: their opening is typed
  await shop.post({ kind: 'purchaseBill', party: mill, reference: 'K-0', referenceDate: today, lines: stocked });
  const line = { item: one, quantity: '9', rate: '100' };
  const bill = { reference: 'K-1', referenceDate: today };
  const money = { amount: '500', lines: [] };
  const sources = {
    sale: { kind: 'saleInvoice', party: trader, lines: [line] },
    bill: { kind: 'purchaseBill', party: mill, ...bill, lines: [line] },
    carted: { kind: 'purchaseBill', party: carter, reverseCharge: true, ...bill, lines: [line] },
    credit: { kind: 'saleReceipt', party: trader, moneyLedger: cash, amount: '5', lines: [] },
    imported: { kind: 'overseasPurchase', party: maker, currency: 'USD', exchangeRate: '84', ...bill, lines: [line] },
    transfer: {
      kind: 'branchTransfer',
      toRegistration: shop.place.registration,
      toLocation: server.organisations[0]?.locations['BLR2'],
      lines: [line],
    },
    advanced: { kind: 'advanceReceipt', party: trader, moneyLedger: cash, ...money },
    prepaid: { kind: 'advancePayment', party: mill, moneyLedger: bank, ...money },
    paid: { kind: 'payment', party: mill, moneyLedger: bank, ...money },
  };
  const numbers: Record<string, string> = {};
  for (const [name, document] of Object.entries(sources)) numbers[name] = (await shop.post(document)).TransactionNumber;
  return numbers;
};

/** Types a document into its editor and posts it. */
const typeDocument = async (walk: Walk, kind: KindName, numbers: Readonly<Record<string, string>>): Promise<void> => {
  const { head, lines = [] } = typed[kind] ?? { head: {} };
  const [screen, query] = placeOf(kind) ?? ['', ''];
  const before = await countOf(walk, kind);
  await walk.open(screen, query);
  // a due has its amount under its number
  const labelOf = (label: string) => label.replace(/^Settle (.+)/, (_, name) => `Settle ${numbers[name]}`);
  const named = Object.entries(head).map(([label, text]) => [labelOf(label), numbers[text] ?? text]);
  await type(walk, Object.fromEntries(named));
  const spent = await type(walk, fieldsOf(lines));
  expect(Math.max(0, ...spent.values())).toBeLessThanOrEqual(8);
  if (looked.includes(kind)) expect(await axe(walk.page)).toEqual([]);
  await posted(walk, kind, before);
};
const looked = ofEachShape(Object.keys(typed) as KindName[]);

/** Types a sale of so many lines without waiting for an answer. */
const typeSale = async (walk: Walk, lines: number): Promise<void> => {
  const { open, keys, at } = walk;
  const before = await countOf(walk, 'saleInvoice');
  await open('Create Invoice');
  await keys('Keyed Trader⏎⏎⏎');
  await at('Item, line 1');
  // the names are looked up while the next line is typed
  for (let n = 0; n < lines; n++) await keys(`KEY-${1 + (n % 2)}⏎${1 + (n % 3)}⏎⏎⏎`);
  await posted(walk, 'saleInvoice', before);
};

const lastSale = `
  select
    d.taxable::int / 100 as taxable,
    (select count(*)::int from document_lines l where l.organisation = 1 and l.document = d.id) as lines
  from documents d
  where d.organisation = 1 and d.kind = 'saleInvoice'
  order by d.number desc
  limit 1
`;

/** A draft of an invoice with so many lines. Answers its id. */
const draftOfLines = async ({ shop }: Walk, lines: number): Promise<string> => {
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const body = {
    kind: 'saleInvoice',
    date: today,
    ...shop.place,
    currency: 'INR',
    exchangeRate: '1',
    party: shop.customer,
    lines: Array.from({ length: lines }, () => ({ item: shop.item, quantity: '1', rate: '100' })),
  };
  const kept = await shop.owner.ask('AddTransactionDetails', { kind: 'saleInvoice', body } as never);
  return (kept as { TransactionId: string }).TransactionId;
};

/** Types a bill, and makes its supplier and its item where they are named. */
const typeBillOfNew = async (walk: Walk): Promise<void> => {
  const { page, open, keys, at } = walk;
  const before = await countOf(walk, 'purchaseBill');
  await open('Purchase Bill New');
  await keys('Keyed Newcomer');
  await page.getByRole('option', { name: 'Create supplier “Keyed Newcomer”' }).waitFor();
  await keys('⏎');
  await at('Name');
  await type(walk, { GSTIN: `29AAACN4321A1Z${gstinCheckDigit('29AAACN4321A1Z')}` }, 'Tab', 'Control+s');
  await at('Supplier');
  await type(walk, { Reference: 'K/9', 'Reference date': yesterday });
  await at('Item, line 1');
  await keys('Keyed novelty');
  await page.getByRole('option', { name: 'Create item “Keyed novelty”' }).waitFor();
  await keys('⏎');
  await at(/^(SKU|Name)/);
  // Enter goes from field to field as in the document, and Ctrl Enter saves
  await type(walk, { SKU: 'KEY-9', 'HSN / SAC': '85395000' }, 'Enter', 'Control+Enter');
  await at('Item, line 1');
  await type(walk, { 'Quantity, line 1': '2', 'Rate, line 1': '10' });
  await posted(walk, 'purchaseBill', before);
};

/** Every document by keys alone, from the first field to the books. */
export const byKeys = (walking: () => Walk): void => {
  let numbers: Readonly<Record<string, string>> = {};

  test('what the documents stand on', async () => {
    numbers = await postSources(walking());
  });

  test('each kind that has an editor is in the table', () => {
    const editors = kindNames.filter(
      (kind) => !kindOf(kind).life.system && !kindOf(kind).source.reverses && !kindOf(kind).life.till && placeOf(kind),
    );
    expect(Object.keys(typed).sort()).toEqual([...editors].sort());
  });

  test.each(Object.keys(typed) as KindName[])(
    '%s is typed and posted without a mouse, with at most eight keys a line beyond the data',
    (kind) => keysOnly(walking(), () => typeDocument(walking(), kind, numbers)),
    30_000,
  );

  // a hundred of them take half a minute (`npm run check -- --all`)
  test.each([5, process.env.BAHI_ALL === '1' ? 100 : 20])(
    'a sale of %i lines goes down the keyboard in one go, and every line of it is in the books',
    async (lines) => {
      const { server } = walking();
      await keysOnly(walking(), () => typeSale(walking(), lines));
      const { rows } = await server.database.owner.query(lastSale);
      expect(rows).toEqual([
        { lines, taxable: Array.from({ length: lines }, (_, n) => 100 * (1 + (n % 3))).reduce((a, b) => a + b) },
      ]);
    },
    120_000,
  );

  test('in an invoice of 500 lines a key costs less than 50 ms of script', async () => {
    const { page, open, at } = walking();
    await open('Create Invoice', `?id=${await draftOfLines(walking(), 500)}`);
    await page.keyboard.press('Alt+l');
    await at(/, line 1$/);
    await page.keyboard.press('Control+Home');
    await type(walking(), { 'Quantity, line 1': '3' });
    await at('Rate, line 1');
    const { script } = await timesOfKeys(page, 20, 4);
    expect(script.toSorted((a, b) => a - b)[10]).toBeLessThan(50);
  }, 120_000);

  test('a supplier and an item that are not there are made without leaving the bill', async () => {
    const { server } = walking();
    await keysOnly(walking(), () => typeBillOfNew(walking()));
    // what was proposed is replaced by what was typed
    const { rows } = await server.database.owner.query(
      `select sku from items where organisation = 1 and name = 'Keyed novelty'`,
    );
    expect(rows).toEqual([{ sku: 'KEY-9' }]);
  }, 120_000);
};
