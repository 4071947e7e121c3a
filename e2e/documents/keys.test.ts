import { afterAll, beforeAll } from 'vitest';
import { startWalk, type Walk } from '../kit/walk.ts';
import { byKeys } from './keys.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk?.stop());

byKeys(() => walk);
