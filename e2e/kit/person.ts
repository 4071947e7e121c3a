import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Somebody at the keyboard: keys and clicks are counted, letters and digits of what is typed are not. */
export const person = (page: Page) => {
  let acts = 0;
  const press = async (key: string) => {
    acts += 1;
    await page.keyboard.press(key);
  };
  return {
    page,
    acts: () => acts,
    press,
    click: async (role: 'button' | 'link', name: string | RegExp, within?: string) => {
      acts += 1;
      const scope = within ? page.getByRole('listitem').filter({ has: page.getByText(within, { exact: true }) }) : page;
      await scope.getByRole(role, { name }).first().click();
    },
    field: async (label: string | RegExp, text: string) => {
      acts += 1;
      await page.getByLabel(label).first().click();
      await page.keyboard.type(text);
    },
    choice: async (label: string | RegExp, value: string) => {
      acts += 1;
      await page.getByLabel(label).first().selectOption(value);
    },
    type: (text: string) => page.keyboard.type(text),
    /** Takes what is proposed for the text typed. */
    choose: async (text: string) => {
      await page.keyboard.type(text);
      await page
        .getByRole('option', { name: new RegExp(text) })
        .first()
        .waitFor();
      await press('Enter');
    },
    at: (label: string) =>
      expect
        .poll(() =>
          page.evaluate(() => {
            const control = document.activeElement as HTMLInputElement | null;
            return control?.getAttribute('aria-label') ?? control?.labels?.[0]?.textContent ?? '';
          }),
        )
        .toMatch(new RegExp(`^${label}`)),
  };
};

export type Person = ReturnType<typeof person>;
