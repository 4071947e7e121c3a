import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { reachOfPdf, textOfPdf } from '../../tools/testing/paper-text.ts';
import {
  type Paper,
  type PaperColumn,
  printPaper,
  printSheet,
  type Sheet,
  stopPrinter,
  type TableRow,
} from './index.ts';

const paper: Paper = {
  title: 'Tax invoice',
  copy: 'Original for recipient',
  notices: ['Tax is payable on reverse charge: No'],
  seller: {
    heading: 'Supplier',
    lines: ['Sharma Traders Private Limited शर्मा', '12 Residency Road, Bengaluru 560025', 'GSTIN 29AABCS1234C1Z5'],
  },
  facts: [
    { label: 'Number', value: 'INV/26-27/0001' },
    { label: 'Date', value: '21-11-2026' },
  ],
  parties: [{ heading: 'Bill to', lines: ['Asha Traders', 'MG Road, Pune 411001'] }],
  table: {
    columns: [
      { label: '#', width: 16 },
      { label: 'Description', width: '*' },
      { label: 'Amount (₹)', width: 80, right: true },
    ],
    rows: Array.from({ length: 60 }, (_, i) => [`${i + 1}`, 'चाय Widget', '12,34,567.50']),
  },
  sums: [{ label: 'Total', amount: '₹ 12,34,567.50', strong: true }],
  words: 'Rupees twelve lakh thirty-four thousand five hundred sixty-seven and fifty paise only',
  einvoice: {
    irn: 'a'.repeat(64),
    ackNo: '112010000011',
    ackDate: '2026-11-21 10:00',
    qr: `eyJ.${'x'.repeat(800)}.sig`,
  },
};

const headOf = (title: string): Sheet => ({
  title,
  organisation: 'Sharma',
  subtitle: 'to 21-11-2026',
  columns: [
    { label: 'Ledger', width: '*' },
    { label: 'Amount', width: 80, right: true },
  ],
});

afterAll(stopPrinter);

const names = {
  Bengali: 'শ্রী গণেশ ট্রেডার্স',
  Gujarati: 'શ્રી ગણેશ ટ્રેડર્સ',
  Gurmukhi: 'ਸ਼੍ਰੀ ਗਣੇਸ਼ ਟ੍ਰੇਡਰਜ਼',
  Kannada: 'ಶ್ರೀ ಗಣೇಶ್ ಟ್ರೇಡರ್ಸ್',
  Malayalam: 'ശ്രീ ഗണേഷ് ട്രേഡേഴ്സ്',
  Oriya: 'ଶ୍ରୀ ଗଣେଶ ଟ୍ରେଡର୍ସ',
  Tamil: 'ஸ்ரீ கணேஷ் டிரேடர்ஸ்',
  Telugu: 'శ్రీ గణేష్ ట్రేడర్స్',
};

test.each(Object.entries(names))(
  '%s: a name is printed in its letters, wherever it is on the paper',
  async (script, name) => {
    const columns: PaperColumn[] = [
      { label: 'Description', width: '*' },
      { label: 'Unit', width: 'auto' },
    ];
    const print = (text: string, size: 'A4' | 'A5' | 'roll' = 'A4') =>
      printPaper({
        ...paper,
        parties: [{ heading: 'To', lines: [text, 'MG Road'] }],
        facts: [{ label: 'Reference', value: text }],
        table: { columns, rows: [[text, text]] },
        style: { size, colour: '#1a2230', signatory: text, footer: text },
        narration: text,
        terms: text,
        signatory: text,
      });
    const bytes = Buffer.from(await print(name));
    const text = textOfPdf(bytes);
    for (const letter of new Set(name.match(/\p{L}/gu))) expect(text, letter).toContain(letter);
    expect(bytes.toString('latin1')).toContain(`NotoSans${script}-Bold`);
    // other papers hold neither the font nor its letters
    const plain = Buffer.from(await print('Ganesh Traders')).toString('latin1');
    expect(plain).not.toContain(`NotoSans${script}`);
    for (const size of ['A5', 'roll'] as const)
      expect(Buffer.from(await print(name, size)).toString('latin1')).toContain(`NotoSans${script}`);
  },
  60_000,
);

test('names in several scripts are printed on one report and on labels', async () => {
  const rows: TableRow[] = Object.values(names).map((name) => ({ cells: [name, '1.00'] }));
  const sheet = Buffer.from(await printSheet(headOf('Customers'), rows)).toString('latin1');
  for (const script of Object.keys(names)) expect(sheet).toContain(`NotoSans${script}-`);
}, 60_000);

test('a paper of several pages is a PDF that holds its fonts', async () => {
  const bytes = Buffer.from(await printPaper(paper));
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(bytes.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length).toBeGreaterThan(1);
  expect(bytes.toString('latin1')).toContain('NotoSans');
}, 60_000);

test('S-43: a picture that is a path or an address is neither read nor fetched, and text stays text (Node 20 has no lasting permission ' +
  'model: the printer holds these two policies)', async () => {
  let asked = 0;
  const elsewhere = http.createServer((_, answer) => {
    asked += 1;
    answer.end();
  });
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/logo.png`;
  const look = { size: 'A4', colour: '#1a2230', signatory: 'Sharma', footer: '' } as const;
  for (const picture of ['/etc/passwd', '../../package.json', 'file:///etc/passwd', `${import.meta.filename}`, address])
    await expect(printPaper({ ...paper, style: { ...look, logo: { picture, place: 'left' } } })).rejects.toThrow();
  const typed = `{"image":"${address}"}`;
  const printed = await printPaper({ ...paper, seller: { heading: 'Supplier', lines: [typed, address] } });
  expect(textOfPdf(Buffer.from(printed))).toContain('"image"');
  expect(asked).toBe(0);
  elsewhere.close();
}, 60_000);

test('crores and words without an end are not cut off', async () => {
  const figure = (label: string): PaperColumn => ({ label, width: 'auto', right: true });
  const long = 'SUPERCALIFRAGILISTICEXPIALIDOCIOUSPARTNUMBERWITHOUTANYBREAK';
  const crores = '99,99,99,99,999.99';
  const columns = [
    { label: 'Description', width: '*' } as const,
    ...['HSN/SAC', 'Unit', 'Qty', 'Rate (USD)', 'Discount', 'GST %', 'Taxable (₹)'].map(figure),
  ];
  const rows = [[long, '85395000', 'NOS', '99,99,999.123456', '99,99,999.123456', crores, '18', crores]];
  const blocks = [
    { heading: 'To', lines: [long, '14 Market Road'] },
    { heading: 'Delivered to', lines: ['Godown 7'] },
  ];
  const facts = [...paper.facts, { label: 'Reference', value: long }];
  const bytes = Buffer.from(await printPaper({ ...paper, parties: blocks, facts, table: { columns, rows } }));
  expect(reachOfPdf(bytes)).toBeGreaterThan(500);
  expect(reachOfPdf(bytes)).toBeLessThan(565);
  for (const part of ['99,99,999.123456', crores, 'Godown 7']) expect(textOfPdf(bytes)).toContain(part);
  for (const part of long.match(/.{8}/g) ?? []) expect(textOfPdf(bytes)).toContain(part);
}, 60_000);

test.each(['A5', 'roll'] as const)(
  'the same on %s: nothing is cut off, and the look is that of the template',
  async (size) => {
    const style = {
      size,
      colour: '#0f766e',
      signatory: 'For the partners',
      footer: 'Goods once sold are not taken back',
    };
    const figure = (label: string): PaperColumn => ({ label, width: 'auto', right: true });
    const columns = [
      { label: 'Description', width: '*' } as const,
      ...['HSN/SAC', 'Qty', 'Rate', 'GST %', 'Taxable (₹)'].map(figure),
    ];
    const rows = Array.from({ length: 30 }, (_, n) => [
      `Bulb number ${n}`,
      '85395000',
      '1,000',
      '99,999.50',
      '18',
      '99,99,99,999.99',
    ]);
    const bytes = Buffer.from(await printPaper({ ...paper, signatory: 'Sharma', style, table: { columns, rows } }));
    const text = textOfPdf(bytes);
    expect(reachOfPdf(bytes)).toBeLessThan(size === 'A5' ? 420 : 227);
    for (const part of ['Bulb number 29', '99,99,99,999.99', 'For the partners', 'Goods once sold'])
      expect(text).toContain(part);
    expect(text).not.toContain('Authorised signatory');
  },
  60_000,
);

test.each(['A4', 'A5', 'roll'] as const)(
  'Arabic on %s is shaped by its own font and stays on the page, however narrow the place',
  async (size) => {
    const style = { size, colour: '#1a2230', signatory: 'Authorised signatory', footer: '' };
    const buyer = 'Najd Trading Establishment شركة نجد للتجارة والمقاولات المحدودة';
    const bytes = Buffer.from(
      await printPaper({
        ...{ ...paper, style, signatory: 'Sharma', narration: 'شكرا لتعاملكم معنا' },
        also: { 'Tax invoice': 'فاتورة ضريبية', Number: 'الرقم', Date: 'تاريخ الاستحقاق', Total: 'المجموع' },
        parties: [{ heading: 'To', lines: [buyer, 'شارع الملك فهد 15'] }],
        table: {
          columns: paper.table?.columns ?? [],
          rows: [['1', 'LED bulb مصباح ليد 9 واط (أبيض)', '99,99,99,999.99']],
        },
      }),
    );
    expect(bytes.toString('latin1')).toContain('NotoSansArabic');
    expect(reachOfPdf(bytes)).toBeLessThan({ A4: 565, A5: 420, roll: 227 }[size]);
    const text = textOfPdf(bytes);
    for (const part of ['Tax invoice', 'Najd', '15', '99,99,99,999.99']) expect(text).toContain(part);
  },
  60_000,
);

test('a report prints, and two at once do not mix', async () => {
  const sheet = (title: string) => printSheet(headOf(title), [{ cells: [title, '1.00'], strong: true }]);
  const [one, two] = await Promise.all([sheet('Trial balance'), sheet('Balance sheet')]);
  expect(Buffer.from(one).toString('latin1')).not.toBe(Buffer.from(two).toString('latin1'));
}, 60_000);

test('a report of many messages prints every row once and in order', async () => {
  const rows = Array.from({ length: 2500 }, (_, i) => ({ cells: [`Row${i}x`, '1.00'] }));
  const text = textOfPdf(Buffer.from(await printSheet(headOf('Day book'), rows)));
  expect([...text.matchAll(/Row(\d+)x/g)].map(([, n]) => Number(n))).toEqual(rows.map((_, i) => i));
}, 60_000);

test('a printer that ends fails what it was asked, and the next paper has another one', async () => {
  const lost = printPaper(paper);
  stopPrinter();
  await expect(lost).rejects.toThrow('The printer ended: SIGKILL');
  expect(
    Buffer.from(await printPaper(paper))
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
}, 60_000);
