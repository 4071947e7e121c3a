import { dayInWords, monthInWords } from '../../../domain/base/dates.ts';
import { postsNothing } from '../../../domain/books/legs.ts';
import type { Kind } from '../../../domain/document/kinds/kind.ts';
import { rupees } from '../../kit/format.ts';
import { plural, t } from '../../kit/text.ts';

interface Cancelled {
  readonly number: string;
  readonly date: string;
  readonly entries: readonly unknown[];
  readonly movements: readonly unknown[];
  readonly links: readonly {
    readonly role: string;
    readonly number: string;
    readonly amount: string | null;
    readonly allowance?: string | undefined;
  }[];
}

export interface Consequences {
  /** Sentences, in the order in which they matter. */
  readonly says: readonly string[];
  /** What it settles or is settled with, each with its amount: it is refused unless they are freed. */
  readonly settled: readonly string[];
  /** Why it cannot be cancelled, where that is known: what to do first. */
  readonly blocked: readonly string[];
}

const counted = (many: number, one: string, more: string): string =>
  plural(many, 'Its {{one}} is', 'Its {{count}} {{more}} are', { one, more });

/** What cancelling a document does, before anybody says why; `isReturned`: a GST return shows it. */
export const consequencesOf = (document: Cancelled, isReturned: boolean): Consequences => {
  const { number, date, entries, movements, links } = document;
  const day = dayInWords(date);
  const settled = links
    .filter(({ role }) => role === 'allocation')
    .map(({ number: other, amount }) => (amount === null ? other : `${other} (${rupees(amount)})`));
  const says = [
    t('The number {{number}} stays used, and is shown as cancelled.', { number }),
    ...(entries.length > 0
      ? [t('{{entries}} reversed on {{day}}.', { entries: counted(entries.length, 'entry', 'entries'), day })]
      : []),
    ...(movements.length > 0
      ? [
          t('{{movements}} taken back on {{day}}.', {
            movements: counted(movements.length, 'stock movement', 'stock movements'),
            day,
          }),
        ]
      : []),
    ...(entries.length + movements.length === 0
      ? [t('It has posted neither money nor goods. Its reservations are released.')]
      : []),
    ...(isReturned
      ? [
          t('It is no longer in the GST return of {{date}}, unless that is filed already.', {
            date: monthInWords(date),
          }),
        ]
      : []),
  ];
  const blocked = links.flatMap(({ number: other, allowance }) =>
    allowance === undefined
      ? []
      : [
          t(
            '{{allowance}} of {{other}} is a discount or write-off on it, and no money: cancel {{other}} first, and enter it again.',
            { allowance: rupees(allowance), other },
          ),
        ],
  );
  return { says, settled, blocked };
};

const movesNothing = 'They have posted neither money nor goods. Their reservations are released.';

/** The same for several documents of a kind, whose entries are not known one by one: each is reversed on its own day. */
export const consequencesOfMany = (kind: Kind, days: readonly string[], isReturned: boolean): readonly string[] => {
  const on = plural(new Set(days).size, 'on {{days}}', 'on the day of its document', {
    days: dayInWords(days[0] ?? ''),
  });
  const months = new Set(days.map((day) => day.slice(0, 7)));
  const returned = plural(months.size, 'return of {{days}}', 'returns of their months', {
    days: monthInWords(days[0] ?? ''),
  });
  const [posts, moves] = [!postsNothing(kind), kind.stock.effect !== 'none' && kind.stock.effect !== 'reserve'];
  return [
    t('The numbers stay used, and are shown as cancelled.'),
    ...(posts ? [t('Each entry is reversed {{on}}.', { on })] : []),
    ...(moves ? [t('Each stock movement is taken back {{on}}.', { on })] : []),
    ...(posts || moves ? [] : [movesNothing]),
    ...(isReturned
      ? [t('They are no longer in the GST {{returned}}, unless that is filed already.', { returned })]
      : []),
  ];
};

/** The same for a bill of a till: what was paid comes out of the till at which it is cancelled. */
export const consequencesOfBill = (
  number: string,
  date: string,
  { stock }: Pick<Kind, 'stock'>,
  isReturned: boolean,
): readonly string[] => [
  t('The number {{number}} stays used, and is shown as cancelled.', { number }),
  t('Its entries are reversed on {{date}}. The money is paid out of this till.', { date: dayInWords(date) }),
  ...(stock.effect === 'none' ? [] : [t('Its goods are in stock again from {{date}} on.', { date: dayInWords(date) })]),
  ...(isReturned
    ? [t('It is no longer in the GST return of {{date}}, unless that is filed already.', { date: monthInWords(date) })]
    : []),
];
