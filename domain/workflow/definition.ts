import { type Said, say } from '../base/say.ts';
import { askableFields, type FactName, type FlowFamily, facts, families } from './families.ts';

/** Tones of the product's badges that a stage can have, with their words. */
export const stageColours = [
  ['neutral', 'Grey'],
  ['info', 'Blue'],
  ['warn', 'Amber'],
  ['ok', 'Green'],
  ['bad', 'Red'],
] as const;
export type StageColour = (typeof stageColours)[number][0];

export const stageTones = stageColours.map(([tone]) => tone);

export interface Stage {
  /** Stays the same from version to version, so that a list can be filtered by it. */
  readonly key: string;
  readonly name: string;
  readonly colour: StageColour;
  /** Hours after which an order should have left the stage. */
  readonly slaHours: number | null;
  readonly start: boolean;
  readonly end: boolean;
  /** Documents may be made from an order that stands here. */
  readonly onward: boolean;
  /** Who brings an order on from here approves it: whoever entered it does not. */
  readonly approval: boolean;
  /** Fields that are filled, and facts that hold, before an order leaves the stage. */
  readonly fields: readonly string[];
  readonly facts: readonly FactName[];
}

export interface FlowAction {
  readonly key: string;
  readonly label: string;
  readonly from: string;
  readonly to: string;
  /** Ids of the roles that may. */
  readonly roles: readonly string[];
  readonly needsComment: boolean;
  /** What is asked before it is done; '': nothing is asked. */
  readonly confirmText: string;
  /** Turns an order away: what is asked before leaving a stage is not asked for it. */
  readonly destructive: boolean;
}

export interface Definition {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly actions: readonly FlowAction[];
}

export const MOST_STAGES = 30;
export const MOST_ACTIONS = 100;
export const MOST_SLA_HOURS = 8760;

/** Something to mend: the field, and the row of the stage or action. */
export interface Wrong extends Said {
  readonly field: string;
  readonly row?: number;
}

const at = (field: string, row: number, message: Said): Wrong => ({ field, row, ...message });

/** The rows whose value stood in a row before. */
const repeated = (values: readonly string[]): readonly number[] =>
  values.flatMap((value, row) => (value !== '' && values.indexOf(value) < row ? [row] : []));

/** Stages that can be reached from these by actions, those themselves among them. `back`: against the direction. */
export function reachable(from: readonly string[], actions: readonly FlowAction[], back = false): ReadonlySet<string> {
  const seen = new Set(from);
  // a set is gone through in the order in which it grows
  for (const stage of seen)
    for (const action of actions)
      if ((back ? action.to : action.from) === stage) seen.add(back ? action.from : action.to);
  return seen;
}

/** What is wrong with a draft already: without it the draft could not be shown again. */
export function draftProblems({ name, stages, actions }: Definition): readonly Wrong[] {
  return [
    ...(name.trim() === '' ? [{ field: 'name', ...say('Name is required') }] : []),
    ...repeated(stages.map(({ key }) => key)).map((row) => at('stages.key', row, say('This key is used twice'))),
    ...repeated(actions.map(({ key }) => key)).map((row) => at('actions.key', row, say('This key is used twice'))),
  ];
}

/**
 * What keeps a definition from being published, each at its field: one start, at least one end, every stage reached, from
 * every stage a way to an end, and nothing that nobody could do. `roles` are the ids of roles that are in use.
 */
export function publishProblems(
  family: FlowFamily,
  definition: Definition,
  roles: ReadonlySet<string>,
  fields: readonly string[],
): readonly Wrong[] {
  if (definition.stages.length === 0)
    return [...draftProblems(definition), { field: 'stages', ...say('Add the stages') }];
  return [
    ...draftProblems(definition),
    ...stageProblems(family, definition.stages, fields),
    ...actionProblems(definition, roles),
    ...wayProblems(definition),
  ];
}

function stageProblems(family: FlowFamily, stages: readonly Stage[], fields: readonly string[]): readonly Wrong[] {
  const starts = stages.flatMap(({ start }, row) => (start ? [row] : []));
  const known: readonly string[] = families[family].facts;
  return [
    ...stages.flatMap(({ name }, row) => (name.trim() === '' ? [at('stages.name', row, say('Name is required'))] : [])),
    ...repeated(stages.map(({ name }) => name.trim().toLowerCase())).map((row) =>
      at('stages.name', row, say('Another stage has this name')),
    ),
    ...(starts.length === 0 ? [{ field: 'stages', ...say('Say at which stage orders start') }] : []),
    ...starts.slice(1).map((row) => at('stages.start', row, say('Orders start at one stage only'))),
    ...(stages.some(({ end }) => end) ? [] : [{ field: 'stages', ...say('Say at which stage orders end') }]),
    ...(stages.some(({ onward }) => onward)
      ? []
      : [{ field: 'stages', ...say('Say at which stage documents may be made from an order') }]),
    ...stages.flatMap(({ start, end }, row) =>
      start && end ? [at('stages.end', row, say('An order does not end where it starts'))] : [],
    ),
    ...stages.flatMap(({ slaHours }, row) =>
      slaHours !== null && (slaHours < 1 || slaHours > MOST_SLA_HOURS)
        ? [at('stages.slaHours', row, say('Between 1 and {{mostSlaHours}} hours', { mostSlaHours: MOST_SLA_HOURS }))]
        : [],
    ),
    ...stages.flatMap((stage, row) =>
      stage.end && (stage.fields.length > 0 || stage.facts.length > 0)
        ? [at('stages.facts', row, say('An order does not leave the stage at which it ends'))]
        : [],
    ),
    ...stages.flatMap(({ end, approval }, row) =>
      end && approval ? [at('stages.approval', row, say('Nobody approves where orders end'))] : [],
    ),
    ...stages.flatMap((stage, row) => [
      ...stage.fields
        .filter((name) => !fields.includes(name))
        .map((name) => at('stages.fields', row, say('These orders have no field {{name}}', { name }))),
      ...stage.facts
        .filter((name) => !known.includes(name))
        .map((name) =>
          at('stages.facts', row, say('“{{facts}}” is not known of these orders', { facts: facts[name].label })),
        ),
    ]),
  ];
}

function actionProblems({ stages, actions }: Definition, roles: ReadonlySet<string>): readonly Wrong[] {
  const known = new Map(stages.map((stage) => [stage.key, stage]));
  return [
    ...actions.flatMap(({ label, from, to, roles: named }, row) => [
      ...(label.trim() === '' ? [at('actions.label', row, say('Name is required'))] : []),
      ...(known.has(from) ? [] : [at('actions.from', row, say('Choose a stage'))]),
      ...(known.has(to) ? [] : [at('actions.to', row, say('Choose a stage'))]),
      ...(from !== '' && from === to ? [at('actions.to', row, say('It must lead to another stage'))] : []),
      ...(known.get(from)?.end
        ? [
            at(
              'actions.from',
              row,
              say('Orders end at “{{from}}”: nothing leads on from there', { from: known.get(from)?.name ?? '' }),
            ),
          ]
        : []),
      ...(named.length === 0 ? [at('actions.roles', row, say('Say which roles may do it'))] : []),
      ...(named.some((role) => !roles.has(role))
        ? [at('actions.roles', row, say('A role is not in use any more'))]
        : []),
    ]),
    ...repeated(actions.map(({ from, label }) => (label.trim() ? `${from}\n${label.trim().toLowerCase()}` : ''))).map(
      (row) => at('actions.label', row, say('Another action of this stage has this name')),
    ),
  ];
}

/** Every stage is reached from the start, and an end from every stage. */
function wayProblems({ stages, actions }: Definition): readonly Wrong[] {
  const keys = (all: readonly Stage[]) => all.map(({ key }) => key);
  const starts = stages.filter(({ start }) => start);
  const ends = stages.filter(({ end }) => end);
  if (starts.length !== 1 || ends.length === 0) return [];
  const reached = reachable(keys(starts), actions);
  const ending = reachable(keys(ends), actions, true);
  return stages.flatMap(({ key }, row) => [
    ...(reached.has(key)
      ? []
      : [at('stages.name', row, say('No order ever gets here: add an action that leads here'))]),
    ...(ending.has(key) ? [] : [at('stages.name', row, say('No way leads from here to an end'))]),
  ]);
}

/** The actions that lead on from a stage, in the order in which they were written. */
export const actionsFrom = ({ actions }: Pick<Definition, 'actions'>, stage: string): readonly FlowAction[] =>
  actions.filter(({ from }) => from === stage);

/** Whether a user would approve their own entry, which is never allowed. Rejecting an order is no approval. */
export const isOwnApproval = (
  { approval }: Pick<Stage, 'approval'>,
  { destructive }: Pick<FlowAction, 'destructive'>,
  author: string,
  user: string,
): boolean =>
  // versions of before there were approvals say nothing of them
  approval === true && !destructive && author === user;

/** The fields asked for at a stage that a document does not have filled, by their words. `has`: fields of its kind. */
export function missingFields(
  { fields }: Pick<Stage, 'fields'>,
  has: readonly string[],
  draft: Readonly<Record<string, unknown>>,
): readonly string[] {
  const own = (draft['fields'] ?? {}) as Readonly<Record<string, unknown>>;
  const isFilled = (value: unknown) =>
    value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
  return fields
    .filter((name) => has.includes(name) && !isFilled(draft[name]) && !isFilled(own[name]))
    .map((name) => (askableFields as Readonly<Record<string, string>>)[name] ?? name);
}
