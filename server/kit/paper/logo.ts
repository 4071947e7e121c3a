import { sql } from 'kysely';
import type { Executor } from '../database/sql.ts';

/** The organisation's logo as a page can show it, and what the file was called. */
export async function logoOf(
  trx: Executor,
  organisation: number,
): Promise<{ readonly logo: string | null; readonly name: string | null }> {
  const { rows } = await sql<{ bytes: Buffer; type: string; name: string }>`
    select f.bytes, f.type, f.name from organisations o join files f on f.organisation = o.organisation and f.digest = o.body ->> 'logo'
     where o.organisation = ${organisation}`.execute(trx);
  const [file] = rows;
  return file
    ? { logo: `data:${file.type};base64,${file.bytes.toString('base64')}`, name: file.name }
    : { logo: null, name: null };
}
