import { z } from 'zod';
import { calls } from '../../contract/calls.ts';
import type { Operation } from '../../contract/contract.ts';
import { refusals } from '../../contract/errors.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Made extends Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
/** A shape as JSON Schema, in its form on the wire. */
const schemaOf = (shape: z.ZodType, sent = false): Made => {
  // what a call does not know is refused, at any depth
  const override = ({
    jsonSchema,
  }: {
    readonly jsonSchema: { properties?: unknown; additionalProperties?: unknown };
  }) => {
    if (sent && jsonSchema.properties) jsonSchema.additionalProperties = false;
  };
  const { $schema: _, ...made } = z.toJSONSchema(shape, {
    io: 'input',
    unrepresentable: 'any',
    override: override as never,
  });
  return made as unknown as Made;
};

const envelope = (details: Schema): Schema => ({
  type: 'object',
  required: ['success', 'message', 'details', 'result'],
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    details,
    result: { type: 'object', required: ['details'], properties: { details } },
  },
});
const saidText: Schema = {
  type: 'object',
  description: 'The message with {{name}} for each of its values; a value may be such a text itself',
  required: ['key', 'values'],
  properties: { key: { type: 'string' }, values: { type: 'object' } },
};
const failure: Schema = {
  type: 'object',
  required: ['code', 'problems', 'reference'],
  properties: {
    code: { type: 'string', enum: [...Object.keys(refusals), 'problems', 'bug'] },
    text: saidText,
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string' },
          row: { type: 'integer' },
          message: { type: 'string' },
          text: saidText,
        },
      },
    },
    reference: { type: 'string' },
  },
};
const refused = {
  400: 'Unreadable',
  401: 'No session, or an access token that is not valid',
  403: 'Not allowed, or no proof of origin',
  404: 'There is no such record',
  409: 'A refusal: the state of the books forbids it',
  422: 'Problems, each at its field',
  429: 'Too many attempts: wait as Retry-After says',
  503: 'Try again later',
};
const responses = Object.fromEntries(
  Object.entries(refused).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Refused' } } } },
  ]),
);

const text = { type: 'string' };
const proof = {
  name: 'X-Requested-By',
  in: 'header',
  required: false,
  description:
    'Proof that a script of the own origin asks: always `bahi`; required with the cookie, not with an access token',
  schema: { type: 'string', const: 'bahi' },
};
const key = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'A fresh UUID for each thing that is to happen once; the same key gets the first answer',
  schema: { ...text, format: 'uuid' },
};

/** The description of every call for other programs, made from the same shapes. `cookie` is the name of the session's. */
export function openApi(cookie: string): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, operation] of Object.entries<Operation>(calls)) {
    const input = schemaOf(operation.input, true);
    const query = Object.entries(input.properties ?? {}).map(([field, schema]) => ({
      name: field,
      in: 'query',
      required: input.required?.includes(field) ?? false,
      schema,
    }));
    const changes = operation.method === 'POST' || operation.changesByGet === true;
    const headers = [...(changes ? [proof] : []), ...(operation.idempotent ? [key] : [])];
    const common = {
      tags: [operation.service],
      summary: operation.summary,
      responses: {
        200: {
          description: operation.summary,
          content: { 'application/json': { schema: envelope(schemaOf(operation.details)) } },
        },
        ...responses,
      },
    };
    const body = { requestBody: { required: true, content: { 'application/json': { schema: input } } } };
    paths[`/api/${operation.service}/${name}`] = {
      [operation.method.toLowerCase()]: {
        operationId: name,
        ...common,
        parameters: operation.method === 'GET' ? [...query, ...headers] : headers,
        ...(operation.method === 'POST' && body),
      },
      ...(operation.changesByGet && {
        post: { operationId: `${name}ByPost`, ...common, parameters: headers, ...body },
      }),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bahi',
      version: '1',
      description: 'Every call of the product. Amounts, quantities and rates are decimal text; dates are YYYY-MM-DD.',
    },
    tags: [...new Set(Object.values<Operation>(calls).map((o) => o.service))].map((name) => ({ name })),
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, made under Access tokens in the menu of the user',
        },
        session: { type: 'apiKey', in: 'cookie', name: cookie },
      },
      schemas: { Refused: envelope(failure) },
    },
  };
}
