import { expect, test } from 'vitest';
import { type Screen, type ScreenName, screenNames, screens } from './screens.ts';
import { generalConfiguration } from './session.ts';
import { configurationTabs, type Setting, settingsMenu, settingsOf } from './settings.ts';

const rows = screenNames.map((name) => [name, screens[name] as Screen] as const);

test('the settings menu is that of the specification: its groups are headings, its entries lead to screens that work', () => {
  const labels = (menu: readonly Setting[]): unknown[] =>
    menu.map(({ label, within }) => (within ? { [label]: labels(within) } : label));
  // our own entry comes first
  expect(labels(settingsMenu)).toEqual([
    'First steps',
    {
      'General Configurations': [
        'General',
        'Number Series',
        'Additional Config',
        'Terms & Conditions',
        'Business Type',
        'Additional Fields',
      ],
    },
    { Masters: ['Item Configuration', 'Units', 'Bank Details'] },
    'Transaction Settings',
    { Invoicing: ['Invoices', 'Adjustments', 'Invoice Builder'] },
    'Inventory',
    'E-Invoice (IRN Credentials)',
    'Workflow Management',
    'Upload Logo',
    'Barcode Config',
    'TDS/TCS Setting',
    'Custom Theme',
    'Payment Gateway',
  ]);
  for (const { label, screen, within } of [...settingsMenu, ...settingsMenu.flatMap((one) => one.within ?? [])])
    expect([label, screen === undefined]).toEqual([label, within !== undefined]);
  for (const { screen } of settingsOf()) expect((screens[screen as ScreenName] as Screen).show.view).not.toBe('later');
  expect(new Set(configurationTabs.map(({ key }) => key)).size).toBe(configurationTabs.length);
  for (const { needs } of configurationTabs)
    expect(needs === undefined || needs in generalConfiguration.shape).toBe(true);
});

test('every screen has its own number, and a trail that begins with its group and ends with what is done there', () => {
  expect(new Set(rows.map(([, { id }]) => id)).size).toBe(rows.length);
  for (const [name, { group, trail, show }] of rows) {
    expect([name, trail[0]]).toEqual([name, group]);
    expect([name, new Set(trail).size]).toEqual([name, trail.length]);
    if (show.view === 'documentEditor' || show.view === 'masterForm')
      expect([name, trail.at(-1)]).toEqual([name, 'New/Edit']);
    if (show.view === 'documentView') expect([name, trail.at(-1)]).toEqual([name, 'View']);
  }
});

test('what a screen is called is words, not the spelling of its address', () => {
  for (const [name, { label, show }] of rows)
    if (show.view !== 'later')
      expect([name, label]).toEqual([name, expect.stringMatching(/^[A-Z].* |^[A-Z][a-z-]+$|^GSTR/)]);
});
