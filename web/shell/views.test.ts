import { expect, test } from 'vitest';
import { type Screen, screens } from '../../contract/screens.ts';
import { Later } from './Later.tsx';
import { componentOf } from './views.tsx';

test('every screen that says what draws it has that file', () => {
  const shown = Object.values(screens as Readonly<Record<string, Screen>>).filter(({ show }) => show.view !== 'later');
  expect(shown.length).toBeGreaterThan(100);
  expect(shown.filter(({ show }) => componentOf(show) === Later).map(({ show }) => show)).toEqual([]);
});
