import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from './calls.ts';
import type { Operation } from './contract.ts';
import specified from './testdata/specified-parameters.json' with { type: 'json' };

const served: Readonly<Record<string, Operation>> = calls;

/** Parameters of an input at its top. */
const known = (input: z.ZodType): readonly string[] =>
  Object.keys(
    (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ?? {},
  );

test.each(specified.calls)(
  '$call knows every parameter of the specification by its name',
  ({ call, method, parameters }) => {
    const operation = served[call];
    if (!operation) throw new Error(`${call} is not served`);
    expect(operation.method).toBe(method);
    expect(parameters.filter((parameter) => !known(operation.input).includes(parameter))).toEqual([]);
  },
);
