import { sql } from 'kysely';
import { say } from '../../domain/base/say.ts';
import type { Id } from '../../domain/document/document.ts';
import type { Books } from './database/sql.ts';
import { Problems } from './problems.ts';

/** What any call may say about where: places choose among what somebody may see, and never grant. */
export interface Places {
  readonly SubOrgCode?: unknown;
  readonly OrgBranchCode?: unknown;
  readonly TaxLocation?: unknown;
}

const nowhere = '00000000-0000-0000-0000-000000000000';

/** Who asks, and where they may. */
interface Asker {
  readonly organisation: number;
  readonly user: Id;
  readonly locations: readonly Id[];
}

/** All, as the pickers say it. */
const isAll = (value: unknown): boolean => value === undefined || value === '' || value === 'All';

/**
 * Locations that a call is about: those of the person, narrowed by the physical location (its code or id) and by the
 * registration (GSTIN or id, or the code or id of its tax location) that were chosen. An unknown one is a problem at its field.
 */
export async function chosenLocations(
  books: Books,
  member: Asker,
  places: Places,
): Promise<{ readonly locations: readonly Id[]; readonly registration?: Id }> {
  const asked = (['SubOrgCode', 'OrgBranchCode', 'TaxLocation'] as const).filter((field) => !isAll(places[field]));
  if (asked.length === 0) return { locations: member.locations };
  const { rows } = await books.inTransaction(member, (trx) =>
    sql<{ id: Id; code: string; registration: Id; gstin: string | null }>`
      select l.id, l.code, l.registration, r.gstin
        from locations l
        join registrations r on r.organisation = l.organisation and r.id = l.registration
       where l.organisation = ${member.organisation}
         and not l.is_transit`.execute(trx),
  );
  const own = rows.filter(({ id }) => member.locations.length === 0 || member.locations.includes(id));
  let chosen = own;
  let registration: Id | undefined;
  for (const field of asked) {
    const value = String(places[field]);
    const isOne = ({ id, code }: (typeof own)[number]) =>
      id === value.toLowerCase() || code.toUpperCase() === value.toUpperCase();
    const found =
      field === 'TaxLocation'
        ? own.filter(
            (row) => isOne(row) || row.registration === value.toLowerCase() || row.gstin === value.toUpperCase(),
          )
        : own.filter(isOne);
    if (found.length === 0)
      throw new Problems([{ field, ...say('There is no location {{value}} that you may use', { value }) }]);
    registration = field === 'TaxLocation' ? found[0]?.registration : registration;
    chosen = chosen.filter((row) =>
      field === 'TaxLocation' ? row.registration === found[0]?.registration : found.includes(row),
    );
  }
  return {
    locations: chosen.length > 0 ? chosen.map(({ id }) => id) : [nowhere],
    ...(registration && { registration }),
  };
}
