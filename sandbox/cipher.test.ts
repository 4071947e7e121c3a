import { constants, createCipheriv, createVerify, publicEncrypt, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { irnOf, makeKey, open, openJson, openRsa, seal, sign, wrap, x5t } from './cipher.ts';
import { kilometres, settleDistance } from './distance.ts';
import { isGstin } from './gstin.ts';
import { taxpayer } from './taxpayers.ts';
import { endOfDay, financialYear, portalTime, wayTime } from './times.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../domain/facts/samples/crypto-vectors.json', import.meta.url), 'utf8'),
);
const appKey = Buffer.from(vectors.appKeyHex, 'hex');
const sek = Buffer.from(vectors.sekHex, 'hex');

describe('published and worked vectors', () => {
  test('the session key under the AppKey', () => {
    expect(seal(appKey, sek)).toBe(vectors.Sek);
    expect(open(appKey, vectors.Sek)).toEqual(sek);
    expect(appKey.toString('base64')).toBe(vectors.appKeyInJson);
  });

  test('a request under the session key', () => {
    expect(seal(sek, Buffer.from(vectors.requestPlain))).toBe(vectors.requestData);
    expect(openJson(sek, vectors.requestData)).toEqual(JSON.parse(vectors.requestPlain));
    const nested = seal(sek, Buffer.from(Buffer.from(vectors.requestPlain).toString('base64')));
    expect(openJson(sek, nested)).toEqual(JSON.parse(vectors.requestPlain));
    expect(() => openJson(appKey, vectors.requestData)).toThrow();
  });

  test('a master answer of the e-way-bill portal', () => {
    const { rekHex, plain, rek, data, hmac } = vectors.ewbMaster;
    expect(wrap(sek, Buffer.from(rekHex, 'hex'), plain)).toEqual({ rek, data, hmac });
  });

  test('x5t is the kid in other letters', () => expect(x5t(vectors.jwtKeyId.kid)).toBe(vectors.jwtKeyId.x5t));

  test('the IRN of the vectors, whatever the case of the number', () => {
    const known = vectors.irn.slice(0, 3);
    expect(known).toHaveLength(3);
    for (const { input, irn } of known) {
      const [, gstin = '', year = '', type = '', number = ''] = /^(.{15})(.{7})(INV|CRN|DBN)(.+)$/.exec(input) ?? [];
      expect(irnOf(gstin, year, type, number)).toBe(irn);
      expect(irnOf(gstin, year, type, number.toLowerCase())).toBe(irn);
    }
  });

  test('the vector of 2022 kept lower case: the upper-casing of June 2025 gives another IRN', () => {
    expect(irnOf('01AMBPG7773M002', '2022-23', 'CRN', 'g2qxhY')).not.toBe(vectors.irn[3].irn);
  });
});

describe('signing and RSA', () => {
  const key = makeKey();

  test('a signature holds for its text and no other', () => {
    const jws = sign(key, { Irn: 'a', TotInvVal: 12.5 });
    const [header = '', payload = '', signature = ''] = jws.split('.');
    const holds = (text: string) =>
      createVerify('RSA-SHA256').update(text).verify(key.publicKey, Buffer.from(signature, 'base64url'));
    expect(holds(`${header}.${payload}`)).toBe(true);
    expect(holds(`${header}.${payload}A`)).toBe(false);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'RS256', kid: key.kid });
    const { data, iss } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect([JSON.parse(data), iss]).toEqual([{ Irn: 'a', TotInvVal: 12.5 }, 'NIC Sandbox']);
  });

  test('PKCS#1 v1.5 is undone, and only that', () => {
    const plain = randomBytes(180);
    const sealed = publicEncrypt({ key: key.publicKey, padding: constants.RSA_PKCS1_PADDING }, plain);
    expect(openRsa(key.privateKey, sealed.toString('base64'))).toEqual(plain);
    const oaep = publicEncrypt(key.publicKey, plain);
    expect(() => openRsa(key.privateKey, oaep.toString('base64'))).toThrow(/padded/);
    expect(() => openRsa(key.privateKey, 'AAAA')).toThrow();
  });

  test('a block without PKCS#7 padding is refused', () => {
    const cipher = createCipheriv('aes-256-ecb', sek, null).setAutoPadding(false);
    const block = Buffer.concat([cipher.update(Buffer.alloc(16, 0x7b)), cipher.final()]).toString('base64');
    expect(() => open(sek, block)).toThrow();
  });
});

describe('places, times, people', () => {
  test('times are Indian', () => {
    const late = new Date('2026-11-20T18:45:10Z');
    expect(portalTime(late)).toBe('2026-11-21 00:15:10');
    expect(wayTime(late)).toBe('21/11/2026 12:15:10 AM');
    expect(portalTime(endOfDay(late, 5))).toBe('2026-11-26 23:59:00');
    expect([financialYear('2020-01-03'), financialYear('2026-04-01')]).toEqual(['2019-20', '2026-27']);
  });

  test('distance: ten percent around the known one, nothing or 1 to 100 within a PIN code', () => {
    const known = kilometres(411_019, 560_038) ?? 0;
    expect(known).toBeGreaterThan(780);
    expect(settleDistance(411_019, 560_038, 0)).toEqual({ km: known, known });
    expect(settleDistance(411_019, 560_038, 842)).toEqual({ km: 842, known });
    expect(settleDistance(411_019, 560_038, 400)).toBe('tooFar');
    expect(settleDistance(411_019, 411_019, 0)).toBe('samePin');
    expect(settleDistance(411_019, 411_019, 101)).toBe('tooFar');
    expect(settleDistance(411_019, 990_001, 0)).toBe('unknown');
    expect(settleDistance(411_019, 990_001, 3000)).toEqual({ km: 3000, known: undefined });
  });

  test('a taxpayer is invented the same each time, in its own state, under one name', () => {
    expect(isGstin('27AAPFU0939F1ZV')).toBe(true);
    expect(isGstin('27AAPFU0939F1ZW')).toBe(false);
    const one = taxpayer('27AAPFU0939F1ZV')?.details;
    expect(one).toEqual(taxpayer('27AAPFU0939F1ZV')?.details);
    expect(one).toMatchObject({ StateCode: 27, AddrLoc: 'Mumbai', Status: 'ACT', TxpType: 'REG' });
    expect(taxpayer('27AAPFU0939F1ZW')).toBeUndefined();
    expect(taxpayer('27AABCS4821K1Z9')?.details).toMatchObject({ TradeName: 'Sahyadri Components', AddrPncd: 411_019 });
  });
});
