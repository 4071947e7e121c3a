import { afterAll, beforeAll, describe } from 'vitest';
import { startWalk, type Walk } from '../kit/walk.ts';
import { buy } from './buy.ts';
import { drafts } from './drafts.ts';
import { keep } from './keep.ts';
import { sell } from './sell.ts';

// One server and one browser for all: each part needs what earlier parts posted.
let walk: Walk;
beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk?.stop());
const walking = () => walk;

describe('selling', () => sell(walking));
describe('buying', () => buy(walking));
describe('keeping books', () => keep(walking));
describe('drafts', () => drafts(walking));
