import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { openApi } from './openapi.ts';

const { default: Ajv } = createRequire(import.meta.url)('ajv/dist/2020') as {
  default: new (options: object) => { compile(schema: unknown): (value: unknown) => boolean };
};

type Parameter = { name: string; in: string; required: boolean; schema: object };
type Described = {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
};
const document = JSON.parse(JSON.stringify(openApi('bahi_session'))) as Document;
const all = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
);

test('every call is in the description under its address and method, once', () => {
  expect(document.openapi).toBe('3.1.0');
  for (const [name, operation] of Object.entries<Operation>(calls)) {
    const methods = document.paths[`/api/${operation.service}/${name}`];
    const expected = [operation.method.toLowerCase(), ...(operation.changesByGet ? ['post'] : [])];
    expect(Object.keys(methods ?? {}).sort(), name).toEqual([...new Set(expected)].sort());
  }
  expect(Object.keys(document.paths)).toHaveLength(Object.keys(calls).length);
  const ids = all.map((o) => o.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every schema compiles, every reference leads somewhere, every parameter is listed once', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const schemas = all.flatMap((o) => [
    ...o.parameters.map((p) => p.schema),
    ...Object.values(o.requestBody?.content ?? {}).map((c) => c.schema),
    ...Object.entries(o.responses).flatMap(([status, r]) =>
      status === '200' ? Object.values(r.content).map((c) => c.schema) : [],
    ),
  ]);
  expect(schemas.length).toBeGreaterThan(200);
  for (const schema of [...schemas, ...Object.values(document.components.schemas)])
    expect(() => ajv.compile(schema)).not.toThrow();
  for (const [, target = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    const found = target
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
    expect(found, target).toBeTypeOf('object');
  }
  const tags = document.tags.map((t) => t.name);
  for (const o of all) {
    const names = o.parameters.map((p) => `${p.in} ${p.name}`);
    expect(new Set(names).size, o.operationId).toBe(names.length);
    expect(o.summary.length, o.operationId).toBeGreaterThan(5);
    expect(tags).toContain(o.tags[0]);
    expect(Object.keys(o.responses)).toEqual(['200', '400', '401', '403', '404', '409', '422', '429', '503']);
  }
});

test('a program calls with an access token, a page with its session', () => {
  expect(document).toMatchObject({
    security: [{ token: [] }, { session: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' }, session: { in: 'cookie' } } },
  });
});

test('what proves the origin and what is done once is asked for where it is needed', () => {
  const headers = (id: string) =>
    all
      .find((o) => o.operationId === id)
      ?.parameters.filter((p) => p.in === 'header')
      .map((p) => p.name);
  expect(headers('GetStates')).toEqual([]);
  expect(headers('SaveMaster')).toEqual(['X-Requested-By']);
  expect(headers('PostTransactionCalls')).toEqual(['X-Requested-By', 'Idempotency-Key']);
  expect(headers('CancelTransaction')).toEqual(['X-Requested-By', 'Idempotency-Key']);
});
