import { portalDay } from '../../../base/dates.ts';
import { formatDecimal, type Percent } from '../../../base/decimal.ts';
import { groupBy } from '../../../base/group.ts';
import { type Paise, paise } from '../../../base/money.ts';
import { say } from '../../../base/say.ts';
import type { Id } from '../../../document/document.ts';
import { type AdvancePlace, type AdvanceTable, type AdvanceVoucher, advancesIn } from './advances.ts';
import {
  type Issued,
  type IssuedNature,
  type IssuedOutside,
  type IssuedPaper,
  issuedNatures,
  issuedRuns,
  outsideProblems,
} from './documents-issued.ts';
import { beforehand, type Furnishing, withinIff } from './filing.ts';
import { advanceProblems, furnishedProblems, gstr1Problems, type ReturnProblem } from './gstr1-problems.ts';
import {
  isExported,
  isPaidByOperator,
  isRegistered,
  isSupply,
  isUntaxed,
  type ReturnDocument,
  type ReturnLine,
  type SupplyTable,
  signOf,
  tableOf,
} from './return-document.ts';

type Json = Readonly<Record<string, unknown>>;

interface Amounts {
  readonly taxable: Paise;
  readonly igst: Paise;
  readonly cgst: Paise;
  readonly sgst: Paise;
  readonly cess: Paise;
}

/** One table of the return as the screen shows it: credit notes are negative, `value` is what the papers come to. */
export interface Gstr1Table extends Amounts {
  readonly name: SupplyTable | AdvanceTable | '8' | '12' | '13' | '14A' | '14B';
  readonly count: number;
  readonly value: Paise;
  readonly documents: readonly Id[];
}

export interface Gstr1 {
  /** What the portal takes, empty sections left out. */
  readonly json: Json;
  readonly tables: readonly Gstr1Table[];
  readonly problems: readonly ReturnProblem[];
}

/** A document in its part of a table, with only the lines of that part. */
interface Entry {
  readonly document: ReturnDocument;
  readonly lines: readonly ReturnLine[];
}

// Paise to a number of rupees for the file; the nearest binary number prints as these two decimals again.
const amount = (p: number): number => Number(formatDecimal(p, 2));
const rateOf = (rate: Percent): number => Number(formatDecimal(rate, 4, 0));

const total = (lines: readonly Amounts[], sign = 1): Amounts => {
  const of = (what: (a: Amounts) => number) => paise(sign * lines.reduce((t, line) => t + what(line), 0));
  return {
    taxable: of((l) => l.taxable),
    igst: of((l) => l.igst),
    cgst: of((l) => l.cgst),
    sgst: of((l) => l.sgst),
    cess: of((l) => l.cess),
  };
};

const taxes = (a: Amounts, inter: boolean): Json => ({
  ...(inter ? { iamt: amount(a.igst) } : { camt: amount(a.cgst), samt: amount(a.sgst) }),
  csamt: amount(a.cess),
});

/** Lines of equal rate are one item: the portal lets the last of several win. */
const bareItems = ({ document, lines }: Entry): (Json & { readonly rt: number })[] =>
  [...groupBy(lines, (line) => line.rate)]
    .sort(([a], [b]) => a - b)
    .map(([rate, same]) => {
      const sums = total(same);
      return { rt: rateOf(rate), txval: amount(sums.taxable), ...taxes(sums, document.inter) };
    });
const items = (entry: Entry): Json[] =>
  bareItems(entry).map((item) => ({ num: Math.round(item.rt * 100) + 1, itm_det: item }));

const head = ({ document }: Entry): Json => ({
  inum: document.number,
  idt: portalDay(document.date),
  val: amount(document.total),
});
const noteHead = ({ document }: Entry): Json => ({
  nt_num: document.number,
  nt_dt: portalDay(document.date),
  ntty: document.type === 'CRN' ? 'C' : 'D',
  val: amount(document.total),
});

const supplyCodes: Readonly<Partial<Record<ReturnDocument['supplyType'], string>>> = {
  SEZWP: 'SEWP',
  SEZWOP: 'SEWOP',
  DEXP: 'DE',
};
const terms = ({ document: d }: Entry): Json => ({
  pos: d.placeOfSupply,
  rchrg: d.reverseCharge ? 'Y' : 'N',
  inv_typ: supplyCodes[d.supplyType] ?? 'R',
});

const grouped = <K extends string>(entries: readonly Entry[], key: (d: ReturnDocument) => K): [K, Entry[]][] =>
  [...groupBy(entries, (e) => key(e.document))].sort(([a], [b]) => (a < b ? -1 : 1));

const b2b = (entries: readonly Entry[]): Json[] =>
  grouped(entries, (d) => d.party.gstin ?? '').map(([ctin, of]) => ({
    ctin,
    inv: of.map((e) => ({ ...head(e), ...terms(e), itms: items(e) })),
  }));

const b2cl = (entries: readonly Entry[]): Json[] =>
  grouped(entries, (d) => d.placeOfSupply).map(([pos, of]) => ({
    pos,
    inv: of.map((e) => ({ ...head(e), itms: items(e) })),
  }));

const exportsOf = (entries: readonly Entry[]): Json[] =>
  grouped(entries, (d) => (d.supplyType === 'EXPWP' ? 'WPAY' : 'WOPAY')).map(([exp_typ, of]) => ({
    exp_typ,
    inv: of.map((e) => {
      const { port, shippingBill: bill } = e.document;
      const shipped = bill ? { sbnum: bill.number, sbdt: portalDay(bill.date) } : {};
      return { ...head(e), ...(port && { sbpcode: port }), ...shipped, itms: bareItems(e) };
    }),
  }));

const cdnr = (entries: readonly Entry[]): Json[] =>
  grouped(entries, (d) => d.party.gstin ?? '').map(([ctin, of]) => ({
    ctin,
    nt: of.map((e) => ({ ...noteHead(e), ...terms(e), itms: items(e) })),
  }));

const cdnur = (entries: readonly Entry[]): Json[] =>
  entries.map((e) => {
    const kind = isExported(e.document)
      ? { typ: e.document.supplyType }
      : { typ: 'B2CL', pos: e.document.placeOfSupply };
    return { ...noteHead(e), ...kind, itms: items(e) };
  });

const signed = ({ document, lines }: Entry): { readonly document: ReturnDocument; readonly line: ReturnLine }[] =>
  lines.map((line) => ({ document, line: { ...line, ...total([line], signOf(document)) } }));

const b2cs = (entries: readonly Entry[]): Json[] =>
  [
    ...groupBy(
      entries.flatMap(signed),
      ({ document, line }) => `${document.placeOfSupply} ${document.inter} ${line.rate}`,
    ).values(),
  ].flatMap((rows) => {
    const first = rows[0];
    if (!first) return [];
    const { inter } = first.document;
    const sums = total(rows.map((r) => r.line));
    const row = { typ: 'OE', pos: first.document.placeOfSupply, rt: rateOf(first.line.rate) };
    return [{ sply_ty: inter ? 'INTER' : 'INTRA', ...row, txval: amount(sums.taxable), ...taxes(sums, inter) }];
  });

/** Table 8 has four boxes: to registered persons or not, between states or not. */
const nil = (entries: readonly Entry[]): Json | undefined => {
  const box = ({ document: d }: Entry): string => `${d.inter ? 'INTR' : 'INTRA'}${isRegistered(d) ? 'B2B' : 'B2C'}`;
  const inv = [...groupBy(entries, box)].map(([sply_ty, of]) => {
    const lines = of.flatMap(signed).map((s) => s.line);
    const sumOf = (treatment: ReturnLine['treatment']) =>
      amount(total(lines.filter((l) => l.treatment === treatment)).taxable);
    return { sply_ty, expt_amt: sumOf('exempt'), nil_amt: sumOf('nil'), ngsup_amt: sumOf('nonGst') };
  });
  return inv.length > 0 ? { inv } : undefined;
};

const hsnRows = (entries: readonly Entry[]): Json[] => {
  const isService = (line: ReturnLine): boolean => line.hsn.startsWith('99');
  const rows = entries.flatMap((e) => signed(e).map((s) => ({ ...s, sign: signOf(e.document) })));
  const uqc = (line: ReturnLine) => (isService(line) ? 'NA' : line.uqc);
  const groups = groupBy(rows, ({ line }) => `${line.hsn} ${uqc(line)} ${line.rate}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, same]) => {
      const line = same[0]?.line;
      if (!line) return [];
      const sums = total(same.map((s) => s.line));
      const quantity = isService(line) ? 0 : same.reduce((t, s) => t + s.sign * s.line.quantity, 0);
      return [
        {
          hsn_sc: line.hsn,
          uqc: uqc(line),
          qty: amount(Math.sign(quantity) * Math.floor((Math.abs(quantity) + 5_000) / 10_000)),
          rt: rateOf(line.rate),
          txval: amount(sums.taxable),
          iamt: amount(sums.igst),
          camt: amount(sums.cgst),
          samt: amount(sums.sgst),
          csamt: amount(sums.cess),
        },
      ];
    })
    .filter(isDeclared)
    .map((row, i) => ({ num: i + 1, ...row }));
};

/** A row that says something: what was sold and came back within the period leaves nothing to declare. */
const isDeclared = ({ qty, txval, iamt, camt, samt, csamt }: Json): boolean =>
  [qty, txval, iamt, camt, samt, csamt].some((n) => n !== 0);

/** Table 12 was split into halves from May 2025; exports stand in the half of consumers. */
const hsn = (entries: readonly Entry[]): Json => {
  const b2bHalf = hsnRows(entries.filter((e) => isRegistered(e.document)));
  const b2cHalf = hsnRows(entries.filter((e) => !isRegistered(e.document)));
  return { ...(b2bHalf.length > 0 && { hsn_b2b: b2bHalf }), ...(b2cHalf.length > 0 && { hsn_b2c: b2cHalf }) };
};

/** Table 14 has a row for each operator, with what came back taken off. */
const byOperator = (entries: readonly Entry[]): Json[] =>
  grouped(entries, (d) => d.ecommerceOperator ?? '').map(([etin, of]) => {
    const sums = total(of.flatMap(signed).map((s) => s.line));
    const { igst, cgst, sgst, cess } = sums;
    return {
      etin,
      suppval: amount(sums.taxable),
      ...{ igst: amount(igst), cgst: amount(cgst), sgst: amount(sgst), cess: amount(cess) },
      flag: 'N',
    };
  });

const signedAdvances = ({ lines }: AdvancePlace) =>
  lines.map(({ line, sign }) => ({ rate: line.rate, ...total([line], sign) }));

/** An advance is reported without the tax that is inside it. What nets out to nothing is left out. */
const advances = (places: readonly AdvancePlace[]): Json[] =>
  places.flatMap((place) => {
    const itms = [...groupBy(signedAdvances(place), (line) => line.rate)]
      .sort(([a], [b]) => a - b)
      .map(([rate, same]) => ({ rate, sums: total(same) }))
      .filter(({ sums }) => Object.values(sums).some((sum) => sum !== 0))
      .map(({ rate, sums }) => ({ rt: rateOf(rate), ad_amt: amount(sums.taxable), ...taxes(sums, place.inter) }));
    return itms.length > 0 ? [{ pos: place.placeOfSupply, sply_ty: place.inter ? 'INTER' : 'INTRA', itms }] : [];
  });

const advanceTable = (name: AdvanceTable, places: readonly AdvancePlace[]): Gstr1Table => {
  const sums = total(places.flatMap(signedAdvances));
  const documents = [...new Set(places.flatMap((p) => p.lines.map((l) => l.voucher)))];
  const value = paise(sums.taxable + sums.igst + sums.cgst + sums.sgst + sums.cess);
  return { name, count: documents.length, ...sums, value, documents };
};

const natureOf = (d: ReturnDocument): IssuedNature => d.nature ?? ({ INV: 1, BOS: 1, DBN: 4, CRN: 5 } as const)[d.type];

/** Adjustments and reversals have no number of a GST series. */
const isIssued = ({ what, reversal }: AdvanceVoucher): boolean => what !== 'adjusted' && !reversal;
const vouchersIssued = (vouchers: readonly AdvanceVoucher[]): Issued[] =>
  vouchers.filter(isIssued).map((v) => ({ ...v, nature: v.what === 'received' ? 6 : 8 }));

const issued = (
  documents: readonly ReturnDocument[],
  vouchers: readonly AdvanceVoucher[],
  outside: readonly IssuedOutside[],
  papers: readonly IssuedPaper[],
): Json => {
  const supplies = documents.map((d) => ({ ...d, nature: natureOf(d) }));
  const runs = issuedRuns([...supplies, ...vouchersIssued(vouchers), ...papers, ...outside]);
  const doc_det = [...groupBy(runs, (run) => run.nature)].map(([doc_num, of]) => ({
    doc_num,
    doc_typ: issuedNatures[doc_num],
    docs: of.map(({ from, to, total: totnum, cancelled: cancel }, i) => ({
      num: i + 1,
      from,
      to,
      totnum,
      cancel,
      net_issue: totnum - cancel,
    })),
  }));
  return { doc_det };
};

const isFull = (section: unknown): boolean =>
  Array.isArray(section)
    ? section.length > 0
    : typeof section === 'object' && section !== null && Object.values(section).some(isFull);

const tableFrom = (name: Gstr1Table['name'], entries: readonly Entry[], whole: boolean): Gstr1Table => {
  const lines = entries.flatMap(signed).map((s) => s.line);
  const sums = total(lines);
  const value = whole
    ? entries.reduce((t, { document: d }) => t + signOf(d) * d.total, 0)
    : sums.taxable + sums.igst + sums.cgst + sums.sgst + sums.cess;
  return { name, count: entries.length, ...sums, value: paise(value), documents: entries.map((e) => e.document.id) };
};

/** Table 13 counts papers and has no amounts. */
const issuedTable = (
  documents: readonly ReturnDocument[],
  vouchers: readonly AdvanceVoucher[],
  outside: readonly IssuedOutside[],
  papers: readonly IssuedPaper[],
): Gstr1Table => {
  const counted = [...documents, ...vouchers.filter(isIssued), ...papers];
  return {
    name: '13',
    count: counted.length + outside.length,
    ...total([]),
    value: paise(0),
    documents: counted.map((d) => d.id),
  };
};

/**
 * Outward documents and advances of one registration and period ('MMYYYY') as GSTR-1: the file, its tables, and what blocks its
 * filing. Of a quarter all three months are given: what an IFF has furnished already counts in tables 8, 12, 13 and 14 only.
 */
export function gstr1(
  gstin: string,
  period: string,
  documents: readonly ReturnDocument[],
  vouchers: readonly AdvanceVoucher[] = [],
  outside: readonly IssuedOutside[] = [],
  { furnished = new Map(), iff }: Furnishing = {},
  papers: readonly IssuedPaper[] = [],
): Gstr1 {
  const supplies = documents.filter(isSupply);
  const split = (choose: (d: ReturnDocument, line: ReturnLine) => boolean): Entry[] =>
    supplies
      .map((document) => ({ document, lines: document.lines.filter((line) => choose(document, line)) }))
      .filter((e) => e.lines.length > 0);
  const taxed = split((d, line) => !isUntaxed(d, line) && !isPaidByOperator(d));
  const untaxed = split((d, line) => isUntaxed(d, line) && !isPaidByOperator(d));
  const sold = split((d) => d.ecommerceOperator !== undefined);
  const [collected, paid] = [false, true].map((pays) => sold.filter((e) => isPaidByOperator(e.document) === pays));
  const described = split((_, line) => line.treatment !== 'nonGst');
  const unfurnished = taxed.filter((e) => !furnished.has(e.document.id));
  if (iff) return drawIff(gstin, period, unfurnished);
  const byTable = groupBy(unfurnished, (e) => tableOf(e.document, period));
  const of = (...names: SupplyTable[]): Entry[] => names.flatMap((name) => byTable.get(name) ?? []);
  const [received, adjusted] = [advancesIn('11A', vouchers), advancesIn('11B', vouchers)];
  const sections: Json = {
    b2b: b2b(of('4A', '4B', '6B', '6C')),
    b2cl: b2cl(of('5')),
    b2cs: b2cs(of('7')),
    nil: nil(untaxed),
    exp: exportsOf(of('6A')),
    cdnr: cdnr(of('9B registered')),
    cdnur: cdnur(of('9B unregistered')),
    at: advances(received),
    txpd: advances(adjusted),
    doc_issue: issued(documents, vouchers, outside, papers),
    hsn: hsn(described),
    supeco: { clttx: byOperator(collected ?? []), paytx: byOperator(paid ?? []) },
  };
  const names: SupplyTable[] = ['4A', '4B', '5', '6A', '6B', '6C', '7', '9B registered', '9B unregistered'];
  return {
    json: { gstin, fp: period, ...Object.fromEntries(Object.entries(sections).filter(([, s]) => isFull(s))) },
    tables: [
      ...names.map((name) => tableFrom(name, of(name), name !== '7')),
      tableFrom('8', untaxed, false),
      advanceTable('11A', received),
      advanceTable('11B', adjusted),
      tableFrom('12', described, false),
      issuedTable(documents, vouchers, outside, papers),
      tableFrom('14A', collected ?? [], false),
      tableFrom('14B', paid ?? [], false),
    ],
    problems: [
      ...gstr1Problems(gstin, period, documents),
      ...advanceProblems(vouchers),
      ...outsideProblems(outside),
      ...furnishedProblems(documents, furnished),
    ],
  };
}

/** The invoice furnishing facility: invoices to registered persons and notes on them, as many as it takes. */
function drawIff(gstin: string, period: string, unfurnished: readonly Entry[]): Gstr1 {
  const may = unfurnished.filter((e) => beforehand.includes(tableOf(e.document, period)));
  const taken = withinIff(may.map((e) => e.document));
  const entries = may.filter((e) => taken.has(e.document.id));
  const of = (...names: SupplyTable[]) => entries.filter((e) => names.includes(tableOf(e.document, period)));
  const sections: Json = { b2b: b2b(of('4A', '4B', '6B', '6C')), cdnr: cdnr(of('9B registered')) };
  const left = may.length - entries.length;
  return {
    json: { gstin, fp: period, ...Object.fromEntries(Object.entries(sections).filter(([, s]) => isFull(s))) },
    tables: beforehand.map((name) => tableFrom(name, of(name), true)),
    problems: [
      ...gstr1Problems(
        gstin,
        period,
        entries.map((e) => e.document),
      ),
      ...(left > 0
        ? [
            {
              document: '',
              ...(left === 1
                ? say('An IFF takes ₹50 lakh: {{left}} later document waits for the next, or the return', { left })
                : say('An IFF takes ₹50 lakh: {{left}} later documents wait for the next, or the return', { left })),
            },
          ]
        : []),
    ],
  };
}
