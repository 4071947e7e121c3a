import { afterAll, beforeAll } from 'vitest';
import { byKeys } from './keys.ts';
import { startWalk, type Walk } from './walk.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk?.stop());

byKeys(() => walk);
