import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { moneyText, quantityText } from '../../domain/base/decimal.ts';
import type { Address, Id } from '../../domain/document/document.ts';
import { kindCalled } from '../../domain/document/kinds/index.ts';
import { transportModes } from '../../domain/tax/gst/portal/portal-codes.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import type { Context } from '../context.ts';
import { portalDocument } from '../einvoice/index.ts';
import { type Paper, printPaper } from '../paper/index.ts';
import { billsOf } from './record.ts';

const lines = (name: string, gstin: string, { line1, line2, city, pincode, state }: Address): readonly string[] => [
  name,
  `GSTIN ${gstin}`,
  ...[line1, line2 ?? ''].filter(Boolean),
  [city, pincode].filter(Boolean).join(' '),
  `${state} ${stateName(state) ?? ''}`.trim(),
];

/** The e-way bill as paper (EWB-01): Part A, with or without the goods, and Part B; the code that officers scan. */
export async function printWayBill(
  number: string,
  context: Context,
  withGoods: boolean,
  isPretended: boolean,
): Promise<{ name: string; type: string; content: string }> {
  const paper = await context.inTransaction(async (trx): Promise<Paper> => {
    const { rows } = await sql<{
      document: Id;
      bill: number;
    }>`select document, bill from eway_bills where organisation = ${context.organisation} and number = ${number}`.execute(
      trx,
    );
    const [own] = rows;
    const doc = own && (await portalDocument(trx, context.organisation, own.document));
    if (!doc) throw new Refusal('notFound');
    const bill = (await billsOf(trx, context.organisation, own.document)).find((b) => b.bill === own.bill);
    if (!bill) throw new Refusal('notFound');
    const { facts } = doc;
    const { transport } = bill;
    const ours = lines(facts.seller.legalName, facts.seller.gstin, facts.dispatchFrom ?? facts.seller.address);
    const theirs = lines(facts.buyer.legalName, facts.buyer.gstin ?? 'URP', facts.shipTo ?? facts.buyer.address);
    const [from, to] = kindCalled(doc.kind)?.gst.eway?.way === 'in' ? [theirs, ours] : [ours, theirs];
    const fact = (label: string, value: string | null | undefined) => (value ? [{ label, value }] : []);
    const goods = facts.lines.filter((line) => !line.service);
    return {
      title: 'e-Way bill',
      notices: [
        ...(bill.state === 'partA' ? ['Part A alone: the goods may not move before a vehicle is named'] : []),
        ...(isPretended
          ? ['Trial: this number comes from a stand-in of the e-way bill portal. This is not a valid e-way bill.']
          : []),
      ],
      seller: { heading: 'Made by', lines: [facts.seller.legalName, `GSTIN ${facts.seller.gstin}`] },
      facts: [
        ...fact('E-way bill no.', number),
        ...fact('Made on', bill.made_at),
        ...fact('Valid until', bill.valid_until),
        ...fact('Document', `${facts.number} of ${facts.date.split('-').reverse().join('-')}`),
        ...fact('IRN', bill.route === 'irn' ? doc.einvoice?.irn : null),
        ...fact('Distance', bill.distance ? `${bill.distance} km` : null),
        ...fact('Mode of transport', transportModes.find(([code]) => code === transport.mode)?.[1]),
        ...fact('Vehicle', transport.vehicle?.number),
        ...fact(
          'Transport document',
          transport.document &&
            `${transport.document.number} of ${transport.document.date.split('-').reverse().join('-')}`,
        ),
        ...fact('Transporter', [transport.transporter?.id, transport.transporter?.name].filter(Boolean).join(' ')),
      ],
      parties: [
        { heading: 'From', lines: from },
        { heading: 'To', lines: to },
      ],
      table: withGoods
        ? {
            columns: [
              { label: 'HSN', width: 52 },
              { label: 'Goods', width: '*' },
              { label: 'Qty', width: 60, right: true },
              { label: 'Unit', width: 40 },
              { label: 'Taxable (₹)', width: 80, right: true },
            ],
            rows: goods.map((l) => [l.hsn, l.description, quantityText(l.quantity), l.uqc, moneyText(l.value)]),
          }
        : {
            columns: [
              { label: 'HSN', width: 52 },
              { label: 'Goods', width: '*' },
              { label: 'Lines', width: 60, right: true },
            ],
            rows: [[goods[0]?.hsn ?? '', goods[0]?.description ?? '', String(goods.length)]],
          },
      sums: [{ label: 'Value of the document ₹', amount: moneyText(facts.total), strong: true }],
      code: { text: `${number}/${facts.seller.gstin}/${bill.made_at ?? ''}`, says: `E-way bill ${number}` },
      ...(bill.state === 'cancelled' && { watermark: 'Cancelled' }),
    };
  });
  const bytes = await printPaper(paper);
  return { name: `e-way-bill-${number}.pdf`, type: 'application/pdf', content: Buffer.from(bytes).toString('base64') };
}
