import { monthEnd } from '../base/dates.ts';
import { moneyText } from '../base/decimal.ts';
import { type Paise, paise } from '../base/money.ts';
import type { Day } from '../document/document.ts';

// The books as a plain-text journal that hledger reads (https://hledger.org/hledger.html, sections on the journal format,
// account types, tags and balance assertions). Debits are positive. A balance assertion at the end of each month makes a
// file with a wrong or missing entry fail to load.

export type JournalNature = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

/** An account of the journal: a ledger, or what one party holds on a ledger. `key` is what entries name. */
export interface JournalAccount {
  readonly key: string;
  readonly nature: JournalNature;
  /** The groups above it, the highest first. */
  readonly groups: readonly string[];
  readonly name: string;
  /** Unique among ledgers, and among parties. Accounts of the same name have it after their names. */
  readonly code: string;
}

export interface JournalEntry {
  readonly account: string;
  /** Positive for a debit. */
  readonly amount: Paise;
  /** The same in another currency, as text: `USD 100.00`. */
  readonly foreign?: string;
}

/** The entries that one document has on one day. */
export interface JournalTransaction {
  readonly date: Day;
  readonly number: string;
  readonly label: string;
  readonly party?: string;
  readonly id: string;
  /** Closes a year, or reverses that: an income statement leaves it out. */
  readonly closes?: true;
  readonly entries: readonly JournalEntry[];
}

const tops: Readonly<Record<JournalNature, readonly [name: string, type: string]>> = {
  asset: ['assets', 'A'],
  liability: ['liabilities', 'L'],
  equity: ['equity', 'E'],
  income: ['revenues', 'R'],
  expense: ['expenses', 'X'],
};

/** Two blanks end an account's name, a colon begins a level, a semicolon a comment. */
const cleaned = (text: string): string =>
  text
    .replace(/[:;|\p{C}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim() || '-';
/** A bracket ends a code, a comma the value of a tag. */
const codeText = (text: string): string => cleaned(text).replaceAll(')', ']');
const tagText = (text: string): string => cleaned(text).replaceAll(',', ' ');

const accountName = (account: JournalAccount, own: string): string =>
  [tops[account.nature][0], ...account.groups.map(cleaned), cleaned(own)].join(':');

/** The name of each account by its key. Names that differ in case only, or not at all, have their codes after them. */
export function journalNames(accounts: readonly JournalAccount[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  for (const account of accounts) {
    const name = accountName(account, account.name).toLowerCase();
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const isAlone = (name: string): boolean => times.get(name.toLowerCase()) === 1;
  const taken = new Set([...times.keys()].filter(isAlone));
  const free = (account: JournalAccount): string => {
    const name = accountName(account, `${account.name} - ${account.code}`);
    let tried = name;
    for (let n = 2; taken.has(tried.toLowerCase()); n++) tried = `${name} ${n}`;
    taken.add(tried.toLowerCase());
    return tried;
  };
  return new Map(
    accounts.map((account) => {
      const name = accountName(account, account.name);
      return [account.key, isAlone(name) ? name : free(account)];
    }),
  );
}

const money = (amount: number): string => `INR ${moneyText(amount)}`;
const posting = (name: string, rest: string): string => `    ${name}  ${rest}`;

export interface JournalHead {
  readonly organisation: string;
  readonly from: Day;
  readonly to: Day;
  /** What a reader must know of these books, a sentence each. */
  readonly notes: readonly string[];
}

/** The lines before the first transaction. */
export function* journalHead(
  { organisation, from, to, notes }: JournalHead,
  accounts: readonly JournalAccount[],
  names: ReadonlyMap<string, string>,
): Generator<string> {
  yield `; ${cleaned(organisation)}, ${from} to ${to}`;
  yield '; Amounts are in rupees; a debit is positive. Party accounts lie below their ledgers.';
  yield '; Income and expense without openings and closings: hledger is not:tag:clopen not:tag:retain';
  for (const note of notes) yield `; ${cleaned(note)}`;
  yield '';
  yield 'decimal-mark .';
  yield 'commodity INR 1,00,00,000.00';
  for (const [name, type] of Object.values(tops)) yield `account ${name}  ; type: ${type}`;
  for (const { key, code } of accounts) yield `account ${names.get(key)}  ; code: ${tagText(code)}`;
}

/** The opening balances as one transaction on the first day; no lines where no account has one. */
export function* journalOpening(
  from: Day,
  openings: readonly JournalEntry[],
  names: ReadonlyMap<string, string>,
): Generator<string> {
  const held = openings.filter(({ amount }) => amount !== 0);
  if (held.length === 0) return;
  yield '';
  yield `${from} Opening balances  ; clopen:`;
  for (const { account, amount } of held) yield posting(names.get(account) ?? account, money(amount));
}

function* transactionLines(transaction: JournalTransaction, names: ReadonlyMap<string, string>): Generator<string> {
  const { date, number, label, party, id, closes, entries } = transaction;
  const about = party === undefined ? cleaned(label) : `${cleaned(party)} | ${cleaned(label)}`;
  yield '';
  yield `${date} (${codeText(number)}) ${about}  ; id: ${id}${closes ? ', retain:' : ''}`;
  for (const { account, amount, foreign } of entries)
    yield posting(
      names.get(account) ?? account,
      `${money(amount)}${foreign === undefined ? '' : `  ; foreign: ${tagText(foreign)}`}`,
    );
}

/** The transactions and the balances after them. Transactions are given in the order of their dates. */
export class JournalBody {
  readonly #names: ReadonlyMap<string, string>;
  readonly #to: Day;
  readonly #balances = new Map<string, number>();
  readonly #moved = new Set<string>();
  /** The last day of the month of the last transaction. */
  #month: Day;

  constructor(from: Day, to: Day, openings: readonly JournalEntry[], names: ReadonlyMap<string, string>) {
    this.#names = names;
    this.#to = to;
    this.#month = monthEnd(from);
    for (const { account, amount } of openings) this.#add(account, amount);
  }

  #add(account: string, amount: Paise): void {
    this.#balances.set(account, (this.#balances.get(account) ?? 0) + amount);
    this.#moved.add(account);
  }

  /** Its lines, after those that assert the balances of the months that ended before it. */
  *add(transaction: JournalTransaction): Generator<string> {
    if (transaction.date > this.#month) {
      yield* this.#asserted(this.#month);
      this.#month = monthEnd(transaction.date);
    }
    for (const { account, amount } of transaction.entries) this.#add(account, amount);
    yield* transactionLines(transaction, this.#names);
  }

  /** The balances of the last month, by the file's last day. */
  *end(): Generator<string> {
    yield* this.#asserted(this.#month < this.#to ? this.#month : this.#to);
  }

  *#asserted(day: Day): Generator<string> {
    if (this.#moved.size === 0) return;
    yield '';
    yield `${day} Balances`;
    for (const account of this.#moved)
      yield posting(
        this.#names.get(account) ?? account,
        `${money(0)} = ${money(paise(this.#balances.get(account) ?? 0))}`,
      );
    this.#moved.clear();
  }
}
