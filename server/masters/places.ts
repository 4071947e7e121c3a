import { Refusal } from '../../contract/errors.ts';
import type { Field } from '../../contract/masters.ts';
import { say } from '../../domain/base/say.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import { ownRegistrations, wholeRegistration } from '../access/index.ts';
import type { Context } from '../context.ts';
import { Problems } from '../kit/problems.ts';
import type { Asked, Trx, Values } from './records.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** The record before it is written, and after; undefined: there is none. */
interface Change {
  readonly id: Id;
  readonly before?: Values | undefined;
  readonly after?: Values | undefined;
}

/**
 * People limited to places write no record that stands at other places, and move none there. A record that names a registration
 * and no location is about all of the registration. Records that give rights are guarded by `guardRights`.
 */
export async function guardPlaces(
  trx: Trx,
  context: Context,
  { name, master }: Pick<Asked, 'name' | 'master'>,
  { id, before, after }: Change,
): Promise<void> {
  if (context.locations.length === 0) return;
  // a role is of no place: it gives its levels wherever its people work
  if (name === 'role') throw new Refusal('noAccess');
  if (master.gives === 'rights') return;
  if (master.isPlace === 'location' && !context.locations.includes(id)) throw new Refusal('noAccess');
  if (master.isPlace === 'registration') await wholeRegistration(trx, context, id);
  const hidden = async (values: Values | undefined): Promise<Problem[]> =>
    values ? elsewhere(trx, context, master, values) : [];
  if ((await hidden(before)).length > 0) throw new Refusal('noAccess');
  const problems = [...(await hidden(after)), ...(after ? rowsElsewhere(context, master, before ?? {}, after) : [])];
  if (problems.length > 0) throw new Problems(problems);
}

const names = (field: Field, what: string): boolean =>
  field.pick === what && (field.type === 'pick' || field.type === 'picks');
const idsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value ? [String(value)] : [];

/** Problems at the fields that name places which are not the user's. */
async function elsewhere(
  trx: Trx,
  context: Context,
  { fields, isPlace }: Asked['master'],
  values: Values,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const named = (what: string) => Object.keys(fields).filter((key) => fields[key] && names(fields[key], what));
  const locations = named('location').filter((key) => idsIn(values[key]).length > 0);
  for (const field of locations)
    if (!idsIn(values[field]).every((one) => context.locations.includes(one)))
      problems.push({ field, ...say('Choose among your own locations') });
  const isAtLocation = isPlace === 'location' || locations.length > 0;
  for (const field of named('registration'))
    for (const registration of idsIn(values[field]))
      if (!(await mayName(trx, context, registration, isAtLocation)))
        problems.push({
          field,
          ...(isAtLocation
            ? say('Choose a registration of your own locations')
            : say('Choose a registration whose every location is yours, or one of your own locations')),
        });
  return problems;
}

async function mayName(trx: Trx, context: Context, registration: Id, isAtLocation: boolean): Promise<boolean> {
  if (isAtLocation) return (await ownRegistrations(trx, context))?.has(registration) ?? true;
  try {
    await wholeRegistration(trx, context, registration);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Rows of a record that everybody shares, as levels of an item by location: those of other places stay as they are. */
function rowsElsewhere({ locations }: Context, { fields }: Asked['master'], before: Values, after: Values): Problem[] {
  return Object.entries(fields).flatMap(([field, { columns = {} }]) => {
    const at = Object.keys(columns).find((key) => columns[key]?.pick === 'location');
    if (at === undefined) return [];
    const others = (values: Values): string =>
      JSON.stringify(
        ((values[field] ?? []) as Rows)
          .filter((row) => row[at] && !locations.includes(String(row[at])))
          .map((row) => JSON.stringify(Object.keys(columns).map((key) => row[key] ?? null)))
          .toSorted(),
      );
    return others(before) === others(after) ? [] : [{ field, ...say('Leave the rows of other locations as they are') }];
  });
}
