import pg from 'pg';
import { migrateOn } from '../kit/database/migrate.ts';
import { offerNewScreens } from './new-screens.ts';
import { addNewSeries } from './new-series.ts';

/** What every start does before anything else: the migrations that are missing, then the screens and number series of the release. */
export async function upgrade(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await migrateOn(client);
    await offerNewScreens(client);
    await addNewSeries(client);
  } finally {
    await client.end();
  }
}
