import { expect, test } from 'vitest';
import { kindOf } from '../domain/document/kinds/index.ts';
import { masterOf } from './masters.ts';
import { type Screen, screenNames, screens } from './screens.ts';

/** Lists that the specification names otherwise, or whose whole name is too long for a menu. */
const shorter: Readonly<Record<string, string>> = {
  'Invoice templates': 'Invoice builder',
  'Bank accounts': 'Bank details',
  'GST registrations': 'Registrations',
  'Warehouses and stock rooms': 'Warehouses',
  'Supplier advance adjustments': 'Supplier advances used',
};

test('a list has one name: in the menu, and over its rows; its trail ends with it', () => {
  const lists = screenNames.flatMap((name) => {
    const { label, trail, show }: Screen = screens[name];
    if (show.view !== 'documentList' && show.view !== 'masterList') return [];
    const title = show.view === 'documentList' ? kindOf(show.kind).plural : (masterOf(show.master)?.plural ?? '');
    return [{ label, last: trail.at(-1), title: shorter[title] ?? title }];
  });
  expect(lists.length).toBeGreaterThan(40);
  expect(lists.filter(({ label, title }) => label !== title)).toEqual([]);
  // charges and adjustments stand under Invoicing as the specification has them
  expect(lists.filter(({ label, last }) => label !== last && last !== 'Adjustments')).toEqual([]);
});
