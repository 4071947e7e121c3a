import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Context } from '../context.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];

/** Refuses people limited to places what is about the whole organisation: its books, its locks, its edit log. */
export function wholeOrganisation({ locations }: Pick<Context, 'locations'>): void {
  if (locations.length > 0) throw new Refusal('noAccess');
}

/** Whether somebody has to do with a user of these places: who is limited to places only with those who work at no others. */
export const worksWithin = ({ locations }: Pick<Context, 'locations'>, places: readonly Id[]): boolean =>
  locations.length === 0 || (places.length > 0 && places.every((place) => locations.includes(place)));

/** Refuses what is about all of a registration to people who may not use each of its locations. */
export async function wholeRegistration(
  trx: Trx,
  { organisation, locations }: Pick<Context, 'organisation' | 'locations'>,
  registration: Id,
): Promise<void> {
  if (locations.length === 0) return;
  const { rows } = await sql<{ whole: boolean | null }>`
    select bool_and(l.id = any(${[...locations]}::uuid[])) as whole
    from locations l
    where l.organisation = ${organisation} and l.registration = ${registration}::uuid and not l.is_transit
  `.execute(trx);
  if (!rows[0]?.whole) throw new Refusal('noAccess');
}

/** Registrations of the locations that somebody may use; undefined: all. */
export async function ownRegistrations(
  trx: Trx,
  { organisation, locations }: Pick<Context, 'organisation' | 'locations'>,
): Promise<ReadonlySet<Id> | undefined> {
  if (locations.length === 0) return undefined;
  const { rows } = await sql<{ registration: Id }>`
    select distinct l.registration
    from locations l
    where l.organisation = ${organisation} and l.id = any(${[...locations]}::uuid[])
  `.execute(trx);
  return new Set(rows.map(({ registration }) => registration));
}
