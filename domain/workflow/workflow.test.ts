import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindNames, kindOf } from '../document/kinds/index.ts';
import {
  actionsFrom,
  type Definition,
  draftProblems,
  type FlowAction,
  isOwnApproval,
  missingFields,
  publishProblems,
  reachable,
  type Stage,
} from './definition.ts';
import { familyNames } from './families.ts';
import { fieldsIn, freeOfStages, kindsIn } from './orders.ts';
import { templates } from './templates.ts';

const roles = new Set(['clerk']);
const stage = (key: string, more: Partial<Stage> = {}): Stage => ({
  ...{ key, name: `Stage ${key}`, colour: 'neutral', slaHours: null, start: false, end: false, onward: false },
  ...{ approval: false, fields: [], facts: [], ...more },
});
const action = (from: string, to: string, more: Partial<FlowAction> = {}): FlowAction => ({
  ...{ key: `${from}-${to}`, label: `To ${to}`, from, to, roles: ['clerk'] },
  ...{ needsComment: false, confirmText: '', destructive: false, ...more },
});
const simple: Definition = {
  name: 'Simple',
  stages: [stage('a', { start: true }), stage('b'), stage('c', { end: true, onward: true })],
  actions: [action('a', 'b'), action('b', 'c')],
};
const problems = (more: Partial<Definition>) =>
  publishProblems('saleOrders', { ...simple, ...more }, roles, fieldsIn('saleOrders'));
const problemTexts = (more: Partial<Definition>) =>
  problems(more).map(({ field, row, message }) => `${field} ${row}: ${message}`);
const [a, b, c] = simple.stages as [Stage, Stage, Stage];

test('a definition with one start, an end, and ways between them is published', () => {
  expect(problemTexts({})).toEqual([]);
});

test('every template is complete but for its roles', () => {
  for (const family of familyNames)
    for (const { name, stages, actions } of templates[family]) {
      const bare = publishProblems(family, { name, stages, actions }, roles, fieldsIn(family));
      expect(bare.every(({ field }) => field === 'actions.roles')).toBe(true);
      expect(bare).toHaveLength(actions.length);
    }
});

test('what is wrong is a problem at its field', () => {
  expect(problemTexts({ stages: [] })).toEqual(['stages undefined: Add the stages']);
  expect(problemTexts({ stages: [{ ...a, start: false }, b, c] })).toEqual([
    'stages undefined: Say at which stage orders start',
  ]);
  expect(problemTexts({ stages: [a, { ...b, start: true }, c] })).toEqual([
    'stages.start 1: Orders start at one stage only',
  ]);
  expect(problemTexts({ stages: [a, b, { ...c, end: false }] })).toEqual([
    'stages undefined: Say at which stage orders end',
  ]);
  expect(problemTexts({ stages: [a, b, { ...c, onward: false }] })).toEqual([
    'stages undefined: Say at which stage documents may be made from an order',
  ]);
  expect(problemTexts({ stages: [a, b, c, stage('d')] })).toEqual([
    'stages.name 3: No order ever gets here: add an action that leads here',
    'stages.name 3: No way leads from here to an end',
  ]);
  // two stages that only lead to each other
  expect(
    problemTexts({
      stages: [a, b, c, stage('d')],
      actions: [...simple.actions, action('a', 'd'), action('d', 'b', { label: 'On' })],
    }),
  ).toEqual([]);
  expect(
    problemTexts({
      stages: [a, b, c, stage('d'), stage('e')],
      actions: [...simple.actions, action('a', 'd'), action('d', 'e'), action('e', 'd')],
    }),
  ).toEqual(['stages.name 3: No way leads from here to an end', 'stages.name 4: No way leads from here to an end']);
  expect(problemTexts({ actions: [...simple.actions, action('c', 'a')] })).toEqual([
    'actions.from 2: Orders end at “Stage c”: nothing leads on from there',
  ]);
  expect(problemTexts({ actions: [action('a', 'b', { roles: [] }), action('b', 'c', { roles: ['gone'] })] })).toEqual([
    'actions.roles 0: Say which roles may do it',
    'actions.roles 1: A role is not in use any more',
  ]);
  expect(problemTexts({ actions: [...simple.actions, action('b', 'b'), action('x', 'c', { label: ' ' })] })).toEqual([
    'actions.to 2: It must lead to another stage',
    'actions.label 3: Name is required',
    'actions.from 3: Choose a stage',
  ]);
  expect(problemTexts({ actions: [...simple.actions, action('b', 'c', { key: 'x' })] })).toEqual([
    'actions.label 2: Another action of this stage has this name',
  ]);
  expect(problemTexts({ stages: [{ ...a, name: 'stage C ', slaHours: 0 }, b, c] })).toEqual([
    'stages.name 2: Another stage has this name',
    'stages.slaHours 0: Between 1 and 8760 hours',
  ]);
  expect(problemTexts({ stages: [{ ...a, end: true }, b, { ...c, facts: ['creditOk'] }] })).toContain(
    'stages.end 0: An order does not end where it starts',
  );
  expect(problemTexts({ stages: [a, b, { ...c, approval: true }] })).toEqual([
    'stages.approval 2: Nobody approves where orders end',
  ]);
  const foreign = { ...simple, stages: [{ ...a, fields: ['transport'], facts: ['creditOk' as const] }, b, c] };
  expect(publishProblems('purchaseOrders', foreign, roles, fieldsIn('purchaseOrders'))).toMatchObject([
    { field: 'stages.fields', row: 0 },
    { field: 'stages.facts', row: 0 },
  ]);
  expect(draftProblems({ name: ' ', stages: [a, a], actions: [] })).toMatchObject([
    { field: 'name' },
    { field: 'stages.key', row: 1 },
  ]);
});

test('a user does not approve their own entry; they may reject it, and move it on where nothing is approved', () => {
  const approving = stage('new', { approval: true });
  const own = (at: Stage, more: Partial<FlowAction> = {}) => isOwnApproval(at, action('new', 'b', more), 'one', 'one');
  expect([own(approving), own(approving, { destructive: true }), own(stage('new'))]).toEqual([true, false, false]);
  expect(isOwnApproval(approving, action('new', 'b'), 'one', 'another')).toBe(false);
  // every template has a stage at which somebody else looks at the order
  for (const family of familyNames)
    for (const { stages } of templates[family])
      expect(stages.filter(({ approval }) => approval).map(({ start }) => start)).toEqual([true]);
});

const anyDefinition = fc
  .record({ count: fc.integer({ min: 2, max: 7 }), seed: fc.array(fc.nat(999), { maxLength: 30 }) })
  .map(({ count, seed }): Definition => {
    const keys = Array.from({ length: count }, (_, n) => `s${n}`);
    return {
      name: 'Any',
      stages: keys.map((key, n) => stage(key, { start: n === 0, end: n === count - 1, onward: n === count - 1 })),
      actions: seed.flatMap((n, place) => {
        const [from, to] = [keys[n % count] ?? '', keys[Math.trunc(n / count) % count] ?? ''];
        const stays = from === to || from === keys.at(-1);
        return stays ? [] : [action(from, to, { key: `a${place}`, label: `A ${place}` })];
      }),
    };
  });

test('law: what is published always leads to an end, whatever is chosen on the way', () => {
  const law = fc.property(anyDefinition, fc.array(fc.nat(99), { maxLength: 40 }), (definition, choices) => {
    fc.pre(publishProblems('saleOrders', definition, roles, []).length === 0);
    let now = 's0';
    for (const choice of choices) {
      const next = actionsFrom(definition, now);
      const isEnd = definition.stages.find(({ key }) => key === now)?.end;
      expect(next.length === 0).toBe(isEnd);
      now = next[choice % Math.max(next.length, 1)]?.to ?? now;
    }
    expect(reachable([now], definition.actions).has(definition.stages.at(-1)?.key ?? '')).toBe(true);
  });
  fc.assert(law, { numRuns: 300 });
});

test('law: what is refused has a stage that is not reached, or from which no end is', () => {
  const law = fc.property(anyDefinition, (definition) => {
    const { stages, actions } = definition;
    const whole = stages.every(
      ({ key }) => reachable(['s0'], actions).has(key) && reachable([key], actions).has(stages.at(-1)?.key ?? ''),
    );
    expect(publishProblems('saleOrders', definition, roles, []).length === 0).toBe(whole);
  });
  fc.assert(law);
});

test('fields that a stage asks for are those that the kind has and the document has not', () => {
  const asked = { fields: ['reference', 'expectedDate', 'terms'] };
  const has = ['reference', 'expectedDate'];
  expect(missingFields(asked, has, {})).toEqual(['Reference', 'Expected on']);
  expect(missingFields(asked, has, { reference: ' ', fields: { expectedDate: '2026-12-01' } })).toEqual(['Reference']);
  expect(missingFields(asked, has, { reference: 'PO 7', fields: { expectedDate: '2026-12-01' } })).toEqual([]);
});

test('every family has kinds of orders, and money is free of stages', () => {
  for (const family of familyNames) {
    expect(kindsIn(family).length).toBeGreaterThan(0);
    for (const kind of kindsIn(family)) expect(kindOf(kind).life.cycle).toBe('ordered');
  }
  expect(kindNames.filter((kind) => kindOf(kind).life.flow).length).toBe(6);
  expect([...freeOfStages].sort()).toEqual(['advancePayment', 'advanceReceipt']);
});
