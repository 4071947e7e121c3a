import { sql } from 'kysely';
import { dayInWords } from '../../domain/base/dates.ts';
import { say } from '../../domain/base/say.ts';
import type { Id, Problem } from '../../domain/document/document.ts';
import { panOfGstin } from '../../domain/tax/gst/registration/gstin.ts';
import {
  followScheme,
  isMixed,
  mixedFrom,
  type Status,
  type Stop,
  statusDifferences,
  statusLabels,
  statusOn,
} from '../../domain/tax/gst/registration/registered.ts';
import type { Context } from '../context.ts';
import type { Trx } from './records.ts';

/** The registrations of an organisation are those of one person: they share its PAN, and opt for composition together. */
export interface OfPan extends Status {
  readonly id: Id;
  readonly gstin: string;
  readonly active: boolean;
  readonly stops: readonly Stop[];
}

/** All registrations with a GSTIN. */
export const registeredOnes = async (trx: Trx, { organisation }: Context): Promise<readonly OfPan[]> =>
  (
    await sql<OfPan>`
      select
        id, gstin, active, kind, status_changes(organisation, id) as statuses,
        coalesce(nullif(body -> 'stops', 'null'), '[]') as stops
      from registrations
      where organisation = ${organisation} and gstin is not null
      order by gstin
    `.execute(trx)
  ).rows;

/** Another PAN is another person: what belongs to it is kept in an organisation of its own (section 25(4)). */
export function otherPan(gstin: string | undefined, others: readonly OfPan[]): Problem[] {
  const pan = gstin && panOfGstin(gstin);
  const other = pan ? others.find((each) => ![undefined, pan].includes(panOfGstin(each.gstin))) : undefined;
  if (!pan || !other) return [];
  return [
    {
      field: 'gstin',
      ...say(
        'This GSTIN is of the PAN {{pan}}, and {{other}} of this organisation is of {{own}}: another PAN is another person ' +
          '(section 25(4)). Check the GSTIN, or make an organisation of its own',
        { pan, other: other.gstin, own: panOfGstin(other.gstin) },
      ),
    },
  ];
}

/**
 * A registration that is new, or becomes registered, joins the scheme that the others of its PAN are under (section 10(2), second
 * proviso). Who opts for composition or leaves it takes the others along (rules 3(5) and 6(7)), so that no change is refused here.
 */
export function otherScheme(
  before: Status | undefined,
  after: Status & { readonly stops: readonly Stop[] },
  others: readonly OfPan[],
): Problem[] {
  const spans = before && statusDifferences(before, after);
  if (spans?.length === 0) return [];
  for (const other of others.filter(({ active }) => active)) {
    const follower = before ? { ...other, ...followScheme(other, before, after) } : other;
    const mixed = mixedFrom(after, follower);
    if (!mixed) continue;
    const day = mixed.from ?? '';
    const values = {
      other: other.gstin,
      is: statusLabels[statusOn(follower, day)],
      from: mixed.from === null ? say('the first day') : dayInWords(mixed.from),
      typed: statusLabels[statusOn(after, day)],
    };
    const message = say(
      '{{other}} is {{is}} from {{from}}, and this one {{typed}}: registrations of one PAN are all under composition or none is ' +
        '(section 10(2)). Choose {{is}} here, or change {{other}} first',
      values,
    );
    const row = after.statuses.findIndex(({ from }) => from === mixed.from);
    return [row < 0 ? { field: 'kind', ...message } : { field: 'statuses.kind', row, ...message }];
  }
  return [];
}

/** The others that go along with a change of the scheme, each with the status it has then. */
export const followersOf = (
  before: Status,
  after: Status & { readonly stops: readonly Stop[] },
  others: readonly OfPan[],
): readonly { readonly other: OfPan; readonly follows: Status }[] =>
  statusDifferences(before, after).some(({ was, is }) => isMixed(was, is))
    ? others
        .filter((other) => other.active && mixedFrom(after, other) !== undefined)
        .map((other) => ({ other, follows: followScheme(other, before, after) }))
    : [];

/** What is wrong with a deactivated registration that comes back: the scheme of the others may be another one by now. */
export async function registrationFits(trx: Trx, context: Context, id: Id): Promise<Problem[]> {
  await sql`select from locks where organisation = ${context.organisation} for update`.execute(trx);
  const all = await registeredOnes(trx, context);
  const own = all.find((one) => one.id === id);
  return own
    ? otherScheme(
        undefined,
        own,
        all.filter((one) => one !== own),
      )
    : [];
}
