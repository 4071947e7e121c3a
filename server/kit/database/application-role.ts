import pg from 'pg';

/** Roles of PostgreSQL that reach past row-level security or outside the database. */
const POWERFUL = [
  'pg_read_all_data',
  'pg_write_all_data',
  'pg_execute_server_program',
  'pg_read_server_files',
  'pg_write_server_files',
];

/**
 * Row-level security is worth nothing to a role that may bypass it, by its own rights or by those of a role that it is a member
 * of: such a server does not start.
 */
export async function refuseWeakRole(url: string): Promise<void> {
  const [weak] = await weakRole(url);
  if (weak) throw new Error(weak);
}

/** What is wrong with the role of the application, in a sentence; nothing when it is as it has to be. */
export async function weakRole(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // the question that fails reports it
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string; itself: boolean }>(
      `
        select r.rolname as role, r.rolname = current_user as itself
        from pg_roles r
        where pg_has_role(current_user, r.oid, 'member')
          and (
            r.rolsuper
              or r.rolbypassrls
              or r.rolreplication
              or r.rolcreaterole
              or r.rolname = any($1)
              or exists (
                select from pg_class c
                join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relowner = r.oid
              )
          )
        order by itself desc, role
      `,
      [POWERFUL],
    );
    return rows
      .slice(0, 1)
      .map((weak) =>
        weak.itself
          ? 'The role of DATABASE_URL owns tables or may bypass row-level security: give the application a role of its own.'
          : `The role of DATABASE_URL is a member of ${weak.role}, which owns tables or may bypass row-level security: revoke ${weak.role} from it.`,
      );
  } finally {
    await client.end();
  }
}
