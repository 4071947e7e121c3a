import type { Page } from 'playwright-core';

/** The app's router, as a page has it. */
export interface Router {
  navigate(to: { readonly href: string; readonly ignoreBlocker: boolean }): Promise<void>;
  subscribe(event: 'onRendered', then: () => void): () => void;
}

/** Dismisses toasts, which cover a part of the screen for some seconds. One that says `except` stays. */
export const dismissAll = (page: Page, except?: string): Promise<void> =>
  page.evaluate((kept) => {
    for (const button of document.querySelectorAll<HTMLElement>('.toasts [aria-label=Dismiss]'))
      if (!kept || !button.parentElement?.textContent?.includes(kept)) button.click();
  }, except);

/**
 * Opens a screen as a link in the app does, where the page shows one already, and resolves once it is drawn: anew, when it is
 * the one that is shown. A page that shows none is loaded: that costs five times as much, so only walks that are about loading
 * ask for it.
 */
export async function goTo(page: Page, url: string): Promise<void> {
  await dismissAll(page);
  const moved = await page.evaluate(async (wanted) => {
    const { __TSR_ROUTER__: router } = window as unknown as { readonly __TSR_ROUTER__?: Router };
    const { origin, pathname, search } = new URL(wanted);
    const href = `${pathname}${search}`;
    if (origin !== location.origin || !router || !document.querySelector('.shell-main')) return false;
    if (!href.startsWith('/layout/')) return false;
    const to = (where: string) =>
      new Promise<void>((drawn) => {
        const unsubscribe = router.subscribe('onRendered', () => {
          unsubscribe();
          drawn();
        });
        void router.navigate({ href: where, ignoreBlocker: true });
      });
    // what is typed there is kept as for everybody who leaves a screen, and not open again as after a reload
    if (href === `${location.pathname}${location.search}`) await to('/layout/none');
    await to(href);
    return true;
  }, url);
  if (!moved) await page.goto(url);
  // late toasts of the screen before; the one that is named is of the new screen
  else await dismissAll(page, 'Your unsaved changes are open again');
}

/** In the moment in which the answer to a call comes, before anything else is drawn, the link of the menu is clicked. */
export const goesOnAt = (page: Page, call: string, link: string): Promise<void> =>
  page.evaluate(
    ([awaited, wanted]) => {
      const { fetch } = window;
      window.fetch = async (...asked) => {
        const answer = await fetch(...asked);
        if (!String(asked[0]).includes(awaited)) return answer;
        window.fetch = fetch;
        const read = answer.json.bind(answer);
        answer.json = async () => {
          const said: unknown = await read();
          const links = [...document.querySelectorAll('nav a')] as HTMLAnchorElement[];
          links.find(({ textContent }) => textContent?.trim() === wanted)?.click();
          return said;
        };
        return answer;
      };
    },
    [call, link] as const,
  );

/** Answers to a call come only when the function it gives is called: whoever is quicker than them goes on without. */
export const holdAnswers = async (page: Page, call: string): Promise<() => void> => {
  let release = () => {};
  const released = new Promise<void>((then) => {
    release = then;
  });
  await page.route(`**/${call}*`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
};
