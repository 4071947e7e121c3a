import { Ajv, type Options, type ValidateFunction } from 'ajv';

/** The check of a schema, compiled when it is first asked for: a start does not wait for what a portal may never be sent. */
export function fitting<T>(schema: object, options: Options): () => ValidateFunction<T> {
  let fits: ValidateFunction<T> | undefined;
  return () => {
    fits ??= new Ajv({ allErrors: true, ...options }).compile<T>(schema);
    return fits;
  };
}
