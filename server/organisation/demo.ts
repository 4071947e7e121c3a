import { moduleNames } from '../../contract/modules.ts';
import type { Founding } from './found.ts';

export { DEMO_PASSWORD } from '../kit/secrets/new-password.ts';

const blr = { line1: '12 Residency Road', city: 'Bengaluru', pincode: '560025' };
const pune = { line1: '4 Senapati Bapat Road', city: 'Pune', pincode: '411016' };
const chennai = { line1: '88 Mount Road', city: 'Chennai', pincode: '600002' };

/**
 * The demo organisations' bones; their documents come in through the product's own calls. `hash` is the demo
 * password's, without which nobody signs in.
 */
export const demoFoundings = (hash: string | null): readonly Founding[] => [
  {
    code: 'SHARMA',
    name: 'Sharma Traders Private Limited',
    registrations: [
      {
        key: 'KA',
        gstin: '29AAGCS4821F1ZB',
        state: '29',
        legalName: 'Sharma Traders Private Limited',
        kind: 'regular',
        einvoice: true,
        address: blr,
        mark: '',
      },
      {
        key: 'MH',
        gstin: '27AAGCS4821F1ZF',
        state: '27',
        legalName: 'Sharma Traders Private Limited',
        kind: 'regular',
        einvoice: true,
        address: pune,
        mark: 'M',
      },
    ],
    locations: [
      {
        key: 'BLR',
        code: 'BLR',
        name: 'Bengaluru head office',
        registration: 'KA',
        isTax: true,
        isPhysical: true,
        address: blr,
      },
      {
        key: 'BLR2',
        code: 'BLR2',
        name: 'Peenya warehouse',
        registration: 'KA',
        isTax: false,
        isPhysical: true,
        address: { line1: '7 Peenya Industrial Area', city: 'Bengaluru', pincode: '560058' },
      },
      {
        key: 'PUN',
        code: 'PUN',
        name: 'Pune branch',
        registration: 'MH',
        isTax: true,
        isPhysical: true,
        address: pune,
      },
    ],
    modules: moduleNames,
    settings: { autoRoundOffTotals: true, tdsadjustments: true },
    people: [
      { email: 'owner@sharma.demo', name: 'Ravi Sharma', passwordHash: hash, role: 'Owner' },
      { email: 'accountant@sharma.demo', name: 'Meena Iyer', passwordHash: hash, role: 'Accountant' },
      { email: 'approver@sharma.demo', name: 'Joseph Thomas', passwordHash: hash, role: 'Approver' },
      { email: 'viewer@sharma.demo', name: 'Farah Khan', passwordHash: hash, role: 'Viewer' },
      { email: 'none@sharma.demo', name: 'Arun Das', passwordHash: hash, role: null },
    ],
  },
  {
    code: 'NOVA',
    name: 'Nova Retail LLP',
    registrations: [
      {
        key: 'TN',
        gstin: '33AAKFN7310Q1ZW',
        state: '33',
        legalName: 'Nova Retail LLP',
        kind: 'regular',
        einvoice: false,
        address: chennai,
        mark: '',
      },
    ],
    locations: [
      {
        key: 'CHN',
        code: 'CHN',
        name: 'Chennai store',
        registration: 'TN',
        isTax: true,
        isPhysical: true,
        address: chennai,
      },
    ],
    modules: moduleNames,
    settings: {
      autoRoundOffTotals: true,
      tdsadjustments: true,
      isWarehouse: true,
      enableBatch: true,
      enableSerialization: true,
    },
    people: [{ email: 'owner@nova.demo', name: 'Lakshmi Narayanan', passwordHash: hash, role: 'Owner' }],
  },
];
