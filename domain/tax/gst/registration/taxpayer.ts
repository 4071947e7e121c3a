import type { Address, Day, GstCategory, RegistrationKind, StateCode } from '../../../document/document.ts';
import { gstinForm, panOfGstin } from './gstin.ts';
import { stateName } from './states.ts';

/** What the register says of a registration. The portal names no code for a suspended one in its papers; SUS is what it sends. */
const statuses = {
  ACT: 'active',
  PRO: 'provisional',
  SUS: 'suspended',
  INA: 'inactive',
  CNL: 'cancelled',
} as const;
export type TaxpayerStatus = (typeof statuses)[keyof typeof statuses] | 'unknown';

/** A registration as the common register has it. */
export interface Taxpayer {
  readonly gstin: string;
  readonly legalName: string;
  readonly tradeName: string;
  readonly state: StateCode;
  /** Empty where the number holds none. */
  readonly pan: string;
  /** What it is to who sells to it or buys from it. */
  readonly category: GstCategory;
  /** What it is to its own holder. */
  readonly kind: RegistrationKind;
  readonly status: TaxpayerStatus;
  /** Barred from making e-way bills (rule 138E). */
  readonly blocked: boolean;
  readonly cancelledOn: Day | null;
  readonly address: Address;
}

const categories: Readonly<Record<string, GstCategory>> = {
  REG: 'registered',
  COM: 'composition',
  SEZ: 'sezUnit',
  SED: 'sezDeveloper',
  ISD: 'isd',
  TDS: 'taxDeductor',
  TCS: 'ecommerceOperator',
};
const kinds: Readonly<Record<string, RegistrationKind>> = { COM: 'composition', SEZ: 'sez', SED: 'sez' };

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value).trim());
const isOneOf = <K extends string>(known: Readonly<Record<K, unknown>>, name: string): name is K =>
  Object.hasOwn(known, name);

/** Reads the portal's answer on a GSTIN; undefined when it is about another one, or about nothing. */
export function readTaxpayer(gstin: string, answer: Readonly<Record<string, unknown>>): Taxpayer | undefined {
  const of = (name: string) => text(answer[name]);
  if (of('Gstin').toUpperCase() !== gstin || of('LegalName') === '') return undefined;
  const type = of('TxpType').toUpperCase();
  const status = of('Status').toUpperCase();
  const state = of('StateCode').padStart(2, '0');
  const cancelledOn = /^\d{4}-\d{2}-\d{2}$/.test(of('DtDReg')) ? of('DtDReg') : null;
  const building = [of('AddrBno'), of('AddrFlno'), of('AddrBnm')].filter(Boolean).join(', ');
  const [line1 = '', ...more] = [building, of('AddrSt')].filter(Boolean);
  return {
    gstin,
    legalName: of('LegalName'),
    tradeName: of('TradeName'),
    state: stateName(state) === undefined ? gstin.slice(0, 2) : state,
    pan: panOfGstin(gstin) ?? '',
    category: gstinForm(gstin) === 'uinHolder' ? 'uinHolder' : (categories[type] ?? 'registered'),
    kind: kinds[type] ?? 'regular',
    status: isOneOf(statuses, status) ? statuses[status] : 'unknown',
    blocked: of('BlkStatus').toUpperCase() === 'B',
    cancelledOn,
    address: {
      line1: line1.slice(0, 100),
      ...(more.length > 0 && { line2: more.join(', ').slice(0, 100) }),
      city: of('AddrLoc').slice(0, 50),
      state: stateName(state) === undefined ? gstin.slice(0, 2) : state,
      pincode: /^[1-9]\d{5}$/.test(of('AddrPncd')) ? of('AddrPncd') : '',
      country: 'IN',
    },
  };
}

const warnings: Readonly<Partial<Record<TaxpayerStatus, string>>> = {
  cancelled: 'This registration is cancelled: no e-invoice can name it, and tax charged under it is no input credit',
  suspended: 'This registration is suspended: its holder may make no taxable supply meanwhile (rule 21A)',
  inactive: 'This registration is inactive',
};

/** The reasons against dealing with this registration, each in a sentence; a date is for the form to add. */
export const taxpayerWarnings = ({ status, blocked }: Taxpayer): readonly string[] => [
  ...(warnings[status] ? [warnings[status]] : []),
  ...(blocked ? ['It is barred from e-way bills until its returns are filed (rule 138E)'] : []),
];
