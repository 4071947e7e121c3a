import { expect, test } from 'vitest';
import { kindOf } from '../kinds/index.ts';
import type { Checking } from './check.ts';
import { lettersWithoutFont, unprinted } from './letters.ts';

test('scripts of India, Europe and Arabia have letters on papers; others and pictures have none', () => {
  for (const text of [
    'Asha & Co. – ₹ 5 ½ m²',
    'आशा ट्रेडर्स',
    'ಆಶಾ ಟ್ರೇಡರ್ಸ್',
    'ஆஷா',
    'ఆశా',
    'Ωμέγα',
    'Омега',
    'شركة',
    'é\u200d',
  ])
    expect([text, unprinted(text)]).toEqual([text, []]);
  expect(unprinted('株式会社')).toEqual(['株', '式', '会', '社']);
  expect(unprinted('ไทย')).toHaveLength(3);
  expect(unprinted('Sale 🎉')).toEqual(['🎉']);
});

test('the document warns at the party, its texts and its lines, and where it has no paper not at all', () => {
  const checking = {
    draft: { narration: 'ok', lines: [{ description: 'Pump' }, { description: '泵' }] },
    facts: { party: { name: '株式会社' }, items: new Map() },
  } as unknown as Checking;
  const found = (kind: 'saleInvoice' | 'reversal') =>
    lettersWithoutFont.find({ ...checking, kind: kindOf(kind) }).map(({ field, row }) => [field, row]);
  expect(found('saleInvoice')).toEqual([
    ['party', undefined],
    ['lines.description', 1],
  ]);
  expect(found('reversal')).toEqual([]);
});
