import { say } from '../../domain/base/say.ts';
import { isCostHidden } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import type { Asked, Values } from './records.ts';

/** The fields of a record that say what goods cost, for somebody whose roles do not show it. */
export const hiddenCosts = (context: Context, { master }: Pick<Asked, 'master'>, values: Values): readonly string[] =>
  isCostHidden(context)
    ? Object.entries(master.fields).flatMap(([key, { cost }]) =>
        cost === true || (cost && Object.entries(cost).every(([other, value]) => values[other] === value)) ? [key] : [],
      )
    : [];

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';

/**
 * What was typed, with what is kept in the fields that its author does not see: a form without them keeps them. `kept`: the record as
 * it is, as the form has it.
 */
export function withHiddenCosts(context: Context, which: Asked, typed: Values, kept: Values | undefined): Values {
  const hidden = new Set([...hiddenCosts(context, which, kept ?? {}), ...hiddenCosts(context, which, typed)]);
  const { fields } = which.master;
  const problems = [...hidden].flatMap((key) => {
    const { label, cost } = fields[key] ?? {};
    // what hides a field of a record keeps hiding it
    const opened =
      typeof cost === 'object' && kept ? Object.keys(cost).find((one) => typed[one] !== kept[one]) : undefined;
    if (opened)
      return [
        {
          field: opened,
          ...say('{{fields}} cannot be changed: your roles do not include the cost of goods', {
            fields: fields[opened]?.label ?? opened,
          }),
        },
      ];
    return isGiven(typed[key])
      ? [
          {
            field: key,
            ...say('Leave {{label}} out: your roles do not include the cost of goods', { label: label ?? key }),
          },
        ]
      : [];
  });
  if (problems.length > 0) throw new Problems(problems);
  return {
    ...typed,
    ...Object.fromEntries([...hidden].flatMap((key) => (kept?.[key] === undefined ? [] : [[key, kept[key]]]))),
  };
}
