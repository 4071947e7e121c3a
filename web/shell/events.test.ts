import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { listener } from './events.ts';

test('a hundred changes while a screen is being read cause one more read, of the latest state', async () => {
  const server = { figure: 0, asked: 0 };
  const waiting: (() => void)[] = [];
  const cache = new QueryClient();
  const observer = new QueryObserver(cache, {
    queryKey: ['screen', 'figures'],
    queryFn: () => {
      server.asked += 1;
      const { figure } = server;
      return new Promise<number>((done) => waiting.push(() => done(figure)));
    },
  });
  observer.subscribe(() => undefined);
  const answer = async () => {
    for (const each of waiting.splice(0)) each();
    await new Promise((rest) => setTimeout(rest));
  };
  await answer();
  const hear = listener(cache);
  for (; server.figure < 100; server.figure++) hear({ changed: true });
  expect(server.asked).toBe(2);
  await answer();
  await answer();
  await answer();
  expect([server.asked, observer.getCurrentResult().data]).toEqual([3, 100]);
  server.figure = 101;
  hear({ changed: true });
  await answer();
  expect([server.asked, observer.getCurrentResult().data]).toEqual([4, 101]);
});
