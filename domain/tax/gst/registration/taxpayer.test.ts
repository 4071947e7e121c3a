import { expect, test } from 'vitest';
import { readTaxpayer, taxpayerWarnings } from './taxpayer.ts';

const GSTIN = '27AABCS4821K1Z9';
const answer = {
  Gstin: GSTIN,
  LegalName: 'Sahyadri Components Private Limited',
  TradeName: 'Sahyadri Components',
  AddrBno: '12',
  AddrFlno: '',
  AddrBnm: 'Ganesh Chambers',
  AddrSt: 'Station Road',
  AddrLoc: 'Pune',
  StateCode: 27,
  AddrPncd: 411019,
  TxpType: 'REG',
  Status: 'ACT',
  BlkStatus: 'U',
  DtDReg: null,
};

test('a registration is read with its names, address, state and PAN', () => {
  expect(readTaxpayer(GSTIN, answer)).toEqual({
    gstin: GSTIN,
    legalName: 'Sahyadri Components Private Limited',
    tradeName: 'Sahyadri Components',
    state: '27',
    pan: 'AABCS4821K',
    category: 'registered',
    kind: 'regular',
    status: 'active',
    blocked: false,
    cancelledOn: null,
    address: {
      line1: '12, Ganesh Chambers',
      line2: 'Station Road',
      city: 'Pune',
      state: '27',
      pincode: '411019',
      country: 'IN',
    },
  });
});

test('the type says what it is to others and to its holder', () => {
  const read = (more: object) => readTaxpayer(GSTIN, { ...answer, ...more });
  expect([read({ TxpType: 'COM' })?.category, read({ TxpType: 'COM' })?.kind]).toEqual(['composition', 'composition']);
  expect([read({ TxpType: 'SEZ' })?.category, read({ TxpType: 'SEZ' })?.kind]).toEqual(['sezUnit', 'sez']);
  expect(read({ TxpType: 'ISD' })?.category).toBe('isd');
  expect(read({ TxpType: 'something new' })?.category).toBe('registered');
});

test('an answer about another number, or about nobody, is none', () => {
  expect(readTaxpayer('29AAGCN5567P1ZI', answer)).toBeUndefined();
  expect(readTaxpayer(GSTIN, { ...answer, LegalName: null })).toBeUndefined();
});

test('a street alone is the first line, and what is no PIN code is left out', () => {
  const read = readTaxpayer(GSTIN, { ...answer, AddrBno: '', AddrBnm: '', AddrPncd: 0 });
  expect(read?.address).toMatchObject({ line1: 'Station Road', pincode: '' });
  expect(read?.address.line2).toBeUndefined();
});

test('a cancelled, suspended or barred registration is warned of', () => {
  const warned = (more: object) => {
    const read = readTaxpayer(GSTIN, { ...answer, ...more });
    return read && taxpayerWarnings(read);
  };
  expect(warned({})).toEqual([]);
  expect(warned({ Status: 'CNL', DtDReg: '2025-03-31' })).toEqual([expect.stringContaining('is cancelled')]);
  expect(warned({ Status: 'SUS', BlkStatus: 'B' })).toEqual([
    expect.stringContaining('is suspended'),
    expect.stringContaining('rule 138E'),
  ]);
});
