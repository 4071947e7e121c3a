import { groupBy } from '../../../base/group.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Id } from '../../../document/document.ts';
import type { Issuing } from '../../../document/kinds/kind.ts';

/** Natures of documents in table 13 of GSTR-1, by their numbers in the portal's list. */
export const issuedNatures = {
  1: 'Invoices for outward supply',
  2: 'Invoices for inward supply from unregistered person',
  3: 'Revised Invoice',
  4: 'Debit Note',
  5: 'Credit Note',
  6: 'Receipt Voucher',
  7: 'Payment Voucher',
  8: 'Refund Voucher',
  9: 'Delivery Challan for job work',
  10: 'Delivery Challan for supply on approval',
  11: 'Delivery Challan in case of liquid gas',
  12: 'Delivery Challan in cases other than by way of supply (excluding at S no. 9 to 11)',
} as const;
export type IssuedNature = keyof typeof issuedNatures;

/** Why goods leave on a delivery challan (rule 55), and what it is counted as. */
export const challanReasons = {
  'Job work': 9,
  'Supply on approval': 10,
  'Liquid gas': 11,
  'Exhibition or fair': 12,
  'Line sales': 12,
  'Own use': 12,
  Others: 12,
} as const satisfies Readonly<Record<string, IssuedNature>>;

const same = (text: string): string => text.trim().toLowerCase();
/** Whether a reason is one of those that tell the nature, however it is capitalised. */
export const isReasonOf = (byReason: Readonly<Record<string, IssuedNature>>, reason: string): boolean =>
  Object.keys(byReason).some((name) => same(name) === same(reason));

/** What a document is counted as: by its reason, or as what stays inside a registration of ours, else as usual for its kind. */
export function natureIssued(
  { nature, inside, byReason = {} }: Issuing,
  { reason = '', isInside }: { readonly reason?: string | undefined; readonly isInside: boolean },
): IssuedNature {
  const named = Object.entries(byReason).find(([name]) => same(name) === same(reason));
  return named?.[1] ?? (isInside ? (inside ?? nature) : nature);
}

export interface Issued {
  readonly nature: IssuedNature;
  readonly series: string;
  readonly number: string;
  readonly cancelled: boolean;
}

/** A document of ours that is counted in table 13 and stands in no other. */
export interface IssuedPaper extends Issued {
  readonly id: Id;
}

/** A number of a printed document that is not in the books: void, or not yet received. */
export interface IssuedOutside extends Issued {
  readonly isVoid: boolean;
  readonly reason: string;
}

/** What blocks the return: numbers that were issued and are neither in the books nor void. */
export const outsideProblems = (outside: readonly IssuedOutside[]): (Said & { readonly document: string })[] =>
  outside
    .filter(({ isVoid }) => !isVoid)
    .map(({ number, reason }) => ({
      document: number,
      ...say('{{number}} was given at a till and is not in the books: {{reason}}', {
        number,
        reason: reason || say('not yet received'),
      }),
    }));

/** Numbers of one series without a jump between them. */
export interface Run {
  readonly nature: IssuedNature;
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly cancelled: number;
}

interface Counted extends Issued {
  readonly shape: string;
  readonly count: number;
}

const digitRuns = (number: string): RegExpMatchArray[] => [...number.matchAll(/\d+/g)];

/** The digits that count are those whose absence makes the numbers of a series most alike; the last such ones in doubt. */
function counted(documents: readonly Issued[]): Counted[] {
  const blank = (number: string, index: number): readonly [shape: string, count: number] => {
    const run = digitRuns(number)[index];
    if (!run) return [number, 0];
    return [`${number.slice(0, run.index)}#${number.slice((run.index ?? 0) + run[0].length)}`, Number(run[0])];
  };
  const most = Math.max(1, ...documents.map((d) => digitRuns(d.number).length));
  let best = { kinds: Number.POSITIVE_INFINITY, index: 0 };
  for (let index = 0; index < most; index++) {
    const kinds = new Set(documents.map((d) => blank(d.number, index)[0])).size;
    if (kinds <= best.kinds) best = { kinds, index };
  }
  return documents.map((d) => {
    const [shape, count] = blank(d.number, best.index);
    return { ...d, shape, count };
  });
}

/** The runs of numbers that were issued, by nature and series; a jump in the numbers begins a new run. */
export function issuedRuns(documents: readonly Issued[]): Run[] {
  const bySeries = groupBy(documents, (d) => `${d.nature}\n${d.series}`);
  return [...bySeries.values()]
    .flatMap((group) => runsOf(counted(group)))
    .sort((a, b) => a.nature - b.nature || (a.from < b.from ? -1 : 1));
}

function runsOf(group: readonly Counted[]): Run[] {
  const sorted = group.toSorted((a, b) => (a.shape === b.shape ? a.count - b.count : a.shape < b.shape ? -1 : 1));
  const runs: Run[] = [];
  sorted.forEach((document, i) => {
    const { nature, number, cancelled } = document;
    const before = sorted[i - 1];
    const run = runs.at(-1);
    if (run && before && before.shape === document.shape && document.count === before.count + 1)
      runs[runs.length - 1] = {
        ...run,
        to: number,
        total: run.total + 1,
        cancelled: run.cancelled + (cancelled ? 1 : 0),
      };
    else runs.push({ nature, from: number, to: number, total: 1, cancelled: cancelled ? 1 : 0 });
  });
  return runs;
}
