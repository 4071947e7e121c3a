import type pg from 'pg';

/** The embedded issuer's own session behind a refresh token: while it lives, its browser signs in without a password. */
const sessionOf = (parameter: string) =>
  `(select r.payload ->> 'sessionUid' from issuer_records r where r.model = 'RefreshToken' and r.id = ${parameter})`;

/** The issuer's session behind a refresh token ends too, or signing in again would ask for nothing; not the one behind `kept`. */
export async function endAtIssuer(
  pool: pg.Pool,
  person: string,
  refresh: string | undefined,
  kept?: string,
): Promise<void> {
  if (refresh === undefined) return;
  await pool.query(
    `
      delete from issuer_records
      where model = 'Session'
        and payload ->> 'accountId' = $1
        and payload ->> 'uid' = ${sessionOf('$2')}
        and payload ->> 'uid' is distinct from ${sessionOf('$3')}
    `,
    [person, refresh, kept ?? ''],
  );
}

/** All sessions of a person at the issuer end, but the one behind `kept`. */
export async function endOthersAtIssuer(pool: pg.Pool, person: string, kept: string | undefined): Promise<void> {
  await pool.query(
    `
      delete from issuer_records
      where model = 'Session'
        and payload ->> 'accountId' = $1
        and payload ->> 'uid' is distinct from ${sessionOf('$2')}
    `,
    [person, kept ?? ''],
  );
}
