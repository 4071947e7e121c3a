import '../../kit/server/jitless.ts';
import { shapeOf } from '../../../contract/shapes.ts';
import { sentenceOf, wording } from '../../../contract/wording.ts';
import type { Problem } from '../../kit/server/api.ts';
import { translated } from '../../kit/text.ts';
import { type Fields, sendable, type Values } from './values.ts';

/** Everything wrong with the values, at its field, by the same check as the server's. */
export const problemsOf = (fields: Fields, values: Values): readonly Problem[] => {
  const read = shapeOf(fields).safeParse(sendable(fields, values), { error: wording });
  if (read.success) return [];
  return read.error.issues.map(({ path, message }) => {
    const [field = '', row, column] = path;
    const named = fields[String(field)];
    const label = typeof row === 'number' ? named?.columns?.[String(column ?? '')]?.label : named?.label;
    const said = sentenceOf(message, label ?? String(field));
    return typeof row === 'number'
      ? { field: `${String(field)}.${String(column ?? '')}`, row, message: translated(said) }
      : { field: String(field), message: translated(said) };
  });
};
