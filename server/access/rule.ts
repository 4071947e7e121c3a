import type { Action } from '../../contract/contract.ts';
import { reportOf } from '../../contract/reports.ts';
import { screenCalled } from '../../contract/screens.ts';
import { kindByCode, kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import type { Case, DraftUse, Row, RowName } from '../context.ts';
import { type Grants, importNeeds, may, parentsOfKind, parentsOfMaster } from './index.ts';
import type { RowKeys } from './rows.ts';

/** An action on one of the parent screens that the input names. */
export interface ScreenNeed<I> {
  readonly action: (input: I) => Action;
  /** None: this input needs nothing here. */
  readonly screens: (input: I) => readonly string[];
  /** It is allowed also where the subscription to the module of the screens has ended. */
  readonly outlivesModule?: true;
}

/** An action on the screens of a row's kind. The engine finds the row (`rows.ts`) and checks its place first. */
export interface RowNeed<I> {
  readonly row: RowName;
  /** What the row is found by. None: this input names no such row. */
  readonly by: (input: I) => readonly RowKeys[RowName][];
  /** With a function, the action depends on the row and on who asks. */
  readonly action: Action | ((row: Row, user: string) => Action);
  /** To whom a row that is a draft is open. */
  readonly drafts: DraftUse;
  /** A row that is not there is left to the handler, which says what became of it. */
  readonly mayBeAbsent?: true;
  /** It is looked for among the rows that are open to the person, or that they may view; others are as if they were not there. */
  readonly among?: 'open' | 'viewed';
  /** The kind that the input names: who may not view it is refused for that, whether there is a row or not. */
  readonly ofKind?: (input: I) => string;
}

export type Need<I> = ScreenNeed<I> | RowNeed<I>;
export const isRowNeed = <I>(need: Need<I>): need is RowNeed<I> => 'row' in need;

/** What a call needs: all of its needs. */
export interface Rule<I = unknown> {
  readonly needs: readonly Need<I>[];
  /** Who may do none of these on any screen of documents is refused before anything is looked up; `open`: who holds no grant. */
  readonly somewhere: readonly Action[];
  /** What else is needed in cases that only the handler can tell, because the books decide. */
  readonly cases: Readonly<Partial<Record<Case, ScreenNeed<I>>>>;
  /** About the whole organisation: people limited to places may not. */
  readonly whole?: true;
  /** Only for who runs the installation, whatever their level in an organisation. */
  readonly operator?: true;
}

const nothing: Rule = { needs: [], somewhere: [], cases: {} };

/** Any signed-in user: what it answers is one's own, the law's or the shell's. `server/access/open.test.ts` holds the list. */
export const signedIn: Rule = nothing;
export const forOperator: Rule = { ...signedIn, operator: true };
/** Searches and figures of stock that an editor shows: for who holds a grant at all. */
export const atWork: Rule = { ...signedIn, somewhere: ['open'] };

/** An action on one of these parent screens. */
export const on = (action: Action, ...screens: readonly string[]): Rule => ({
  ...nothing,
  needs: [{ action: () => action, screens: () => screens }],
});
/** The same for people who are not limited to places. */
export const onWhole = (action: Action, ...screens: readonly string[]): Rule => ({
  ...on(action, ...screens),
  whole: true,
});

/** An action on the screens of the kind that the input names; undefined: the input names none, and nothing is needed. */
export const ofKind = <I>(action: Action, kind: (input: I) => string | undefined): Rule<I> => ({
  ...nothing,
  needs: [
    {
      action: () => action,
      screens: (input) => {
        const name = kind(input);
        return name === undefined ? [] : parentsOfKind(kindByCode(name) ?? name);
      },
    },
  ],
});

/** The same of a document that is posted or priced as it was typed: that goes on when the module of its kind has ended (ADR 26). */
export const ofTypedKind = <I>(action: Action, kind: (input: I) => string | undefined): Rule<I> => {
  const rule = ofKind(action, kind);
  return { ...rule, needs: rule.needs.map((need) => ({ ...need, outlivesModule: true as const })) };
};

/** An action on the screens of the kinds that a party of this side has. */
export const ofSide = (action: Action): Rule<{ readonly side: string }> => ({
  ...nothing,
  needs: [
    {
      action: () => action,
      screens: ({ side }) => {
        const sells = side === 'receivable' || side === 'customerCredit';
        const kinds = kindNames.filter((kind) => kindOf(kind).party.side === (sells ? 'customer' : 'supplier'));
        return kinds.flatMap((kind) => parentsOfKind(kind));
      },
    },
  ],
});

/** An action on the screens of the master that the input names. */
export const master = (action: Action): Rule<{ readonly master: string }> => ({
  ...nothing,
  needs: [{ action: () => action, screens: ({ master: name }) => parentsOfMaster(name) }],
});
/** To write what the input names of what files may be of. */
export const importable: Rule<{ readonly master: string }> = {
  ...nothing,
  needs: [
    {
      action: ({ master: name }: { readonly master: string }) => importNeeds(name).action,
      screens: ({ master: name }: { readonly master: string }) => importNeeds(name).screens,
    },
  ],
};
/** An action on the screens of these masters: one of them is enough. */
export const ofMaster = (action: Action, ...names: readonly string[]): Rule =>
  on(action, ...names.flatMap(parentsOfMaster));

const screensOfReport = (name: string): readonly string[] => {
  const screen = reportOf(name)?.screen;
  return screen ? [screenCalled(screen)?.parent ?? screen] : [];
};
/** The report that the input names: the action that its row asks for, or else this one. */
export const reported = (action: Action): Rule<{ readonly report: string }> => ({
  ...nothing,
  needs: [
    {
      action: ({ report }: { readonly report: string }) => reportOf(report)?.action ?? action,
      screens: ({ report }: { readonly report: string }) => screensOfReport(report),
    },
  ],
});
export const ofReport = (name: string): Rule => on('read', ...screensOfReport(name));

type OneOrMore<T> = T | undefined | readonly (T | undefined)[];
const listed = <T>(keys: OneOrMore<T>): readonly T[] =>
  (Array.isArray(keys) ? (keys as readonly (T | undefined)[]) : [keys as T | undefined]).filter(
    (key): key is T => key !== undefined,
  );

interface RowOptions<I> {
  readonly drafts?: DraftUse;
  readonly among?: 'open' | 'viewed';
  readonly ofKind?: (input: I) => string;
}

/**
 * An action on the screens of a row's kind: `ofRow('write', 'document', ({ id }) => id)` reads “to write the document with
 * this id”. Viewing needs no grant where the person made the row. A row that is not there, or not open to the person, is
 * refused as not found.
 */
export const ofRow = <R extends RowName, I>(
  action: Action,
  row: R,
  by: (input: I) => OneOrMore<RowKeys[R]>,
  { drafts = action === 'view' ? 'read' : 'edit', ...options }: RowOptions<I> = {},
): Rule<I> => ({
  ...nothing,
  needs: [{ row, action, drafts, by: (input) => listed(by(input)), ...options }],
  somewhere: action === 'view' || options.among ? [] : [action],
});

/** The row is looked for among those that the person may view. */
export const amongViewed = { among: 'viewed' } as const;

/** The same of a row that may be gone, or another sort of row: the handler says what became of it. */
export const ifRow = <R extends RowName, I>(
  action: Action | ((row: Row, user: string) => Action),
  row: R,
  by: (input: I) => OneOrMore<RowKeys[R]>,
  { drafts = 'edit', ...options }: RowOptions<I> = {},
): Rule<I> => ({
  ...nothing,
  needs: [{ row, action, drafts, by: (input) => listed(by(input)), mayBeAbsent: true, ...options }],
});

/** To edit one's own draft. Who may write nothing at all is refused before it is looked up. */
export const ofOwnDraft = <I extends { readonly TransactionId: string }>(action: Action = 'write'): Rule<I> =>
  all<I>(
    somewhere('write'),
    ifRow(action, 'draft', ({ TransactionId }) => TransactionId),
  );

/** Who may do none of these on any screen of documents is refused before anything is looked up. */
export const somewhere = (...actions: readonly Action[]): Rule => ({ ...nothing, somewhere: actions });

/** What is needed besides in a case that the handler tells (`context.require`). */
export const inCase = <I>(name: Case, { needs }: Rule<I>): Rule<I> => {
  const [need] = needs;
  if (!need || isRowNeed(need)) throw new Error('a case needs an action on screens');
  return { ...nothing, cases: { [name]: need } };
};

/** All of these. */
export const all = <I>(...rules: readonly Rule<NoInfer<I>>[]): Rule<I> => ({
  needs: rules.flatMap(({ needs }) => needs),
  somewhere: rules.flatMap((rule) => rule.somewhere),
  cases: Object.assign({}, ...rules.map(({ cases }) => cases)),
  ...(rules.some(({ whole }) => whole) && { whole: true }),
  ...(rules.some(({ operator }) => operator) && { operator: true }),
});

const ofDocuments = [...new Set(kindNames.flatMap((kind) => parentsOfKind(kind)))];

/** Whether somebody may do one of the actions that a call is for, on any screen of documents. */
export const maySomewhere = (grants: Grants, { somewhere: actions }: Rule<never>): boolean =>
  actions.length === 0 ||
  actions.some((action) => (action === 'open' ? grants.size > 0 : may(grants, action, ofDocuments)));
