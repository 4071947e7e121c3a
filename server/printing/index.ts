// biome-ignore-all format: rows of columns
import { sql } from 'kysely';
import type { Handlers } from '../../contract/contract.ts';
import type { documents } from '../../contract/documents.ts';
import { money } from '../../domain/decimal.ts';
import type { Draft } from '../../domain/document.ts';
import { stateName } from '../../domain/gst/states.ts';
import { type Kind, type KindName, kindOf } from '../../domain/kinds/index.ts';
import { amountInWords } from '../../domain/words.ts';
import type { Context } from '../context.ts';
import { viewDocument } from '../documents/index.ts';
import { type Block, type Paper, printPaper } from '../paper/index.ts';

type View = Awaited<ReturnType<typeof viewDocument>>;

/** Indian grouping of decimal text: 12,34,567.50. */
const grouped = (text: string): string => text.replace(/^(-?)(\d+)(\d{3})(\.|$)/, (_, sign: string, head: string, tail: string, dot: string) => `${sign}${head.replace(/\B(?=(\d\d)+$)/g, ',')},${tail}${dot}`);
const shownDay = (day: string, format: 1 | 2): string => (format === 1 ? `${day.slice(5, 7)}-${day.slice(8)}-${day.slice(0, 4)}` : `${day.slice(8)}-${day.slice(5, 7)}-${day.slice(0, 4)}`);

const titles: Readonly<Record<Kind['paper'], (kind: Kind) => string>> = { taxInvoice: () => 'Tax invoice', billOfSupply: () => 'Bill of supply', note: (k) => k.label, order: (k) => k.label, voucher: (k) => k.label, challan: () => 'Delivery challan', none: (k) => k.label };
const copies = { original: 'Original for recipient', duplicate: 'Duplicate for transporter', triplicate: 'Triplicate for supplier', extra: 'Extra copy' } as const;

/** Endorsements of rule 46 and the Act, by what the supply is. */
const endorsements: Readonly<Record<string, string>> = {
  EXPWP: 'Supply meant for export on payment of integrated tax', EXPWOP: 'Supply meant for export under bond or letter of undertaking without payment of integrated tax',
  SEZWP: 'Supply to SEZ unit or developer for authorised operations on payment of integrated tax', SEZWOP: 'Supply to SEZ unit or developer for authorised operations under bond or letter of undertaking without payment of integrated tax',
};

interface Around { readonly seller: Block; readonly legalName: string; readonly buyer: Block | undefined; readonly composition: boolean; readonly bank: Block | undefined }

async function around(context: Context, view: View): Promise<Around> {
  return context.inTransaction(async (trx) => {
    const own = await sql<{ legal_name: string; gstin: string | null; state: string; kind: string; body: Record<string, string> }>`select legal_name, gstin, state, kind, body from registrations where organisation = ${context.organisation} and id = ${view.registration.id}`.execute(trx);
    const party = view.party ? await sql<{ name: string; gstin: string | null; state: string; body: { addresses?: { line1?: string; line2?: string; city?: string; pincode?: string }[] } }>`select name, gstin, state, body from parties where organisation = ${context.organisation} and id = ${view.party.id}`.execute(trx) : undefined;
    const bank = await sql<{ name: string; body: Record<string, string> }>`select name, body from masters where organisation = ${context.organisation} and master = 'bank' and active order by coalesce((body ->> 'isDefault')::boolean, false) desc limit 1`.execute(trx);
    const [o] = own.rows;
    const p = party?.rows[0];
    const [b] = bank.rows;
    const address = p?.body.addresses?.[0];
    const lines = (...all: readonly (string | undefined | null)[]) => all.filter((t): t is string => Boolean(t));
    return {
      legalName: o?.legal_name ?? '', composition: o?.kind === 'composition',
      seller: { heading: 'From', lines: lines(o?.legal_name, o?.body.line1, o?.body.line2, [o?.body.city, o?.body.pincode].filter(Boolean).join(' '), o?.gstin ? `GSTIN ${o.gstin}` : 'Not registered under GST', `State ${o?.state} – ${stateName(o?.state ?? '') ?? ''}`) },
      buyer: p && { heading: 'To', lines: lines(p.name, address?.line1, address?.line2, [address?.city, address?.pincode].filter(Boolean).join(' '), p.gstin ? `GSTIN ${p.gstin}` : undefined, stateName(p.state) ? `State ${p.state} – ${stateName(p.state)}` : undefined) },
      bank: b && { heading: 'Bank', lines: lines(b.name, b.body.accountNumber && `Account ${b.body.accountNumber}`, b.body.ifsc && `IFSC ${b.body.ifsc}`) },
    };
  });
}

/** The paper of a document: rule 46 contents from what was posted. */
export async function paperOf(context: Context, id: string, copy: keyof typeof copies): Promise<Paper> {
  const view = await viewDocument(context, { id });
  const kind = kindOf(view.kind as KindName);
  const facts = await around(context, view);
  const draft = view.body as unknown as Draft & { reference?: string };
  const p = view.priced;
  const place = draft.placeOfSupply ?? view.party?.gstin?.slice(0, 2);
  const intra = p?.supply === 'intra';
  const fact = (label: string, value: string | undefined | null) => (value ? [{ label, value }] : []);
  const sum = (label: string, amount: string | undefined, strong?: true) => (amount && (strong || money(amount) !== 0) ? [{ label, amount: grouped(amount), ...(strong && { strong }) }] : []);
  const goods = view.lines.length > 0 && kind.lines !== 'ledgers';
  const paid = kind.paper === 'taxInvoice' && facts.composition;
  return {
    title: paid ? 'Bill of supply' : titles[kind.paper](kind),
    ...(kind.gstNumber && { copy: copies[copy] }),
    notices: [...(p && endorsements[p.supplyType] ? [endorsements[p.supplyType] ?? ''] : []), ...(paid ? ['Composition taxable person, not eligible to collect tax on supplies'] : []), ...(draft.reverseCharge ? ['Tax is payable on reverse charge'] : [])],
    seller: facts.seller,
    facts: [...fact('Number', view.number || 'Draft'), ...fact('Date', shownDay(view.date, context.settings.dateFormat)), ...fact('Due', view.dueDate && shownDay(view.dueDate, context.settings.dateFormat)), ...fact('Reference', draft.reference), ...(kind.tax === 'output' && place ? fact('Place of supply', `${place} – ${stateName(place) ?? ''}`) : [])],
    parties: facts.buyer ? [facts.buyer] : draft.partyName ? [{ heading: 'To', lines: [draft.partyName] }] : [],
    table: goods
      ? { columns: [{ label: '#', width: 16, right: true }, { label: 'Description', width: '*' }, { label: 'HSN/SAC', width: 52 }, { label: 'Qty', width: 44, right: true }, { label: 'Unit', width: 30 }, { label: 'Rate', width: 56, right: true }, { label: 'GST %', width: 34, right: true }, { label: 'Taxable (₹)', width: 70, right: true }],
          rows: view.lines.map((l) => [String(l.number), [l.sku, l.description].filter(Boolean).join(' · '), l.hsn, l.quantity, l.unit, grouped(l.rate), l.gstRate, grouped(l.taxable)]) }
      : { columns: [{ label: 'Ledger', width: '*' }, { label: 'Debit (₹)', width: 90, right: true }, { label: 'Credit (₹)', width: 90, right: true }], rows: view.entries.map((e) => [`${e.code} ${e.name}`, e.debit === '0.00' ? '' : grouped(e.debit), e.credit === '0.00' ? '' : grouped(e.credit)]) },
    sums: p && goods ? [...sum('Discount', p.discount), ...sum('Taxable value', p.taxable), ...(intra ? [...sum('CGST', p.cgst), ...sum('SGST/UTGST', p.sgst)] : sum('IGST', p.igst)), ...sum('Cess', p.cess), ...sum('TCS', p.tcs), ...sum('Round off', p.roundOff), ...sum('Total ₹', p.total, true)] : p ? sum('Total ₹', p.total, true) : [],
    ...(p && { words: amountInWords(money(p.total)) }),
    ...(facts.bank && kind.tax === 'output' && { bank: facts.bank }),
    ...(draft.terms && { terms: draft.terms }), ...(draft.narration && { narration: draft.narration }), signatory: facts.legalName,
    ...(view.einvoice?.irn && view.einvoice.signedQr ? { einvoice: { irn: view.einvoice.irn, ackNo: view.einvoice.ackNo ?? '', ackDate: view.einvoice.ackDate ?? '', qr: view.einvoice.signedQr } } : {}),
    ...(view.cancelled && { watermark: 'Cancelled' }), ...(view.draft && { watermark: 'Draft' }),
  };
}

export const printHandlers: Handlers<Pick<typeof documents, 'PrintDocument'>, Context> = {
  PrintDocument: async ({ id, copy }, context) => {
    const paper = await paperOf(context, id, copy);
    const bytes = await printPaper(paper);
    return { name: `${(paper.facts[0]?.value ?? 'document').replaceAll('/', '-')}.pdf`, type: 'application/pdf', content: Buffer.from(bytes).toString('base64') };
  },
};
