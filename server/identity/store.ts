import type { Adapter, AdapterPayload } from 'oidc-provider';
import type pg from 'pg';

type Row = { payload: AdapterPayload; consumed_at: Date | null };
const read = (row: Row | undefined): AdapterPayload | undefined =>
  row && { ...row.payload, ...(row.consumed_at && { consumed: Math.floor(row.consumed_at.getTime() / 1000) }) };

/**
 * What the embedded issuer remembers: one table, by model and id; expired rows answer like rows that never were. What cannot be
 * kept or looked up, for it holds NUL, is thrown as `unreadable`.
 */
export const issuerStore =
  (pool: pg.Pool, unreadable: () => Error) =>
  (model: string): Adapter => {
    const mustBeText = (text: string): string => {
      if (text.includes('\0')) throw unreadable();
      return text;
    };
    return {
      upsert: async (id, payload, expiresIn) => {
        if (JSON.stringify([id, payload]).includes('\\u0000')) throw unreadable();
        await pool.query(
          `
            insert into issuer_records (model, id, payload, grant_id, user_code, uid, expires_at)
            values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
            on conflict (model, id) do update
            set
              payload = excluded.payload, grant_id = excluded.grant_id, user_code = excluded.user_code,
              uid = excluded.uid, expires_at = excluded.expires_at
          `,
          [
            model,
            id,
            payload,
            payload.grantId ?? null,
            payload.userCode ?? null,
            payload.uid ?? null,
            expiresIn ?? 1_209_600,
          ],
        );
      },
      find: async (id) =>
        read(
          (
            await pool.query<Row>(
              'select payload, consumed_at from issuer_records where model = $1 and id = $2 and expires_at > now()',
              [model, mustBeText(id)],
            )
          ).rows[0],
        ),
      findByUid: async (uid) =>
        read(
          (
            await pool.query<Row>(
              'select payload, consumed_at from issuer_records where model = $1 and uid = $2 and expires_at > now()',
              [model, mustBeText(uid)],
            )
          ).rows[0],
        ),
      findByUserCode: async (code) =>
        read(
          (
            await pool.query<Row>(
              'select payload, consumed_at from issuer_records where model = $1 and user_code = $2 and expires_at > now()',
              [model, mustBeText(code)],
            )
          ).rows[0],
        ),
      consume: async (id) => {
        await pool.query('update issuer_records set consumed_at = now() where model = $1 and id = $2', [model, id]);
      },
      destroy: async (id) => {
        await pool.query('delete from issuer_records where model = $1 and id = $2', [model, id]);
      },
      revokeByGrantId: async (grant) => {
        await pool.query('delete from issuer_records where grant_id = $1', [grant]);
      },
    };
  };
