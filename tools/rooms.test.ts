import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, importsOf, isTest, textOf, withoutComments } from './source.ts';

/** The house in one table: who may look into which room, and which packages it may use. */
const rooms: Readonly<Record<string, { readonly looksInto: readonly string[]; readonly packages: RegExp }>> = {
  domain: { looksInto: [], packages: /^$/ },
  contract: { looksInto: ['domain'], packages: /^zod$/ },
  server: { looksInto: ['domain', 'contract'], packages: /^(?!react|@mantine|@tanstack|vite)/ },
  web: { looksInto: ['domain', 'contract'], packages: /^(?!node:|pg$|kysely|fastify|@fastify|pino)/ },
  sandbox: { looksInto: [], packages: /^(?!react|@mantine|@tanstack|vite|pg$|kysely)/ },
};

/** And inside the server: which module may knock at which other module's door. `kit` is open to all and knows none. */
const doors: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  access: [],
  identity: ['access', 'mail'],
  organisation: [],
  subscription: [],
  lookups: ['access', 'subscription'],
  session: ['access', 'subscription'],
  documents: ['access', 'additional'],
  additional: [],
  masters: ['access', 'organisation', 'additional', 'documents'],
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
  counting: ['access', 'documents', 'paper'],
  beside: ['documents'],
  till: ['access', 'documents', 'organisation'],
  items: ['access', 'documents', 'masters', 'paper'],
  workflow: ['beside', 'documents'],
  jobs: [],
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

/** What every module is handed; like the kit it is open to all and knows no module. */
const handed = 'server/context.ts';
/** Programs: they wire the modules together and may look anywhere in the server. */
const isProgram = (file: string) =>
  file !== handed && (/^server\/[^/]+\.ts$/.test(file) || file === 'server/kit/paper/printer.ts');

/** The sandbox is reached over HTTP alone; the one program that starts everything starts it too. */
const mount = 'server/server.ts → sandbox/index.ts';

interface Link {
  readonly file: string;
  readonly target: string;
}

/** What the customer runs on a machine of his own: it belongs to no room. */
const takenAway = 'web/views/settings/verify-edit-log.mjs';

const sources = (room: string) => filesOf(room).filter((file) => !isTest(file) && file !== takenAway);
const links = (files: readonly string[]): Link[] =>
  files.flatMap((file) => importsOf(file).files.map((target) => ({ file, target })));
const packages = (files: readonly string[]): Link[] =>
  files.flatMap((file) => importsOf(file).packages.map((target) => ({ file, target })));
const roomOf = (file: string) => file.split('/')[0] ?? '';
const moduleOf = (file: string) => file.split('/')[1] ?? '';
const told = ({ file, target }: Link) => `${file} → ${target}`;

const serverFiles = sources('server').filter((file) => !isProgram(file));
const modules = [...new Set(serverFiles.filter((file) => file !== handed).map(moduleOf))];
const isOpen = (target: string) => target === handed || moduleOf(target) === 'kit';

test('the walls see the tree', () => {
  for (const room of ['domain', 'contract', 'server', 'web']) {
    expect(links(sources(room)).length, room).toBeGreaterThan(5);
  }
  expect(links(sources('web')).some(({ target }) => roomOf(target) === 'contract')).toBe(true);
  expect(links(serverFiles).some(({ target }) => roomOf(target) === 'domain')).toBe(true);
  expect(packages(sources('contract')).map(({ target }) => target)).toContain('zod');
});

test.each(Object.entries(rooms))('%s looks only where it may', (room, { looksInto, packages: allowed }) => {
  const files = sources(room);
  const open = [room, ...looksInto];
  expect(
    links(files)
      .filter(({ file, target }) => !open.includes(roomOf(target)) && told({ file, target }) !== mount)
      .map(told),
  ).toEqual([]);
  expect(
    packages(files)
      .filter(({ target }) => !allowed.test(target))
      .map(told),
  ).toEqual([]);
});

test('every module of the server has a row in the table of doors, and every row is a module', () => {
  expect(Object.keys(doors).sort()).toEqual(modules.sort());
});

test.each(modules)('server/%s knocks only where it may, and at the front door', (module) => {
  const strays = links(serverFiles.filter((file) => moduleOf(file) === module))
    .filter(({ target }) => roomOf(target) === 'server' && moduleOf(target) !== module && !isOpen(target))
    .filter(({ target }) => !doors[module]?.some((door) => target === `server/${door}/index.ts`));
  expect(strays.map(told)).toEqual([]);
});

test('what every module is handed knows none of them', () => {
  const strays = links([handed]).filter(({ target }) => roomOf(target) === 'server' && !isOpen(target));
  expect(strays.map(told)).toEqual([]);
});

test('the doors form no circle', () => {
  const circleFrom = (module: string, path: readonly string[]): string | undefined => {
    if (path.includes(module)) return [...path, module].join(' → ');
    return doors[module]?.map((next) => circleFrom(next, [...path, module])).find((found) => found !== undefined);
  };
  expect(
    Object.keys(doors)
      .map((module) => circleFrom(module, []))
      .filter(Boolean),
  ).toEqual([]);
});

/** What a file brings along when it is fetched: types are no part of it. */
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
const decidesRights = /^server\/(access\/|handle\.ts$|context\.ts$)/;
/** Files that refuse by something else than the table: who runs the installation, places of users, roles and registrations. */
const refusesByItself: readonly string[] = [
  'server/founding.ts',
  'server/identity/index.ts',
  'server/masters/places.ts',
  'server/masters/rights.ts',
  'server/parties/merge.ts',
  'server/reports/gstr1.ts',
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
