import { type FocusEvent, useEffect, useMemo, useRef } from 'react';
import { type AdditionalField, additionalProblems } from '../../../../domain/document/additional.ts';
import { check, checked } from '../../../../domain/document/check.ts';
import type { Limits } from '../../../../domain/document/checks/limits.ts';
import { retiredIn } from '../../../../domain/document/checks/retired.ts';
import type { Typed } from '../../../kit/fields/fieldProblems.ts';
import { answersComing, onAnswers } from '../../../kit/fields/pendingSearches.ts';
import type { LineRow } from '../../../kit/grid/rowStore.ts';
import { type Found, inLanguage, type Problem } from '../../../kit/server/api.ts';
import { type Model, namedIn } from '../model.ts';
import { allFacts, factsOf } from '../totals.ts';
import { bodyOf, draftOf, leftAt, picked, type Texts, taken, unpicked, unreadable } from '../wire.ts';

/** A problem of the server at the field and row of the screen: 'document.lines.3.rate', or 'lines.rate' with a row. */
export const placed = ({ field, row, ...said }: Problem, rowOf: readonly number[]): Problem => {
  const [, inLine, rest] = /^(?:document\.)?lines\.(?:(\d+)\.)?(.+)$/.exec(field) ?? [];
  const at = inLine === undefined ? row : Number(inLine);
  const name = (rest ?? field.replace(/^document\./, '')).replace(/^(discount|batches|serials)\..*$/, '$1');
  return at === undefined ? { ...said, field: name } : { ...said, field: name, row: rowOf[at] ?? at };
};

/** The values in the editor, by the names of problems: what is chosen and the text it is chosen by are one. */
export const heldBy = (model: Model): Typed => {
  const { kind: _, head, ...rows } = model.typed();
  const both = (row: Texts, shown: string, id: string) => [row[shown], row[id]].filter(Boolean).join(' ');
  const under = (before: string) =>
    Object.keys(head).flatMap((at) => (at.startsWith(before) ? [at.slice(before.length)] : []));
  return {
    ...head,
    // a problem names what is kept beside the columns of a document without saying that it is: 'port', not 'fields.port'
    ...Object.fromEntries(under('fields.').map((name) => [name, head[`fields.${name}`]])),
    ...Object.fromEntries(under(leftAt('')).map((name) => [name, both(head, name, leftAt(name))])),
    ...Object.fromEntries(
      Object.entries(rows).map(([list, each]) => [
        list,
        each.map((row) => ({ ...row, ...Object.fromEntries(picked.map(([to, id]) => [to, both(row, to, id)])) })),
      ]),
    ),
  };
};

/**
 * What the same check as the server's finds, warnings marked as such; undefined while facts of something picked are still on their
 * way. `limits`: other limits than those of the person's roles.
 */
const problemsOf = (
  model: Model,
  added: readonly AdditionalField[],
  limits?: Limits,
): readonly Problem[] | undefined => {
  const { head, lines, facts } = model;
  const known = lines.rows().every((row) => !row['itemId'] || facts.items.has(row['itemId']));
  const party = head.get()['party'];
  if (!known || (party && !facts.parties.has(party)) || !namedIn(model).every(facts.hasAsked)) return undefined;
  const { rowOf } = bodyOf(taken(model.typed()));
  try {
    const draft = draftOf(taken(model.typed()));
    const facts = { ...allFacts(model, draft), ...(limits && { limits }) };
    const { problems, warnings } = checked(model.kind, draft, facts, model.session.today);
    const found: readonly Found[] = [
      ...problems,
      ...additionalProblems(added, draft.additional ?? {}),
      ...warnings.map((warning) => ({ ...warning, warning: true as const })),
    ];
    return found.map((problem) => placed(inLanguage(problem), rowOf));
  } catch (problem) {
    // A figure out of range is named by the server, at its field.
    if (problem instanceof RangeError) return [];
    throw problem;
  }
};

/** The fields of the head without which no document of the kind is posted, by what the check says of a blank one. */
export const askedOf = (model: Model): ReadonlySet<string> => {
  const { kind, session } = model;
  const blank = { date: session.today, currency: 'INR', exchangeRate: '1', location: 'here', registration: 'here' };
  const wrongIn = (head: Texts) => {
    const draft = draftOf({
      ...model.typed(),
      head,
      lines: [],
      charges: [],
      adjustments: [],
      tenders: [],
      allocations: [],
    });
    return check(kind, draft, allFacts(model, draft), session.today).flatMap(({ field, row }) =>
      row === undefined ? [field] : [],
    );
  };
  // what is asked for only because no party is chosen has another way out
  const withParty = wrongIn({ ...blank, party: 'somebody' });
  return new Set(wrongIn(blank).filter((field) => field !== 'party' && withParty.includes(field)));
};

const lists = ['lines', 'charges', 'adjustments', 'tenders', 'allocations'] as const;
type List = (typeof lists)[number];

/** A field of the head by its name, a cell as 'lines/line-3/rate', a whole line as 'lines/line-3'. */
type Place = string;

/** The list and the field of a problem with a row; rows without a list of their own are the lines. */
const inList = (field: string): readonly [List, string] => {
  const [, list, rest] = /^(charges|adjustments|tenders|allocations)\.(.+)$/.exec(field) ?? [];
  return list && rest ? [list as List, rest] : ['lines', field];
};

/** Where a problem stands, the narrowest place first. */
const placesOf = (model: Model, { field, row }: Problem): readonly Place[] => {
  if (row === undefined) return [field, `fields.${field}`];
  const [list, name] = inList(field);
  const line = `${list}/${model[list].keys()[row]}`;
  return [`${line}/${name}`, line];
};

/** What somebody typed, until they leave it. Outside React: it handles every key. */
export interface Leaving {
  readonly left: ReadonlySet<Place>;
  /** The focus left a control; `inLine`: it stays in the same line. Answers whether there is something new to judge. */
  leave(inLine: boolean): boolean;
  /** Fields with problems are judged anew from now on. */
  tell(problems: readonly Problem[]): void;
  /** Follows what is typed from now on, until the function it returns is called. */
  listen(): () => void;
}

type Rows = Readonly<Record<List, readonly LineRow[]>>;
const rowsOf = (model: Model): Rows =>
  Object.fromEntries(lists.map((list) => [list, model[list].rows()])) as unknown as Rows;

const changed = (before: Texts, now: Texts): readonly string[] =>
  before === now
    ? []
    : [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
        (name) => (before[name] ?? '') !== (now[name] ?? ''),
      );

/** Follows what is typed into a model; what the facts fill in is left by no person. */
export const followLeaving = (model: Model): Leaving => {
  let head = model.head.get();
  let rows = rowsOf(model);
  const touched = new Set<Place>();
  const left = new Set<Place>();
  const isNamed = (name: string) => !name.startsWith('_') && name !== 'key';
  const follow = () => {
    const [headNow, rowsNow] = [model.head.get(), rowsOf(model)];
    if (!model.isFilling()) {
      for (const name of changed(head, headNow)) {
        const own = name.startsWith(leftAt('')) ? name.slice(leftAt('').length) : name;
        if (isNamed(own)) touched.add(own);
      }
      for (const list of lists) {
        if (rows[list] === rowsNow[list]) continue;
        const before = new Map(rows[list].map((row) => [row.key, row]));
        for (const row of rowsNow[list])
          for (const name of changed(before.get(row.key) ?? {}, row))
            if (isNamed(name)) touched.add(`${list}/${row.key}/${name}`);
      }
    }
    [head, rows] = [headNow, rowsNow];
  };
  return {
    left,
    leave: (inLine) => {
      const size = touched.size;
      for (const place of touched) {
        const [list, line, cell] = place.split('/');
        left.add(place);
        // of a line that is still being filled only what was typed is judged
        if (cell !== undefined && !inLine) left.add(`${list}/${line}`);
        if (cell === undefined || !inLine) touched.delete(place);
      }
      return size > 0;
    },
    tell: (problems) => {
      for (const problem of problems) for (const place of placesOf(model, problem).slice(0, 1)) left.add(place);
    },
    listen: () => {
      [head, rows] = [model.head.get(), rowsOf(model)];
      return model.subscribe(follow);
    },
  };
};

const isSameProblem = (one: Problem, other: Problem): boolean =>
  one.field === other.field && one.row === other.row && one.message === other.message;

/** What the document names though it is retired: that is said at once, also of a draft that was opened and not touched yet. */
export const retiredNow = (model: Model): readonly Problem[] => {
  const { rowOf } = bodyOf(taken(model.typed()));
  const draft = draftOf(taken(model.typed()));
  return retiredIn(draft, factsOf(model)).map((problem) => placed(inLanguage(problem), rowOf));
};

/** What is typed and not chosen, and what is no figure. */
export const stillOpen = (model: Model): readonly Problem[] => [
  ...unpicked(model.typed()),
  ...unreadable(model.typed()),
];

/**
 * What is typed and not chosen, what is no figure, and what the check finds in other fields; undefined while facts of something
 * picked are still on their way.
 */
export const wrongNow = (
  model: Model,
  added: readonly AdditionalField[],
  limits?: Limits,
): readonly Problem[] | undefined => {
  const found = problemsOf(model, added, limits);
  const open = stillOpen(model);
  const isOpen = ({ field, row }: Problem) => open.some((each) => each.field === field && each.row === row);
  return found && [...open, ...found.filter((problem) => !isOpen(problem))];
};

/** What is no mistake and only to be known: posting does not ask about it, so it is said while the document is typed. */
const isToKnow = ({ warning, reason }: Problem): boolean => warning === true && reason === undefined;

/**
 * Problems of the fields that were filled in and left, and warnings about the document; undefined while the server has not
 * answered all that belongs to it.
 */
export const judged = (
  model: Model,
  added: readonly AdditionalField[],
  left: ReadonlySet<Place>,
): readonly Problem[] | undefined => {
  const found = answersComing() ? undefined : wrongNow(model, added);
  if (!found) return undefined;
  const retired = retiredNow(model);
  const isRetired = (problem: Problem) => retired.some((each) => isSameProblem(each, problem));
  const isLeft = (problem: Problem) => placesOf(model, problem).some((place) => left.has(place));
  return found.filter((problem) => isLeft(problem) || isRetired(problem) || isToKnow(problem));
};

const lineOf = (target: EventTarget | null): string | undefined =>
  target instanceof HTMLElement ? target.dataset['row'] : undefined;
const gridOf = (target: EventTarget | null): Element | null =>
  target instanceof HTMLElement ? target.closest('.line-grid') : null;

const presses = ['pointerdown', 'pointerup', 'pointercancel'] as const;

/**
 * Judges what somebody has filled in when they leave it: a field of the head and a cell at once, what a line lacks when the
 * line is left. Fields that were only passed by are not judged before posting. `say` gets what is wrong.
 */
export const useJudging = (
  model: Model,
  added: readonly AdditionalField[],
  say: (found: readonly Problem[]) => void,
): { onBlur(event: FocusEvent<HTMLElement>): void; tell(problems: readonly Problem[]): void } => {
  const latest = useRef({ added, say });
  latest.current = { added, say };
  const work = useMemo(() => {
    const leaving = followLeaving(model);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waiting = false;
    let pressed = false;
    const judge = () => {
      // a message moves the fields below it: not under a pointer that is about to let go
      const found = pressed ? undefined : judged(model, latest.current.added, leaving.left);
      waiting = found === undefined;
      if (found) latest.current.say(found);
    };
    // after the key: what follows from a pick is filled in by then, and the next field has the focus
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(judge);
    };
    const again = () => waiting && soon();
    // what came may say something of a field that nobody leaves any more
    const press = ({ type }: Event) => {
      pressed = type === 'pointerdown';
      if (!pressed) again();
    };
    return {
      onBlur: ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
        // another window has the focus: the person comes back to the same field
        if (!document.hasFocus()) return;
        const line = lineOf(target);
        const inLine = line !== undefined && line === lineOf(relatedTarget) && gridOf(target) === gridOf(relatedTarget);
        if (leaving.leave(inLine)) soon();
      },
      tell: leaving.tell,
      listen: () => {
        const stops = [leaving.listen(), model.facts.subscribe(soon), onAnswers(again), () => clearTimeout(timer)];
        for (const type of presses) window.addEventListener(type, press, true);
        return () => {
          for (const stop of stops) stop();
          for (const type of presses) window.removeEventListener(type, press, true);
        };
      },
    };
  }, [model]);
  useEffect(() => work.listen(), [work]);
  return work;
};
