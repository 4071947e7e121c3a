import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, importsOf, isTest, textOf, withoutComments } from './source.ts';

/** Which room may import which others, and which packages. */
const rooms: Readonly<Record<string, { readonly imports: readonly string[]; readonly packages: RegExp }>> = {
  domain: { imports: [], packages: /^$/ },
  contract: { imports: ['domain'], packages: /^zod$/ },
  server: { imports: ['domain', 'contract'], packages: /^(?!react|@mantine|@tanstack|vite)/ },
  web: { imports: ['domain', 'contract'], packages: /^(?!node:|pg$|kysely|fastify|@fastify|pino)/ },
  sandbox: { imports: [], packages: /^(?!react|@mantine|@tanstack|vite|pg$|kysely)/ },
};

/** Which module of the server may import which others. `kit` is open to all and imports none. */
const moduleImports: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  access: [],
  identity: ['access', 'mail'],
  organisation: [],
  subscription: [],
  lookups: ['access', 'subscription'],
  session: ['access', 'subscription'],
  search: ['access', 'documents'],
  documents: ['access', 'additional'],
  additional: [],
  masters: ['access', 'organisation', 'additional', 'documents'],
  pages: ['access', 'masters'],
  parties: ['access', 'documents', 'einvoice'],
  payments: ['access', 'documents'],
  paper: [],
  trail: ['access'],
  mail: ['access', 'documents', 'paper', 'printing'],
  printing: ['access', 'documents', 'paper', 'additional'],
  reports: ['access', 'paper', 'banking', 'withheld'],
  einvoice: ['access', 'documents', 'printing'],
  eway: ['access', 'einvoice', 'paper'],
  inventory: ['documents'],
  imports: ['access', 'documents', 'masters', 'paper'],
  counting: ['access', 'documents', 'paper'],
  beside: ['documents', 'masters'],
  till: ['access', 'documents', 'organisation'],
  items: ['access', 'documents', 'masters', 'paper'],
  workflow: ['beside', 'documents'],
  jobs: [],
  webhooks: [],
  recurring: ['access', 'documents'],
  accounts: ['access', 'documents', 'masters', 'reports'],
  banking: ['additional', 'documents'],
  withheld: ['documents', 'mail', 'paper'],
  closing: ['access', 'documents', 'reports'],
  exchange: ['access', 'documents'],
  dashboards: [],
  demo: [
    'access',
    'counting',
    'documents',
    'einvoice',
    'eway',
    'exchange',
    'masters',
    'payments',
    'recurring',
    'till',
    'workflow',
  ],
};

/** The context that every handler gets; like the kit it is open to all and imports no module. */
const contextFile = 'server/context.ts';
/** Programs: they wire the modules together and may import anything of the server. */
const isProgram = (file: string) => /^server\/(http|process)\//.test(file) || file === 'server/kit/paper/printer.ts';

/** The sandbox is reached over HTTP alone; the one program that starts everything starts it too. */
const mount = 'server/process/server.ts → sandbox/index.ts';

interface Link {
  readonly file: string;
  readonly target: string;
}

/** A program that customers run on a machine of their own: it belongs to no room. */
const verifier = 'web/views/settings/verify-edit-log.mjs';

const sources = (room: string) => filesOf(room).filter((file) => !isTest(file) && file !== verifier);
const links = (files: readonly string[]): Link[] =>
  files.flatMap((file) => importsOf(file).files.map((target) => ({ file, target })));
const packages = (files: readonly string[]): Link[] =>
  files.flatMap((file) => importsOf(file).packages.map((target) => ({ file, target })));
const roomOf = (file: string) => file.split('/')[0] ?? '';
const moduleOf = (file: string) => file.split('/')[1] ?? '';
const arrow = ({ file, target }: Link) => `${file} → ${target}`;

const serverFiles = sources('server').filter((file) => !isProgram(file));
const modules = [...new Set(serverFiles.filter((file) => file !== contextFile).map(moduleOf))];
const isOpen = (target: string) => target === contextFile || moduleOf(target) === 'kit';

test('imports of every room are found', () => {
  for (const room of ['domain', 'contract', 'server', 'web']) {
    expect(links(sources(room)).length, room).toBeGreaterThan(5);
  }
  expect(links(sources('web')).some(({ target }) => roomOf(target) === 'contract')).toBe(true);
  expect(links(serverFiles).some(({ target }) => roomOf(target) === 'domain')).toBe(true);
  expect(packages(sources('contract')).map(({ target }) => target)).toContain('zod');
});

test.each(Object.entries(rooms))('%s imports only what it may', (room, { imports, packages: allowed }) => {
  const files = sources(room);
  const open = [room, ...imports];
  expect(
    links(files)
      .filter(({ file, target }) => !open.includes(roomOf(target)) && arrow({ file, target }) !== mount)
      .map(arrow),
  ).toEqual([]);
  expect(
    packages(files)
      .filter(({ target }) => !allowed.test(target))
      .map(arrow),
  ).toEqual([]);
});

test('every module of the server has a row in the table of imports, and every row is a module', () => {
  expect(Object.keys(moduleImports).sort()).toEqual(modules.sort());
});

test.each(modules)('server/%s imports only the modules it may, through their index.ts', (module) => {
  const strays = links(serverFiles.filter((file) => moduleOf(file) === module))
    .filter(({ target }) => roomOf(target) === 'server' && moduleOf(target) !== module && !isOpen(target))
    .filter(({ target }) => !moduleImports[module]?.some((other) => target === `server/${other}/index.ts`));
  expect(strays.map(arrow)).toEqual([]);
});

test('the context imports no module', () => {
  const strays = links([contextFile]).filter(({ target }) => roomOf(target) === 'server' && !isOpen(target));
  expect(strays.map(arrow)).toEqual([]);
});

test('modules import each other in no circle', () => {
  const circleFrom = (module: string, path: readonly string[]): string | undefined => {
    if (path.includes(module)) return [...path, module].join(' → ');
    return moduleImports[module]
      ?.map((next) => circleFrom(next, [...path, module]))
      .find((found) => found !== undefined);
  };
  expect(
    Object.keys(moduleImports)
      .map((module) => circleFrom(module, []))
      .filter(Boolean),
  ).toEqual([]);
});

/** The imports that remain when a file is built: types are no part of them. */
const fetchedBy = (file: string): string[] =>
  [
    ...withoutComments(textOf(file)).matchAll(
      /^\s*(?:import|export)\s(?!type\b)(?:[^'"`;=(]*?\bfrom\s*)?['"]([^'"\n]+)['"]/gm,
    ),
  ].map((found) => found[1] ?? '');
const reaches = (file: string, seen: Set<string> = new Set()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const name of fetchedBy(file))
    if (name.startsWith('.')) reaches(path.posix.join(path.posix.dirname(file), name), seen);
  return seen;
};

test('pages fetch the tables of the contract without its schemas; only the check of a form brings them', () => {
  const checked = 'web/views/master/problems.ts';
  const contract = sources('web')
    .filter((file) => file !== checked)
    .flatMap((file) => fetchedBy(file).map((name) => path.posix.join(path.posix.dirname(file), name)))
    .filter((file) => roomOf(file) === 'contract');
  expect(contract).toContain('contract/masters.ts');
  expect([...reaches(checked)].filter((file) => fetchedBy(file).includes('zod'))).toContain('contract/shapes.ts');
  const withSchemas = contract.filter((file) => [...reaches(file)].some((each) => fetchedBy(each).includes('zod')));
  expect(withSchemas).toEqual([]);
});

/** Where rights are decided: the engine, and the files that run it or say what a person holds. */
const decidesRights = /^server\/(access\/|http\/handle\.ts$|context\.ts$)/;
/** Files that refuse by something else than the table: who runs the installation, places of users, roles and registrations. */
const refusesByItself: readonly string[] = [
  'server/http/founding.ts',
  'server/identity/index.ts',
  'server/masters/places.ts',
  'server/masters/rights.ts',
  'server/parties/merge.ts',
  'server/reports/gstr1.ts',
  'server/reports/journal-file.ts',
];

test('handlers decide no rights: the table of rules says them, and the engine refuses', () => {
  const refusing = filesOf('server').filter(
    (file) =>
      !isTest(file) &&
      !decidesRights.test(file) &&
      /new Refusal\('noAccess'\)|\b(allow|allowRows|allowInput|stillAllows|requireCase)\(/.test(
        withoutComments(textOf(file)),
      ),
  );
  expect(refusing.toSorted()).toEqual(refusesByItself);
});
