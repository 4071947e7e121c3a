import { defineConfig } from 'vitest/config';
import { routes } from './tools/routes.ts';
import { LongestFirst } from './tools/testing/order.ts';

/** What is polled may take as long on a busy machine as what is waited for: a second, as is usual, failed now and then. */
const expect = { poll: { timeout: 15_000 } };
const database = { globalSetup: ['tools/testing/global.ts'], testTimeout: 30_000, hookTimeout: 60_000, expect };
const setupFiles = ['tools/testing/said.ts'];
const browserTests = ['e2e/**/*.test.ts', 'tools/testing/browser.test.ts'];

/** Two workers fit a machine of two cores, and a third where tests wait. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [routes()],
        test: {
          name: 'unit',
          setupFiles,
          include: ['domain/**/*.test.ts', 'contract/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          exclude: [...browserTests, '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'server',
          setupFiles,
          include: ['server/**/*.test.ts', 'sandbox/**/*.test.ts', 'db/**/*.test.ts'],
          isolate: false, // no file changes what another one imports; loading the server a hundred times took a minute
          maxWorkers: 3, // every sixth second of these tests is waiting: for a timeout, a poll, a process that ends
          sequence: { groupOrder: 1 }, // projects with other numbers of workers go one after the other
          ...database,
        },
      },
      {
        test: {
          name: 'browser',
          setupFiles,
          include: browserTests,
          isolate: false, // and a worker starts its browser once
          maxWorkers: 3, // every fifth second of a walk is waiting: for a paper, a message, a poll
          sequence: { groupOrder: 2 },
          ...database,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
