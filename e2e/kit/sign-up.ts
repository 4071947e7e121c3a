import { expect } from 'vitest';
import type { TestServer } from '../../tools/testing/server.ts';
import type { Person } from './person.ts';

/** What is typed of a new organisation by whoever signs up for it. */
interface Typed {
  readonly email: string;
  readonly name: string;
  readonly code: string;
  readonly business?: string;
  readonly gstin?: string;
  readonly state?: string;
  readonly owner: string;
}
const PASSWORD = 'kaveri flows at dawn';

/** From the first page over the mailed link to the first screen of the organisation; every field is one key or click. */
export async function signUp(
  server: TestServer,
  { page, field, choice, press, click }: Person,
  typed: Typed,
): Promise<void> {
  const { email, name, code, business, gstin, state, owner } = typed;
  await page.goto(server.url);
  await click('link', 'Start your books');
  await page.keyboard.type(email);
  await press('Enter');
  await page.getByText('Look into your mail').waitFor();
  const link = (): string => {
    const mail = server.catcher.mails().findLast(({ recipients }) => recipients.includes(email));
    return /https?:\/\/\S+sign-up\/open#\S+/.exec(mail?.message.text ?? '')?.[0] ?? '';
  };
  await expect.poll(link).not.toBe('');
  await page.goto(link());
  await field(/^Name of the business/, name);
  await field(/^Short code/, code);
  if (business) await choice(/^Kind of business/, business);
  if (gstin) await field(/^GSTIN/, gstin);
  if (state) await choice(/^State/, state);
  await field(/^Address/, '4 Temple Street');
  await field(/^City/, 'Bengaluru');
  await field(/^PIN code/, '560001');
  await field(/^Your name/, owner);
  await field(/^Password/, PASSWORD);
  await field(/^(Once more|Again|The same|Repeat|Password again)/, PASSWORD);
  await press('Enter');
  await click('link', 'Sign in');
  await field(/^Email/, email);
  await field(/^Password/, PASSWORD);
  await press('Enter');
  await page.getByRole('link', { name }).waitFor();
}
