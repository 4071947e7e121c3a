import { spawnSync } from 'node:child_process';
import { parse } from 'csv-parse/sync';
import { money } from '../../domain/base/decimal.ts';

// The exported journal is read by hledger, an accounting program of others (Debian package hledger), which computes the
// statements itself. Where it is not installed a reader of our own stands in for it, except in `npm run check -- --all`.

/** What a reader computes from a journal; amounts in paise. */
export interface JournalReader {
  readonly name: string;
  /** Throws where a transaction does not balance, or an asserted balance is another one. */
  check(journal: string): void;
  /** What each account holds before a day: debits are more than nothing, accounts with nothing are left out. */
  balancesBefore(journal: string, day: string): ReadonlyMap<string, number>;
  /** Income less expense from one day until before another, without openings and what closes a year. */
  profit(journal: string, from: string, before: string): number;
  /** Assets less liabilities before a day. */
  netAssets(journal: string, before: string): number;
}

const run = (journal: string, words: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync('hledger', ['-f', '-', ...words], {
    input: journal,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, LANG: 'C.UTF-8' },
  });
  if (error) throw new Error(`hledger cannot be run: ${error.message}. Install it: apt-get install hledger`);
  if (status !== 0) throw new Error(`the journal is refused: ${stderr}`);
  return stdout;
};
const csv = (journal: string, ...words: string[]): string[][] =>
  parse(run(journal, [...words, '--layout=bare', '-O', 'csv']), { relax_column_count: true });
const net = (rows: readonly string[][]): number => {
  const found = rows.find(([name]) => name === 'Net:')?.at(-1);
  if (found === undefined) throw new Error('hledger says no net');
  return money(found);
};

const hledger: JournalReader = {
  name: 'hledger',
  check: (journal) => {
    run(journal, ['check', '-s', 'ordereddates']);
  },
  balancesBefore: (journal, day) =>
    new Map(
      csv(journal, 'bal', '-H', '-e', day, '--flat', '-N')
        .slice(1)
        .map(([account = '', , amount = '']) => [account, money(amount)]),
    ),
  profit: (journal, from, before) =>
    net(csv(journal, 'is', '-b', from, '-e', before, 'not:tag:clopen', 'not:tag:retain')),
  netAssets: (journal, before) => net(csv(journal, 'bs', '-e', before)),
};

interface Posting {
  readonly date: string;
  readonly tags: string;
  readonly account: string;
  readonly amount: number;
  readonly asserted?: number;
}

/** Every posting in the file's order; throws where a transaction does not balance. */
function postingsOf(journal: string): Posting[] {
  const all: Posting[] = [];
  for (const block of journal.split('\n\n')) {
    const [head = '', ...lines] = block.trim().split('\n');
    const [, date, tags = ''] = /^(\d{4}-\d\d-\d\d) .*?(?: {2}; (.*))?$/.exec(head) ?? [];
    if (date === undefined) continue;
    const own = lines.map((line) => {
      const [, account = '', amount = '', asserted] =
        /^ {4}(.+?) {2}INR (-?[\d.]+)(?: = INR (-?[\d.]+))?(?: {2};.*)?$/.exec(line) ?? [];
      return { date, tags, account, amount: money(amount), ...(asserted && { asserted: money(asserted) }) };
    });
    if (own.reduce((sum, { amount }) => sum + amount, 0) !== 0) throw new Error(`the journal is refused: ${block}`);
    all.push(...own);
  }
  return all;
}
const sumOf = (postings: readonly Posting[], accounts: RegExp): number =>
  postings.reduce((sum, { account, amount }) => sum + (accounts.test(account) ? amount : 0), 0);

const ours: JournalReader = {
  name: 'our own reader',
  check: (journal) => {
    const balances = new Map<string, number>();
    for (const { account, amount, asserted } of postingsOf(journal)) {
      const balance = (balances.get(account) ?? 0) + amount;
      if (asserted !== undefined && asserted !== balance)
        throw new Error(`the journal is refused: ${account} holds ${balance}, not ${asserted}`);
      balances.set(account, balance);
    }
  },
  balancesBefore: (journal, day) => {
    const balances = new Map<string, number>();
    for (const { date, account, amount } of postingsOf(journal))
      if (date < day) balances.set(account, (balances.get(account) ?? 0) + amount);
    return new Map([...balances].filter(([, amount]) => amount !== 0));
  },
  profit: (journal, from, before) =>
    -sumOf(
      postingsOf(journal).filter(({ date, tags }) => date >= from && date < before && !/clopen:|retain:/.test(tags)),
      /^(revenues|expenses):/,
    ),
  netAssets: (journal, before) =>
    sumOf(
      postingsOf(journal).filter(({ date }) => date < before),
      /^(assets|liabilities):/,
    ),
};

const isInstalled = spawnSync('hledger', ['--version']).status === 0;
export const journalReader: JournalReader = isInstalled || process.env.BAHI_ALL === '1' ? hledger : ours;
export const ownReader: JournalReader = ours;
