import '../../kit/jitless.ts';
import { shapeOf } from '../../../contract/shapes.ts';
import type { Problem } from '../../kit/api.ts';
import { type Fields, sendable, type Values } from './values.ts';

/** Everything wrong with the values, at its field, by the same check as the server's. */
export const problemsOf = (fields: Fields, values: Values): readonly Problem[] => {
  const read = shapeOf(fields).safeParse(sendable(fields, values));
  if (read.success) return [];
  return read.error.issues.map(({ path, message, code }) => {
    const [field = '', row, column] = path;
    const label = fields[String(field)]?.label ?? String(field);
    const said = code === 'invalid_type' ? `${label} is required` : message;
    return typeof row === 'number'
      ? { field: `${String(field)}.${String(column ?? '')}`, row, message: said }
      : { field: String(field), message: said };
  });
};
