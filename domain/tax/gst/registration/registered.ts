import { addDays, dayInWords, financialYearOf } from '../../../base/dates.ts';
import { type Said, say } from '../../../base/say.ts';
import type { Day, RegistrationKind } from '../../../document/document.ts';

/**
 * Whether GST concerns whoever has this status. Without registration there is none: nothing is charged or claimed, a paper
 * is no tax invoice (sections 31 and 32 of the CGST Act), and no supply has a place.
 */
export const hasGst = (kind: RegistrationKind): boolean => kind !== 'unregistered';

/** Whether it charges tax and takes input credit, and files GSTR-1: who pays under composition does neither (section 10(4)). */
export const isRegular = (kind: RegistrationKind): boolean => kind === 'regular' || kind === 'sez';

/** A status that a registration has from a day on, until the next. */
export interface StatusChange {
  readonly from: Day;
  readonly kind: RegistrationKind;
}
/** The status of a registration: what it was first, and its later changes. */
export interface Status {
  readonly kind: RegistrationKind;
  readonly statuses: readonly StatusChange[];
}

/** The status on a day: that of the last change up to it. */
export const statusOn = ({ kind, statuses }: Status, day: Day): RegistrationKind =>
  statuses
    .filter(({ from }) => from <= day)
    .reduce<StatusChange>((a, b) => (b.from > a.from ? b : a), { from: '', kind }).kind;

/** Whether GST concerns it on any day. */
export const everHasGst = ({ kind, statuses }: Status): boolean => [kind, ...statuses.map((s) => s.kind)].some(hasGst);

/** What statuses are called where they are chosen and shown. */
export const statusLabels: Readonly<Record<RegistrationKind, string>> = {
  regular: 'Regular',
  composition: 'Composition',
  unregistered: 'Not registered',
  sez: 'SEZ',
};

/** Days of which both ends count; without an end they go on. */
export interface Days {
  readonly from: Day | null;
  readonly to: Day | null;
}

interface StatusProblem extends Said {
  readonly row: number;
  readonly field: 'from' | 'kind';
}
/** What is wrong with the changes of a status, by row: each has a day of its own and changes something. */
export function statusProblems({ kind, statuses }: Status): StatusProblem[] {
  const sorted = statuses.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return statuses.flatMap((change, row): StatusProblem[] => {
    if (statuses.findIndex(({ from }) => from === change.from) < row)
      return [
        { row, field: 'from', ...say('There is already a change on {{from}}', { from: dayInWords(change.from) }) },
      ];
    const before = sorted[sorted.indexOf(change) - 1]?.kind ?? kind;
    return before === change.kind
      ? [
          {
            row,
            field: 'kind',
            ...say('It is {{statusLabels}} before {{from}} already', {
              statusLabels: statusLabels[before],
              from: dayInWords(change.from),
            }),
          },
        ]
      : [];
  });
}

/**
 * What is wrong with new changes to composition, by row: who charges tax opts for a whole financial year, and who is registered
 * in it may begin with it (CGST Act section 10, rule 3). Out of it one may go on any day (rule 6).
 */
export function optionProblems(before: Status | undefined, after: Status): StatusProblem[] {
  return after.statuses.flatMap(({ from, kind }, row): StatusProblem[] => {
    const isKept = before?.statuses.some((one) => one.from === from && one.kind === kind) === true;
    if (isKept || kind !== 'composition') return [];
    const { start } = financialYearOf(from);
    const days = [start, ...after.statuses.map((one) => one.from)].filter((day) => start <= day && day < from);
    if (!days.some((day) => chargesTax(statusOn(after, day)))) return [];
    const message = say('Composition begins with a financial year, on 1 April (rule 3(3)): {{from}} is within one', {
      from: dayInWords(from),
    });
    return [{ row, field: 'from', ...message }];
  });
}
const chargesTax = (kind: RegistrationKind): boolean => hasGst(kind) && kind !== 'composition';

/** The spans of days on which two histories of a status differ, with what it was and what it becomes. */
export function statusDifferences(
  before: Status,
  after: Status,
): (Days & { readonly was: RegistrationKind; readonly is: RegistrationKind })[] {
  const days = [...new Set([...before.statuses, ...after.statuses].map(({ from }) => from))].sort();
  return [null, ...days].flatMap((from, at) => {
    const [was, is] = [statusOn(before, from ?? ''), statusOn(after, from ?? '')];
    return was === is ? [] : [{ from, to: days[at] ?? null, was, is }];
  });
}

/** Whether one of two statuses is composition and the other charges tax: registrations of one PAN opt together (section 10(2)). */
export const isMixed = (a: RegistrationKind, b: RegistrationKind): boolean =>
  hasGst(a) && hasGst(b) && (a === 'composition') !== (b === 'composition');

/** The first day on which one of two registrations of a PAN is under composition and the other is not; null: from the first on. */
export function mixedFrom(
  one: Status & { readonly stops?: readonly Stop[] },
  other: Status & { readonly stops?: readonly Stop[] },
): { readonly from: Day | null } | undefined {
  const days = [one, other].flatMap(({ statuses, stops = [] }) => [
    ...statuses.map(({ from }) => from),
    ...stops.flatMap(({ to }) => (to ? [addDays(to, 1)] : [])),
  ]);
  const isCancelled = (stops: readonly Stop[] = [], day: Day): boolean => stopOn(stops, day)?.what === 'cancelled';
  const from = [null, ...[...new Set(days)].sort()].find(
    (day) =>
      isMixed(statusOn(one, day ?? ''), statusOn(other, day ?? '')) &&
      !isCancelled(one.stops, day ?? '') &&
      !isCancelled(other.stops, day ?? ''),
  );
  return from === undefined ? undefined : { from };
}

/**
 * The status of another registration of the PAN after one of them opted for composition, or left it: both count for all places
 * of the PAN (CGST rules 3(5) and 6(7)). Its days without registration stay.
 */
export function followScheme(other: Status, before: Status, after: Status): Status {
  const spans = statusDifferences(before, after).filter(({ was, is }) => isMixed(was, is));
  const kindOn = (day: Day): RegistrationKind => {
    const own = statusOn(other, day);
    const span = spans.find(({ from, to }) => (from === null || from <= day) && (to === null || day < to));
    return span && isMixed(own, span.is) ? (span.is === 'composition' ? 'composition' : 'regular') : own;
  };
  const days = [...other.statuses.map(({ from }) => from), ...spans.flatMap(({ from, to }) => [from, to])];
  const statuses: StatusChange[] = [];
  const kind = kindOn('');
  for (const from of [...new Set(days)].sort()) {
    if (from === null) continue;
    const next = kindOn(from);
    if (next !== (statuses.at(-1)?.kind ?? kind)) statuses.push({ from, kind: next });
  }
  return { kind, statuses };
}

/** A GSTIN makes no supply with tax while it is suspended (rule 21A), and none once it is cancelled (section 29). Both ends count. */
export interface Stop {
  readonly from: Day;
  /** Empty or absent: it goes on. */
  readonly to?: Day | null | undefined;
  readonly what: 'suspended' | 'cancelled';
}

/** What stops a registration on a day. */
export const stopOn = (stops: readonly Stop[], day: Day): Stop | undefined =>
  stops.find(({ from, to }) => from <= day && (!to || day <= to));

/** The stop as a sentence without its end: 'GSTIN … is suspended from 1 Nov 2026 to 30 Nov 2026'. */
export const stopText = (gstin: string, { from, to, what }: Stop): Said =>
  to
    ? say('GSTIN {{gstin}} is {{what}} from {{from}} to {{to}}', {
        gstin,
        what,
        from: dayInWords(from),
        to: dayInWords(to),
      })
    : say('GSTIN {{gstin}} is {{what}} from {{from}}', { gstin, what, from: dayInWords(from) });

interface StopProblem extends Said {
  readonly row: number;
  readonly field: 'from' | 'to';
}
/** What is wrong with the stops typed on a registration, by row. */
export const stopProblems = (stops: readonly Stop[]): StopProblem[] =>
  stops.flatMap(({ from, to, what }, row): StopProblem[] => {
    if (to && what === 'cancelled')
      return [{ row, field: 'to', ...say('A cancelled GSTIN stays cancelled: remove the row when it is restored') }];
    if (to && to < from)
      return [{ row, field: 'to', ...say('This is not before {{from}}', { from: dayInWords(from) }) }];
    const before = stops.slice(0, row).find((s) => (!s.to || from <= s.to) && (!to || s.from <= to));
    return before
      ? [{ row, field: 'from', ...say('It is {{what}} on days of these already', { what: before.what }) }]
      : [];
  });
