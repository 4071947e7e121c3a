import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import writeXlsx from 'write-excel-file/node';
import { masters } from '../../../contract/masters.ts';
import { readFile } from './index.ts';
import { readWorkbook } from './xlsx.ts';

const items = { name: 'item', plural: 'Items', fields: masters.item.fields };
const rowsOf = async (bytes: Buffer, size = 7): Promise<string[][]> => {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows: string[][] = [];
  for await (const { cells } of readFile(pieces, items)) rows.push([...cells]);
  return rows;
};
const refusal = (bytes: Buffer) =>
  rowsOf(bytes, 1 << 20).then(
    () => 'read',
    (error: Error) => error.message,
  );

/** A zip archive of these files. */
function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
const book = (sheet: string | Buffer, more: Readonly<Record<string, string>> = {}): Buffer =>
  zip({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/one.xml"/></Relationships>',
    'xl/worksheets/one.xml': sheet,
    ...more,
  });

test('text in UTF-8, UTF-16 and Windows-1252, with commas, semicolons and tabs', async () => {
  const rows = [
    ['Name', 'City'],
    ['Café “A”, B', 'मुंबई'],
  ];
  const csv = 'Name,City\r\n"Café “A”, B",मुंबई\r\n';
  expect(await rowsOf(Buffer.from(csv))).toEqual(rows);
  expect(await rowsOf(Buffer.from(`\uFEFF${csv}`))).toEqual(rows);
  expect(await rowsOf(Buffer.from(`\uFEFF${csv.replace(/,(?=City|मुंबई)/g, '\t')}`, 'utf16le'))).toEqual(rows);
  expect(await rowsOf(Buffer.from('Name,City\nA,B\n'.repeat(20), 'utf16le'))).toHaveLength(40);
  expect(await rowsOf(Buffer.from('Name;City\nCaf\xe9;Pune\n', 'latin1'))).toEqual([
    ['Name', 'City'],
    ['Café', 'Pune'],
  ]);
  expect(await rowsOf(Buffer.from('Name\tNote\nA\t5" pipe\n'))).toEqual([
    ['Name', 'Note'],
    ['A', '5" pipe'],
  ]);
});

test('a workbook of a spreadsheet: days, percentages, long numbers, formulas and rich text', async () => {
  const sheet = `<worksheet><sheetData>
    <row r="1"><c r="A1" t="inlineStr"><is><r><t>Na</t></r><r><t>me &amp; more</t></r></is></c><c r="C1" t="s"><v>0</v></c></row>
    <row r="3"><c r="A3" s="1"><v>46113</v></c><c r="B3" s="2"><v>0.18</v></c><c r="C3"><v>17.999999999999996</v></c>
      <c r="D3"><v>9.87654321E9</v></c><c r="E3" t="str"><f>A1&amp;"x"</f><v>made</v></c><c r="F3" t="b"><v>1</v></c></row>
  </sheetData></worksheet>`;
  const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/></cellXfs></styleSheet>`;
  const texts = '<sst><si><t>कोड</t><rPh><t>kod</t></rPh></si></sst>';
  const file = book(sheet, { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': texts });
  expect(await rowsOf(file, 100)).toEqual([
    ['Name & more', '', 'कोड'],
    ['2026-04-01', '18 %', '18', '9876543210', 'made', 'Yes'],
  ]);
  const written = await writeXlsx([
    [
      { value: 'A', type: String },
      { value: 1.5, type: Number },
    ],
  ]).toBuffer();
  expect(await rowsOf(Buffer.from(written), 1000)).toEqual([['A', '1.5']]);
});

test('files that are no sheets are refused with the name of their type', async () => {
  expect(await refusal(Buffer.alloc(0))).toBe('The file is empty');
  expect(await refusal(Buffer.from('%PDF-1.7'))).toContain('This is a PDF');
  expect(await refusal(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toContain(
    'old XLS file, or a workbook with a password',
  );
  expect(await refusal(Buffer.from('<html><table><tr><td>A'))).toContain('a web page or XML');
  expect(await refusal(Buffer.from([1, 0, 0, 0, 5, 0, 0, 9, 200]))).toContain('This is no sheet');
  expect(await refusal(zip({ 'word/document.xml': '<a/>' }))).toContain('This is no workbook');
  expect(await refusal(book('<worksheet><sheetData><row r="1"><c r="A1"').subarray(0, 300))).toContain('damaged');
  expect(await refusal(book('<worksheet><sheetData><row></sheetData>'))).toContain('damaged');
  expect(await refusal(book('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'))).toContain('damaged');
  expect(await refusal(Buffer.from('Name,City\nA,"Pune\nB,Goa\n'))).toContain(
    'The quotation mark that is opened in row 2 is not closed',
  );
  expect(await refusal(Buffer.from(`${'a,'.repeat(400)}\n`))).toContain('Row 1 has more than 300 cells');
  expect(await refusal(book('<worksheet><row r="1"><c r="ZZZ1"><v>1</v></c></row></worksheet>'))).toContain(
    'Row 1 has more than 300 cells',
  );
});

test('a workbook that grows when it is unpacked is given up', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bahi-bomb-')), 'bomb.xlsx');
  fs.writeFileSync(file, book(Buffer.alloc(20_000_000, ' ')));
  const rows = readWorkbook(file, 1_000_000);
  await expect(rows.next()).rejects.toThrow('more than 0 MB when it is unpacked');
  fs.rmSync(path.dirname(file), { recursive: true });
});
