import { expect, test } from 'vitest';
import { lasted, newAction, newStage, type Row, stagesOf } from './flow.ts';

test('a duration is written in the two largest units', () => {
  expect([0, 59, 60, 135, 47 * 60, 48 * 60, 51 * 60 + 5].map(lasted)).toEqual([
    ...['0 min', '59 min', '1 h', '2 h 15 min', '47 h', '2 d', '2 d 3 h'],
  ]);
});

test('a new stage and action have keys of their own; the first stage is the start', () => {
  const first = newStage([]);
  const second = newStage([{ ...first, key: 'stage-2' }]);
  expect([first.key, first.start, second.key, second.start]).toEqual(['stage-1', true, 'stage-3', false]);
  expect(newAction([], 'stage-1')).toMatchObject({ key: 'action-1', from: 'stage-1', to: '' });
});

test('a list is filtered by the stages of all versions, under the newest name', () => {
  const version = (number: number, status: Row['status'], stages: Record<string, string>, running = 0) =>
    ({
      ...{ version: number, status, running },
      stages: Object.entries(stages).map(([key, name]) => ({ key, name, colour: 'neutral' })),
    }) as unknown as Row;
  const all = [
    version(4, 'draft', { odd: 'Odd' }),
    version(2, 'retired', { new: 'Fresh', old: 'Old' }),
    version(3, 'published', { new: 'New', done: 'Done' }),
    version(1, 'cancelled', { gone: 'Gone' }),
  ];
  expect(stagesOf(all).map(({ name }) => name)).toEqual(['New', 'Done', 'Old']);
});
