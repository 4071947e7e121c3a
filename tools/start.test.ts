import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../server/kit/database/migrate.ts';
import { serverFlags } from './flags.mjs';

test('npm start runs the server in its own process, with the flags it is measured with', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root(), 'package.json'), 'utf8'));
  expect(scripts.start).toBe(['node', ...serverFlags, 'tools/start.mjs'].join(' '));
});
