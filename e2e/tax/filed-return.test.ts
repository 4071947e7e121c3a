import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths, monthEnd, periodOf } from '../../domain/base/dates.ts';
import { type Desk, openDesk } from '../kit/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.stop());

test('the page of GSTR-1 marks a month as filed, and shows it as it was stored', async () => {
  const { page, go, shop } = desk;
  const { today } = (await shop.owner.ask('GetSession', {})) as { today: string };
  const last = monthEnd(addMonths(today, -1));
  const open = (day: string) => go('gstr1', `?registration=${shop.place.registration}&period=${periodOf(day)}`);
  const offer = page.getByRole('button', { name: 'Mark as filed' });
  // a month that is not over is not filed
  await open(today);
  await page.getByText('GSTR-1 of the month', { exact: false }).waitFor();
  expect(await offer.count()).toBe(0);
  await open(last);
  await offer.click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Return', { exact: true }).inputValue()).toBe('GSTR-1');
  await dialog.getByLabel('Acknowledgement (ARN)').fill('AA291026000001A');
  await desk.cleanAtBoth('gstr1-marking');
  await dialog.getByRole('button', { name: 'Mark as filed' }).click();
  await page
    .getByText(/Marked as filed on .*, ARN AA291026000001A: shown as it was stored when it was marked/)
    .waitFor();
  expect(await offer.count()).toBe(0);
  await desk.cleanAtBoth('gstr1-filed');
  await page.getByRole('button', { name: 'As filed' }).click();
  await dialog.getByText('The books agree with the return as filed.').waitFor();
});
