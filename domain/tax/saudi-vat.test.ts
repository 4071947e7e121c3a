import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isVatNumber, saudiVatRate, vatQr } from './saudi-vat.ts';

test('the example of the authority comes out letter by letter', () => {
  const said = {
    seller: 'Bobs Records',
    vatNumber: '310122393500003',
    at: '2022-04-25T15:30:00Z',
    total: '1000.00',
    vat: '150.00',
  };
  expect(vatQr(said)).toBe(
    'AQxCb2JzIFJlY29yZHMCDzMxMDEyMjM5MzUwMDAwMwMUMjAyMi0wNC0yNVQxNTozMDowMFoEBzEwMDAuMDAFBjE1MC4wMA==',
  );
});

test('law: whatever the name, the five parts are read back; a long name is cut between characters', () => {
  const law = fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (seller) => {
    const bytes = Buffer.from(
      vatQr({ seller, vatNumber: '310122393500003', at: 'T', total: '1.00', vat: '0.13' }),
      'base64',
    );
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
      expect(bytes[at]).toBe(parts.length + 1);
      parts.push(bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0)).toString('utf8'));
    }
    expect(seller.startsWith(parts[0] ?? 'x')).toBe(true);
    if (Buffer.byteLength(seller) <= 255) expect(parts[0] ?? '').toBe(seller);
    expect(parts.slice(1)).toEqual(['310122393500003', 'T', '1.00', '0.13']);
  });
  fc.assert(law, { numRuns: 200 });
});

test('numbers and rates are those of the law of the day', () => {
  expect(isVatNumber('310122393500003')).toBe(true);
  for (const wrong of ['210122393500003', '31012239350000', '310122393500004']) expect(isVatNumber(wrong)).toBe(false);
  expect(['2017-12-31', '2020-06-30', '2020-07-01'].map(saudiVatRate)).toEqual([undefined, 50_000, 150_000]);
});
