import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Filter, type ReportName, reportNames, reports } from '../../contract/reports.ts';
import { openShop, type Shop } from '../../e2e/kit/shop.ts';
import { textOfPdf } from '../../tools/testing/paper-text.ts';
import { type TestServer, testServer } from '../../tools/testing/server.ts';

type Row = Readonly<Record<string, string>>;

let server: TestServer;
let shop: Shop;
let today: string;
beforeAll(async () => {
  server = await testServer();
  shop = await openShop(server);
  today = ((await shop.owner.ask('GetSession', {})) as { today: string }).today;
  const own = server.organisations[0];
  const pune = { registration: own?.registrations['MH'] ?? '', location: own?.locations['PUN'] ?? '' };
  const line = { item: shop.item, quantity: '2', rate: '95' };
  await shop.post({ kind: 'openingStock', ...pune, lines: [{ item: shop.item, quantity: '30', rate: '60' }] });
  for (const [place, count] of [
    [shop.place, 1],
    [pune, 3],
  ] as const)
    for (let n = 0; n < count; n += 1) {
      await shop.post({ kind: 'saleInvoice', ...place, party: shop.customer, lines: [line] });
      await shop.post({ kind: 'cashSale', ...place, lines: [line] });
    }
}, 60_000);
afterAll(() => server.stop());

const filtersOf = (name: ReportName): readonly [string, Filter][] =>
  Object.entries(reports[name].filters as Readonly<Record<string, Filter>>);
/** Reports that can be run without naming a record. The security log has no places, and each export adds a row to it. */
const placed = reportNames.filter(
  (name) => name !== 'securityLog' && filtersOf(name).every(([, { type, required }]) => !(type === 'pick' && required)),
);

const given = (name: ReportName): Record<string, string> => {
  const values: Record<string, string> = { day: today, period: today.slice(5, 7) + today.slice(0, 4) };
  return Object.fromEntries(
    filtersOf(name).flatMap(([key, { type, choices, required }]) => {
      const value = values[type] ?? choices?.[0]?.[0];
      return required && value !== undefined ? [[key, value]] : [];
    }),
  );
};

const everyRow = async (name: ReportName, place: object): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const asked = { report: name, filters: given(name), ...place, ...(after && { after }) };
    const page: { rows: Row[]; after: string | null } = await shop.owner.ask('RunReport', asked);
    rows.push(...page.rows);
    after = page.after;
  }
  return rows;
};

/** The same number in a cell of a sheet and in text. */
const amount = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text);
const narrow = (text: string) => text.replaceAll(/\s/g, '');

const differing = new Set<string>();
test.each(placed)(
  '%s as PDF, CSV and XLSX holds the rows of the screen, for each choice of places',
  async (name) => {
    const { columns } = reports[name];
    const cellsOf = (rows: readonly Row[]) => rows.map((row) => columns.map(({ key }) => String(row[key] ?? '')));
    const all = cellsOf(await everyRow(name, {}));
    for (const place of [
      {},
      { TaxLocation: 'All', SubOrgCode: 'All' },
      { TaxLocation: 'BLR' },
      { SubOrgCode: 'PUN' },
    ]) {
      const shown = cellsOf(await everyRow(name, place));
      if (JSON.stringify(shown) !== JSON.stringify(all)) differing.add(name);
      const file = async (format: 'csv' | 'xlsx' | 'pdf') => {
        const asked = { report: name, filters: given(name), format, ...place };
        return Buffer.from(((await shop.owner.ask('ExportReport', asked)) as { content: string }).content, 'base64');
      };
      const [, ...lines] = parse(await file('csv'), { bom: true, relax_column_count: false }) as string[][];
      // after the rows there is nothing but a line of totals
      expect(lines.length - shown.length).toBeLessThanOrEqual(1);
      expect(lines.slice(0, shown.length)).toEqual(shown);
      const sheet = (await readSheet(await file('xlsx'))).slice(3);
      expect(sheet.length - shown.length).toBeLessThanOrEqual(1);
      const texts = sheet
        .slice(0, shown.length)
        .map((line) => line.map((cell) => amount(cell === null ? '' : String(cell))));
      expect(texts).toEqual(shown.map((line) => line.map(amount)));
      const paper = narrow(textOfPdf(await file('pdf')));
      const here = shown.flat().map(narrow);
      expect(here.filter((cell) => !paper.includes(cell))).toEqual([]);
      // texts of other places that are no part of what is shown here; numbers may stand in totals
      const away = all
        .flat()
        .map(narrow)
        .filter((cell) => cell.length > 5 && /[^\d.,-]/.test(cell));
      const others = away.filter((cell) => !here.some((one) => one.includes(cell)));
      expect(others.filter((cell) => paper.includes(cell))).toEqual([]);
    }
  },
  60_000,
);

test('the choice of a place makes a difference to reports of money, of documents and of stock', () => {
  expect(differing.size).toBeGreaterThan(5);
  expect(server.failures).toEqual([]);
});
