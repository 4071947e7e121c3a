import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

/** Packages whose lock entry names no licence, from the file that came with them. */
const unnamed = { 'png-js': 'MIT' };

/** Every package of the lock file: its name, version, licence, digest, and whether the product runs with it. */
export function packagesOf(lock) {
  return Object.entries(lock.packages).flatMap(
    ([place, { version, license, integrity, resolved, dev, devOptional, inBundle }]) => {
      if (!place) return [];
      const name = place.split('node_modules/').at(-1);
      return [
        {
          name,
          version,
          licence: license ?? unnamed[name] ?? '',
          inside: inBundle === true,
          integrity,
          resolved,
          runs: !(dev || devOptional),
        },
      ];
    },
  );
}

export const readLock = () => JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));

/** What the product is made of, as CycloneDX. The web app's libraries are built into it, so they stand in it too. */
export function billOfMaterials(lock) {
  const components = packagesOf(lock).map(({ name, version, licence, integrity, runs }) => {
    const [algorithm, digest] = (integrity ?? '').split(/-(.*)/s);
    return {
      type: 'library',
      name,
      version,
      scope: runs ? 'required' : 'optional',
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ expression: licence }],
      ...(digest && {
        hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
    };
  });
  const { name, version } = lock;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components,
  };
}
