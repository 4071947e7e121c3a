import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials, packagesOf, readLock } from './bom.mjs';

const root = path.dirname(import.meta.dirname);
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const lock = readLock();
const packages = packagesOf(lock);

/** Licences that a product under Apache-2.0 may be shipped with; MPL-2.0 only where nothing of ours is joined to it. */
const allowed = [
  ...['MIT', 'MIT-0', 'MIT OR Apache-2.0', '(MIT AND Zlib)', '(MIT OR CC0-1.0)', 'MIT AND OFL-1.1', 'ISC', '0BSD'],
  ...['BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense', 'Python-2.0', 'OFL-1.1'],
];
const onlyTools = ['MPL-2.0'];

test('S-63: the product runs on at most 40 packages of our choice, in exact versions', () => {
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(40);
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(loose.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('S-63: every package has a licence that fits ours', () => {
  const wrong = packages.filter(
    ({ licence, runs }) => !allowed.includes(licence) && (runs || !onlyTools.includes(licence)),
  );
  expect(wrong.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('S-63: every package comes from the registry, with its digest; few may run a program when they are installed', () => {
  const strange = packages.filter(
    ({ integrity, resolved, inside }) =>
      !inside && (!integrity || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))),
  );
  expect(strange.map(({ name }) => name)).toEqual([]);
  expect(Object.keys(manifest.allowScripts).length).toBeLessThanOrEqual(2);
});

test('S-63: the bill of materials names each of them once a version, with its digest', () => {
  const { bomFormat, components } = billOfMaterials(lock);
  expect(bomFormat).toBe('CycloneDX');
  expect(components).toHaveLength(packages.length);
  const fastify = components.find(({ name }) => name === 'fastify');
  expect(fastify).toMatchObject({
    version: manifest.dependencies['fastify'],
    purl: expect.stringContaining('pkg:npm/fastify@'),
  });
  expect(fastify?.hashes?.[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) });
});
