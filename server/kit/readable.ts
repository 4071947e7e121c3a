import { Refusal } from '../../contract/errors.ts';
import { say } from '../../domain/base/say.ts';
import { Problems } from './problems.ts';

/** NUL, which the database cannot keep, and halves of letters, in whose place another sign would be kept. */
const unreadable = /[\0\p{Cs}]/u;
/** Nothing that people or programs mean is nested deeper. */
const DEEPEST = 100;
const MESSAGE = say('This contains a character that cannot be stored: type it again');

interface Part {
  readonly value: unknown;
  readonly names: readonly string[];
  readonly row: number | undefined;
  readonly depth: number;
}

/** Refuses what a call was sent when any text of it, names included, cannot be kept as it is: at its field. */
export function mustBeReadable(sent: unknown): void {
  const waiting: Part[] = [{ value: sent, names: [], row: undefined, depth: 0 }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value, names, row, depth } = part;
    const refuse = (): never => {
      throw new Problems([{ field: names.join('.'), ...MESSAGE, ...(row !== undefined && { row }) }]);
    };
    if (typeof value === 'string' && unreadable.test(value)) refuse();
    if (value === null || typeof value !== 'object') continue;
    if (depth === DEEPEST) throw new Refusal('unreadable');
    if (Array.isArray(value)) {
      for (const [at, one] of value.entries()) waiting.push({ value: one, names, row: row ?? at, depth: depth + 1 });
      continue;
    }
    for (const [name, one] of Object.entries(value)) {
      if (unreadable.test(name)) refuse();
      const own = name === 'document' || name === 'draft' ? names : [...names, name];
      waiting.push({ value: one, names: own, row, depth: depth + 1 });
    }
  }
}
