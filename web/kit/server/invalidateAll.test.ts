import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { invalidateAll } from './invalidateAll.ts';

/** A screen whose data the server gives as they stood when it was asked; `answer` lets the oldest question be answered. */
function screen() {
  const server = { state: 'sending' };
  const waiting: (() => void)[] = [];
  const cache = new QueryClient();
  const observer = new QueryObserver(cache, {
    queryKey: ['screen', 'document'],
    queryFn: () => {
      const { state } = server;
      return new Promise<string>((done) => waiting.push(() => done(state)));
    },
  });
  observer.subscribe(() => undefined);
  const answer = async () => {
    waiting.shift()?.();
    await new Promise((rest) => setTimeout(rest));
  };
  return { server, cache, answer, shown: () => observer.getCurrentResult().data, asked: () => waiting.length };
}

test('what was asked for the first time before the change is asked once more', async () => {
  const { server, cache, answer, shown, asked } = screen();
  server.state = 'registered';
  const done = invalidateAll(cache);
  await answer();
  expect(asked()).toBe(1);
  await answer();
  await done;
  expect(shown()).toBe('registered');
});

test('what is shown already is asked once', async () => {
  const { server, cache, answer, shown, asked } = screen();
  await answer();
  server.state = 'registered';
  const done = invalidateAll(cache);
  await answer();
  await done;
  expect(shown()).toBe('registered');
  expect(asked()).toBe(0);
});
