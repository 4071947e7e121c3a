import { expect, test } from 'vitest';
import { brokenInto, inDrawnOrder, isArabic } from './directions.ts';

const drawn = (text: string): string =>
  inDrawnOrder(text)
    .map((piece) => piece.text)
    .join('');

test.each([
  // what is read from the left stays as it is
  ['Tax invoice', 'Tax invoice'],
  ['', ''],
  ['12,34,567.50', '12,34,567.50'],
  ['Rate (₹) 5 %', 'Rate (₹) 5 %'],
  ['कर बीजक', 'कर बीजक'],
  // words change their places, letters are turned by the font
  ['فاتورة ضريبية', 'ضريبية فاتورة'],
  ['رقم الفاتورة الضريبية', 'الضريبية الفاتورة رقم'],
  // numbers and Latin words keep their own order inside
  ['ضريبة القيمة المضافة 15 %', '% 15 المضافة القيمة ضريبة'],
  ['المجموع 1,250.00 SAR', 'SAR 1,250.00 المجموع'],
  ['شركة Bahi Traders الرياض', 'الرياض Bahi Traders شركة'],
  ['تاريخ 21-11-2026 الاستحقاق', 'الاستحقاق 21-11-2026 تاريخ'],
  // brackets open on the other side
  ['القيمة (₹)', '(₹) القيمة'],
  ['(ريال)', '(ريال)'],
  // an Arabic name in an English line
  ['To شركة نجد, Riyadh', 'To نجد شركة, Riyadh'],
  ['INV نجد 15 x', 'INV 15 نجد x'],
])('%s', (text, wanted) => {
  expect(drawn(text)).toBe(wanted);
});

test('nothing is lost or made, and Arabic goes to its own font', () => {
  const text = 'فاتورة (INV/26-27/0001) بمبلغ ١٢٣، 45.00 ₹';
  expect([...drawn(text)].sort()).toEqual([...text].map((c) => c).sort());
  const pieces = inDrawnOrder(text);
  expect(pieces.filter((p) => p.arabic).map((p) => p.text)).toEqual(['،', '١٢٣', 'بمبلغ', 'فاتورة']);
  expect(isArabic('INV')).toBe(false);
  expect(isArabic('نجد')).toBe(true);
});

test('long lines are broken as they are read', () => {
  expect(brokenInto('واحد اثنان ثلاثة أربعة', 12)).toEqual(['واحد اثنان', 'ثلاثة أربعة']);
  expect(brokenInto('', 12)).toEqual([]);
});
