import { expect, test } from 'vitest';
import { placeOf, type Screen, screenNames, screens } from '../../contract/screens.ts';
import { kindNames, kindOf } from '../../domain/document/kinds/index.ts';
import { makersOf } from './makers.ts';

const all = Object.fromEntries(screenNames.map((name) => [screens[name].parent, 5003]));

test('every kind that a person may make has its “New …” in the palette, and leads to where it is written', () => {
  const makers = new Map(makersOf(all).map((maker) => [maker.label, maker]));
  const made = kindNames.filter((kind) => {
    const { life, source } = kindOf(kind);
    const place = placeOf(kind, 'documentEditor');
    // what has a screen of its own, as the till, is found by the name of that screen
    return !life.system && !source.reverses && place && (screens[place.screen] as Screen).show.view !== 'own';
  });
  expect(made).toEqual(expect.arrayContaining(['contra', 'saleInvoice', 'deliveryChallan', 'inventoryAdjustment']));
  expect(made.filter((kind) => !makers.has(`New ${kindOf(kind).label.toLowerCase()}`))).toEqual([]);
  expect(makers.get('New contra')).toMatchObject({ name: 'Contras', query: { show: 'documentEditor' } });
});

test('nothing is offered that the person may only read', () => {
  const reads = Object.fromEntries(screenNames.map((name) => [screens[name].parent, 5000]));
  expect(makersOf(reads).filter(({ query }) => 'show' in query)).toEqual([]);
});
