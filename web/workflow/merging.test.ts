import { expect, test } from 'vitest';
import { type Definition, draftProblems } from '../../domain/workflow/definition.ts';
import { templates } from '../../domain/workflow/templates.ts';
import { differences } from '../views/master/values.ts';
import { newAction, newStage } from './flow.ts';
import { apart } from './merging.ts';

const opened = templates.saleOrders.find(({ stages }) => stages.length > 3) as Definition;
const plain = ({ name, stages, actions }: Definition): Definition => ({ name, stages, actions });
const stage = (of: Definition, row: number, more: object): Definition => ({
  ...plain(of),
  stages: of.stages.map((each, at) => (at === row ? { ...each, ...more } : each)),
});
const action = (of: Definition, row: number, more: object): Definition => ({
  ...plain(of),
  actions: of.actions.map((each, at) => (at === row ? { ...each, ...more } : each)),
});
const without = (of: Definition, row: number): Definition => {
  const { key } = of.stages[row] ?? { key: '' };
  return {
    ...plain(of),
    stages: of.stages.filter((each) => each.key !== key),
    actions: of.actions.filter(({ from, to }) => from !== key && to !== key),
  };
};
/** The question, its details, and the result when the other side's values are taken for the fields named. */
const merge = (mine: Definition, theirs: Definition, taken: readonly string[] = []) => {
  const sides = apart(opened, mine, theirs, { approver: 'Approver', owner: 'Owner' });
  const { both, others, merged } = differences(sides.fields, sides.opened, sides.mine, sides.theirs);
  const chosen = Object.fromEntries(
    both.map((each) => [each.field, taken.includes(each.field) ? each.theirs : each.mine]),
  );
  return {
    asked: both.map(({ field }) => field),
    shown: others.map(({ field }) => sides.fields[field]?.label),
    joined: sides.join({ ...merged, ...chosen }),
  };
};
const first = opened.stages[0]?.key ?? '';
const second = opened.stages[1]?.key ?? '';

test('what nobody changed is what it was', () => {
  expect(merge(opened, opened)).toEqual({ asked: [], shown: [], joined: plain(opened) });
});

test('different parts are both kept: of another stage, of the same one, of an action, of a list', () => {
  const { asked, shown, joined } = merge(
    action(stage({ ...plain(opened), name: 'Mine' }, 0, { name: 'Placed', slaHours: 4 }), 0, { roles: ['approver'] }),
    action(stage(stage(opened, 0, { colour: 'bad' }), 1, { name: 'Checked' }), 0, { roles: ['owner'], label: 'Agree' }),
  );
  expect(asked).toEqual([]);
  expect(shown).toEqual([
    `Stage “${opened.stages[0]?.name}”: colour`,
    `Stage “${opened.stages[1]?.name}”: name`,
    `Action “${opened.actions[0]?.label}”: name`,
    `Action “${opened.actions[0]?.label}”: Owner may`,
  ]);
  expect(joined).toEqual(
    action(
      stage(stage({ ...plain(opened), name: 'Mine' }, 0, { name: 'Placed', slaHours: 4, colour: 'bad' }), 1, {
        name: 'Checked',
      }),
      0,
      { roles: ['owner', 'approver'], label: 'Agree' },
    ),
  );
});

test('the same field asks whose word counts; what was emptied stays empty', () => {
  const [mine, theirs] = [
    stage(opened, 0, { slaHours: null, name: 'A' }),
    stage(opened, 0, { slaHours: 7, name: 'B' }),
  ];
  const begun = stage(opened, 0, { slaHours: 24 });
  const sides = apart(begun, mine, theirs, {});
  const { both } = differences(sides.fields, sides.opened, sides.mine, sides.theirs);
  expect(both.map(({ field, mine: own, theirs: other }) => [field, own, other])).toEqual([
    [`stages.${first}.name`, 'A', 'B'],
    [`stages.${first}.slaHours`, null, 7],
  ]);
  expect(sides.join(sides.mine).stages[0]).toMatchObject({ name: 'A', slaHours: null });
  expect(sides.join(sides.theirs).stages[0]).toMatchObject({ name: 'B', slaHours: 7 });
});

test('orders start at one stage, whoever moved the start', () => {
  const startAt = (row: number): Definition => ({
    ...plain(opened),
    stages: opened.stages.map((each, at) => ({ ...each, start: at === row })),
  });
  expect(
    merge(startAt(1), opened)
      .joined.stages.map(({ start }) => start)
      .indexOf(true),
  ).toBe(1);
  const { asked, joined } = merge(startAt(1), startAt(2), ['start']);
  expect(asked).toEqual(['start']);
  expect(joined.stages.flatMap(({ start }, row) => (start ? [row] : []))).toEqual([2]);
});

test('a stage that one took out is out with its actions, unless the other worked on it', () => {
  expect(merge(without(opened, 1), opened).joined).toEqual(without(opened, 1));
  expect(merge(opened, without(opened, 1))).toMatchObject({
    asked: [],
    shown: [`Stage “${opened.stages[1]?.name}”`],
    joined: without(opened, 1),
  });
  const theirs = stage(opened, 1, { name: 'Checked' });
  expect(merge(without(opened, 1), theirs).asked).toEqual([`stages.${second}`]);
  expect(merge(without(opened, 1), theirs).joined).toEqual(without(opened, 1));
  // taken back, it comes with the actions that went with it, and keeps its place
  const back = merge(without(opened, 1), theirs, [`stages.${second}`]).joined;
  expect(back.stages).toEqual(theirs.stages);
  expect(new Set(back.actions)).toEqual(new Set(theirs.actions));
});

test('what both added stays, also when it was given the same key; what leads to a stage that is gone asks for another', () => {
  const added = (name: string): Definition => {
    const fresh = { ...newStage(opened.stages), name };
    return {
      ...plain(opened),
      stages: [...opened.stages, fresh],
      actions: [...opened.actions, { ...newAction(opened.actions, first), label: name, to: fresh.key }],
    };
  };
  const { asked, shown, joined } = merge(added('Counted'), added('Weighed'));
  expect(asked).toEqual([]);
  expect(shown).toEqual(['Stage “Weighed”', 'Action “Weighed”']);
  expect(joined.stages.slice(-2).map(({ name }) => name)).toEqual(['Weighed', 'Counted']);
  expect(draftProblems({ ...joined, name: 'x' })).toEqual([]);
  for (const name of ['Weighed', 'Counted']) {
    const { key } = joined.stages.find((each) => each.name === name) ?? {};
    expect(joined.actions.find(({ label }) => label === name)?.to).toBe(key);
  }
  const leads = { ...newAction(opened.actions, first), label: 'There', to: second };
  const theirs = { ...plain(opened), actions: [...opened.actions, leads] };
  const { joined: cut } = merge(without(opened, 1), theirs);
  expect(cut.actions.find(({ label }) => label === 'There')).toMatchObject({ from: first, to: '' });
});
