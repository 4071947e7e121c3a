import type { Action } from '../../contract/contract.ts';
import { Refusal } from '../../contract/errors.ts';
import { kindByCode } from '../../domain/document/kinds/index.ts';
import type { Case, Context, Row, RowName } from '../context.ts';
import { draftIsOpen, isAtPlace } from './drafts.ts';
import { allow, type Grants } from './index.ts';
import { type RowKeys, rowFinders } from './rows.ts';
import { isRowNeed, maySomewhere, type RowNeed, type Rule, type ScreenNeed } from './rule.ts';
import { wholeOrganisation } from './whole.ts';

/** A kind may be named by its code. */
const kindNamed = (name: string): string => kindByCode(name) ?? name;

type Limited = Pick<Context, 'grants' | 'locations'>;

const screenNeeds = <I>({ needs }: Rule<I>): readonly ScreenNeed<I>[] =>
  needs.filter((need): need is ScreenNeed<I> => !isRowNeed(need));
const rowNeeds = <I>({ needs }: Rule<I>): readonly RowNeed<I>[] => needs.filter(isRowNeed);

/** Parent screens that a call writes on by what its input names: where their module has ended, it is refused. */
export const screensWritten = <I>(rule: Rule<I>, input: I): readonly string[] =>
  screenNeeds(rule).flatMap(({ screens, outlivesModule }) => (outlivesModule ? [] : screens(input)));

/** Refuses who can do nothing of what a call is for, before what is asked is read. */
export function allowSomewhere(grants: Grants, rule: Rule<never>): void {
  if (!maySomewhere(grants, rule)) throw new Refusal('noAccess');
}

function allowScreens<I>(grants: Grants, { action, screens }: ScreenNeed<I>, input: I): void {
  const named = screens(input);
  if (named.length > 0) allow(grants, action(input), named);
}

/** Refuses what the input alone forbids: the actions on its screens, and what is for people of all places. */
export function allowInput<I>({ grants, locations }: Limited, rule: Rule<I>, input: I): void {
  for (const need of screenNeeds(rule)) allowScreens(grants, need, input);
  if (rule.whole) wholeOrganisation({ locations });
}

/**
 * Whether a row is there for somebody at all: it is at their place, and where they see only their own rows, it is theirs.
 * A draft is open to its author, and to others by what it is wanted for.
 */
function isOpen(context: Context, { drafts }: RowNeed<never>, row: Row): boolean {
  if (row.draft !== undefined) return draftIsOpen[drafts](context, row);
  return isAtPlace(context, row) && (row.author === context.user || context.sees({ kind: row.kind }) === 'all');
}

/** Whether somebody may do this with a row that is open to them. What they made themselves they view without a grant. */
const mayDo = (context: Context, action: Action, { kind, author }: Row): boolean =>
  (action === 'view' && author === context.user) || context.may(action, kind);

const actionWith = ({ action }: RowNeed<never>, row: Row, { user }: Context): Action =>
  typeof action === 'function' ? action(row, user) : action;

function allowRow(context: Context, need: RowNeed<never>, row: Row): void {
  if (!isOpen(context, need, row)) throw new Refusal('notFound');
  if (!mayDo(context, actionWith(need, row, context), row)) throw new Refusal('noAccess');
}

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
type AnyFinder = (trx: Trx, context: Context, key: RowKeys[RowName]) => Promise<readonly Row[]>;

async function allowKey<I>(
  trx: Trx,
  context: Context,
  need: RowNeed<I>,
  input: I,
  key: RowKeys[RowName],
): Promise<void> {
  const found = await (rowFinders[need.row] as AnyFinder)(trx, context, key);
  const isMeant = (row: Row): boolean =>
    need.among === undefined || (isOpen(context, need, row) && (need.among === 'open' || mayDo(context, 'view', row)));
  const first = found.find(isMeant);
  if (!first && need.mayBeAbsent) return;
  const isThere = first !== undefined && isOpen(context, need, first);
  if (!isThere && need.ofKind && !context.may('view', kindNamed(need.ofKind(input)))) throw new Refusal('noAccess');
  if (!first) throw new Refusal('notFound');
  allowRow(context, need, first);
}

/** Finds the rows that decide about a call, and refuses what they forbid: what is not there for the person, then the action. */
export async function allowRows<I>(context: Context, rule: Rule<I>, input: I): Promise<void> {
  const asked = rowNeeds(rule).flatMap((need) => need.by(input).map((key) => ({ need, key })));
  if (asked.length === 0) return;
  await context.inTransaction(async (trx) => {
    for (const { need, key } of asked) await allowKey(trx, context, need, input, key);
  });
}

/** Refuses what the rule does not allow with a row as it is now; the place and the kind of a draft may have changed. */
export function stillAllows(context: Context, rule: Rule<never>, name: RowName, row: Row): void {
  const needs = rowNeeds(rule).filter((need) => need.row === name);
  if (needs.length === 0) throw new Error(`the rule of this call knows no ${name}`);
  for (const need of needs) allowRow(context, need, row);
}

/** Refuses what the rule asks for in a case that the handler has found. */
export function requireCase<I>({ grants }: Pick<Context, 'grants'>, rule: Rule<I>, name: Case, input: I): void {
  const need = rule.cases[name];
  if (!need) throw new Error(`the rule of this call knows no case ${name}`);
  allowScreens(grants, need, input);
}
