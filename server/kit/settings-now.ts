import { sql } from 'kysely';
import { type GeneralConfiguration, generalConfiguration } from '../../contract/session.ts';
import type { Executor } from './database/sql.ts';

/** The general configuration as it is at this moment: what a session remembers of it may be two seconds old. */
export async function settingsNow(run: Executor, organisation: number): Promise<GeneralConfiguration> {
  const { rows } = await sql<{ settings: unknown }>`
    select settings from organisations where organisation = ${organisation}`.execute(run);
  return generalConfiguration.parse(rows[0]?.settings ?? {});
}
