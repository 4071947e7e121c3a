import { sql } from 'kysely';
import { addMonths, financialYearOf } from '../../domain/base/dates.ts';
import type { Id } from '../../domain/document/document.ts';
import { countHandlers } from '../counting/index.ts';
import { askForWayBill } from '../eway/index.ts';
import { recurringHandlers } from '../recurring/index.ts';
import { workflowHandlers } from '../workflow/index.ts';
import { post, type Shop, save } from './shop.ts';

/** Prices from today on, of the customer that names the list: what was sold before keeps its own. */
export const priceListOf = (shop: Shop): Promise<Id> =>
  save(shop, 'priceList', {
    ...{ code: 'TRADE', name: 'Trade prices', side: 'sale', validFrom: shop.context.today },
    prices: [{ discount: '5' }],
  });

/** Departments, for who asks what each of them earns and costs. */
export async function addCostCentres(shop: Shop): Promise<void> {
  const retail = await save(shop, 'costCentre', { code: 'RETAIL', name: 'Retail' });
  await save(shop, 'costCentre', { code: 'COUNTER', name: 'Shop counter', parent: retail });
  await save(shop, 'costCentre', { code: 'SERVICE', name: 'Repairs and service' });
}

/** What the trade has no need of but the product has a list for: on the last day each list has a row. */
export async function addLists(shop: Shop, day: string): Promise<void> {
  const [place] = shop.places;
  if (!place) return;
  const at = { registration: place.registration, location: place.location };
  await addSmallMasters(shop);
  await addPeopleAndPapers(shop);
  await addWorkflow(shop);
  const service = { description: 'Accounting of the month', rate: '12000.00', gstRate: '18' };
  const bill = { party: shop.suppliers[5], reference: `RB-${day.replaceAll('-', '')}`, referenceDate: day };
  const source = await post(shop, day, {
    ...{ kind: 'expense', ...at, ...bill, lines: [{ ledger: shop.ledgers.get('6435'), ...service }] },
    tdsSection: '194J(b)',
  });
  await recurringHandlers.SaveRecurringBill(
    {
      source,
      name: service.description,
      first: addMonths(day, 1),
      every: 1,
      unit: 'month',
      monthEnd: false,
      posts: false,
    },
    shop.context,
  );
  await countHandlers(shop.poster).MakeCountSheet(
    { name: 'Yearly count', location: place.location, blind: true, empty: false },
    shop.context,
  );
}

/** Goods above the limit to a consumer: they leave with an e-way bill, which waits in line for the portal. */
export async function sendOff(shop: Shop, day: string): Promise<void> {
  const [place] = shop.places;
  const fan = shop.items[7];
  if (!place || !fan) return;
  const id = await post(shop, day, {
    ...{ kind: 'b2cInvoice', registration: place.registration, location: place.location, party: shop.customers[9] },
    lines: [{ item: fan.id, quantity: '30' }],
  });
  const transport = { distance: 0, mode: '1', vehicle: 'KA01AB1234' } as const;
  await askForWayBill({ id, transport }, 'direct', shop.context);
}

async function addSmallMasters(shop: Shop): Promise<void> {
  const year = financialYearOf(shop.context.today);
  const values = [
    { value: 'White', code: 'WHT' },
    { value: 'Ivory', code: 'IVR' },
  ];
  await save(shop, 'attribute', { code: 'FINISH', name: 'Finish', values });
  await save(shop, 'unitConversion', { from: 'BOX', to: 'NOS', factor: '20', item: shop.items[0]?.id });
  await save(shop, 'adjustment', {
    ...{ code: 'PACK', name: 'Packing', sort: 'charge', usedOn: 'sale', amount: '150.00' },
    ledger: shop.ledgers.get('4140'),
  });
  await save(shop, 'tdsCertificate', {
    ...{ number: 'BLR/197/21', party: shop.suppliers[4], section: '194C', rate: '0.5', limit: '200000.00' },
    ...{ from: shop.context.today, to: year.end },
  });
}

const idsIn = (shop: Shop, what: ReturnType<typeof sql<{ id: Id }>>): Promise<Id[]> =>
  shop.context.inTransaction(async (trx) => (await what.execute(trx)).rows.map(({ id }) => id));
const rolesCalled = (shop: Shop, name: string) =>
  idsIn(
    shop,
    sql`
      select id
        from roles
       where organisation = ${shop.context.organisation}
         and name = ${name}`,
  );

/** How orders could go through the stockroom: a draft, which binds nobody until it is published. */
async function addWorkflow(shop: Shop): Promise<void> {
  const TransactionType = 'SO';
  const { GetOMSWorkflowTemplateDetails: templates, SaveWorkflow: keep } = workflowHandlers;
  const [template] = await templates({ TransactionType }, shop.context);
  if (!template) throw new Error('there is no template of a workflow for sale orders');
  const roles = await rolesCalled(shop, 'Owner');
  const { name, stages, actions } = template;
  await keep({ TransactionType, name, stages, actions: actions.map((each) => ({ ...each, roles })) }, shop.context);
}

async function addPeopleAndPapers(shop: Shop): Promise<void> {
  const users = await idsIn(
    shop,
    sql`
      select id
        from users
       where organisation = ${shop.context.organisation}
         and email like 'viewer@%'`,
  );
  await save(shop, 'group', {
    ...{ name: 'Auditors', description: 'Who reads the books at the year-end' },
    ...{ roles: await rolesCalled(shop, 'Viewer'), users },
  });
  await save(shop, 'additionalField', {
    ...{ label: 'Delivery slot', type: 'text', appliesTo: ['saleInvoice', 'saleOrder'], onPrint: true },
  });
  await save(shop, 'terms', {
    ...{ code: 'QUOTE', name: 'Terms of quotations', kind: 'quotation', isDefault: true },
    text: 'Valid for 15 days. Goods are delivered from stock within three working days.',
  });
  await save(shop, 'paperTemplate', {
    ...{ code: 'QUOTE', name: 'Quotation', kinds: ['quotation'], isDefault: true, size: 'A4', colour: '#0f766e' },
    ...{ logo: 'left', bank: true, upi: false, footer: 'Thank you for your enquiry' },
  });
}
