import pg from 'pg';

/**
 * Row-level security is worth nothing to a role that may bypass it, by its own rights or by those of a role that it is a member
 * of: such a server does not start.
 */
export async function refuseWeakRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
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
              or exists (
                select from pg_class c
                join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relowner = r.oid
              )
          )
        order by itself desc, role
      `,
    );
    const [weak] = rows;
    if (weak)
      throw new Error(
        weak.itself
          ? 'The role of DATABASE_URL owns tables or may bypass row-level security: give the application a role of its own.'
          : `The role of DATABASE_URL is a member of ${weak.role}, which owns tables or may bypass row-level security: revoke ${weak.role} from it.`,
      );
  } finally {
    await client.end();
  }
}
