import { createHash } from 'node:crypto';
import towns from './facts/towns.json' with { type: 'json' };
import { knownTaxpayers, stateName } from './facts.ts';
import { isGstin, stateOf } from './gstin.ts';

/** The portal's answer on a GSTIN, field by field as it names them. */
export interface GstinDetails {
  readonly Gstin: string;
  readonly TradeName: string;
  readonly LegalName: string;
  readonly AddrBnm: string;
  readonly AddrBno: string;
  readonly AddrFlno: string;
  readonly AddrSt: string;
  readonly AddrLoc: string;
  readonly StateCode: number;
  readonly AddrPncd: number;
  readonly TxpType: string;
  readonly Status: string;
  readonly BlkStatus: string;
  readonly DtReg: string;
  readonly DtDReg: string | null;
}

export interface Taxpayer {
  readonly details: GstinDetails;
  /** Turnover in crore: from 10 on an invoice is to be reported within 30 days. */
  readonly turnover: number;
  readonly enabled: boolean;
  /** The portal's copy lags: unknown until someone calls sync. */
  readonly needsSync: boolean;
}

/** The four digits of the PAN that make a pretended taxpayer an odd one; every other GSTIN is an active regular one. */
const oddities: Readonly<
  Record<string, Partial<GstinDetails> & { readonly enabled?: false; readonly needsSync?: true }>
> = {
  '9991': { Status: 'SUS' },
  '9992': { Status: 'CNL', DtDReg: '2025-03-31' },
  '9993': { BlkStatus: 'B' },
  '9994': { TxpType: 'COM', enabled: false },
  '9995': { TxpType: 'SEZ', enabled: false },
  '9996': { needsSync: true },
  '9997': { enabled: false },
  '9998': { TxpType: 'ISD', enabled: false },
};
const UNKNOWN = '9999';

const first = [
  'Aravalli',
  'Kaveri',
  'Sahyadri',
  'Narmada',
  'Vindhya',
  'Godavari',
  'Nilgiri',
  'Chambal',
  'Konkan',
  'Malwa',
  'Satpura',
  'Tungabhadra',
];
const second = [
  'Traders',
  'Enterprises',
  'Engineering',
  'Textiles',
  'Foods',
  'Components',
  'Agencies',
  'Electricals',
  'Chemicals',
  'Packaging',
  'Hardware',
  'Systems',
];
const people = [
  'Asha Menon',
  'Rakesh Gupta',
  'Imran Sheikh',
  'Meena Iyer',
  'Harpreet Singh',
  'Lakshmi Rao',
  'Nitin Deshpande',
  'Farah Khan',
];
const streets = [
  'Station Road',
  'Gandhi Road',
  'Market Yard',
  'Industrial Area',
  'Temple Street',
  'Ring Road',
  'Nehru Marg',
  'College Road',
];
const ending: Readonly<Record<string, string>> = {
  C: ' Private Limited',
  F: ' LLP',
  T: ' Trust',
  H: ' HUF',
  A: ' Association',
  G: ' Department',
};

const townOf: Readonly<Record<string, { readonly name: string; readonly pin: number }>> = towns.towns;

const pick = (list: readonly string[], seed: number) => list[seed % list.length] ?? '';

/** A name by the PAN, so that all its registrations agree; an address by the GSTIN, in the right state. */
function pretend(gstin: string): GstinDetails {
  const pan = gstin.slice(2, 12);
  const bytes = createHash('sha256').update(pan).digest();
  const place = createHash('sha256').update(gstin).digest();
  const trade = `${pick(first, bytes[0] ?? 0)} ${pick(second, bytes[1] ?? 0)}`;
  const holder = pan.charAt(3);
  const town = townOf[stateOf(gstin)];
  return {
    Gstin: gstin,
    TradeName: trade,
    LegalName: holder === 'P' ? pick(people, bytes[2] ?? 0) : `${trade}${ending[holder] ?? ''}`,
    AddrBnm: '',
    AddrBno: String(1 + (place[0] ?? 0)),
    AddrFlno: '',
    AddrSt: pick(streets, place[1] ?? 0),
    AddrLoc: town?.name ?? stateName(stateOf(gstin)) ?? '',
    StateCode: Number(stateOf(gstin)),
    AddrPncd: town?.pin ?? 999_999,
    TxpType: gstin[13] === 'C' ? 'TCS' : gstin[13] === 'D' ? 'TDS' : 'REG',
    Status: 'ACT',
    BlkStatus: 'U',
    DtReg: '2017-07-01',
    DtDReg: null,
  };
}

/** The taxpayer of a GSTIN: the invented ones of the samples, else a made-up but always equal one. Undefined: no such registration. */
export function taxpayer(gstin: string): Taxpayer | undefined {
  const known = knownTaxpayers.find((one) => one.Gstin === gstin);
  if (known) {
    const details = { ...pretend(gstin), ...known };
    const enabled = known.TxpType === 'REG' || known.TxpType === 'TCS';
    return { details, turnover: 25, enabled, needsSync: false };
  }
  const digits = gstin.slice(7, 11);
  if (!isGstin(gstin) || digits === UNKNOWN || stateName(stateOf(gstin)) === undefined) return undefined;
  const { enabled = true, needsSync = false, ...odd } = oddities[digits] ?? {};
  return { details: { ...pretend(gstin), ...odd }, turnover: 7, enabled, needsSync };
}
