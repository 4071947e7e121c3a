import type { Clock } from '../kit/clock.ts';
import type { Books } from '../kit/database/sql.ts';
import type { Vault } from '../kit/secrets/secrets.ts';
import type { SignInClient, Tokens } from './client.ts';

/** Seconds until an issuer that did not answer is asked again. */
const AGAIN = 30;

export const openTokens = (vault: Vault, sealed: Buffer): Tokens => JSON.parse(vault.open(sealed, 'session')) as Tokens;
export const sealTokens = (vault: Vault, tokens: Tokens): Buffer => vault.seal(JSON.stringify(tokens), 'session');
export const areOld = ({ expires }: Tokens, now: number): boolean => expires * 1000 < now;

/**
 * Rotates the tokens of a session once, however many calls and processes found them old. Answers whether the session lives on:
 * only the issuer ends it; while the issuer cannot be asked, the session lives until its own end.
 */
export function tokenRotation(
  { pool }: Books,
  vault: Vault,
  client: SignInClient,
  clock: Clock,
): (digest: Buffer) => Promise<boolean> {
  const running = new Map<string, Promise<boolean>>();
  let quietUntil = 0;

  const rotate = async (digest: Buffer): Promise<boolean> => {
    const { rows } = await pool.query<{ tokens: Buffer }>(
      `
        update sessions
        set refreshing_until = now() + interval '${AGAIN} seconds'
        where digest = $1 and (refreshing_until is null or refreshing_until < now())
        returning tokens
      `,
      [digest],
    );
    if (!rows[0]) return true; // another process is at it
    const tokens = openTokens(vault, rows[0].tokens);
    if (!areOld(tokens, clock.now())) return true;
    let next: Tokens | undefined;
    try {
      next = await client.refresh(tokens);
    } catch {
      quietUntil = clock.now() + AGAIN * 1000;
      return true;
    }
    await keep(digest, next);
    return next !== undefined;
  };

  const keep = async (digest: Buffer, next: Tokens | undefined): Promise<void> => {
    if (next)
      await pool.query('update sessions set tokens = $2, seen_at = now(), refreshing_until = null where digest = $1', [
        digest,
        sealTokens(vault, next),
      ]);
    else await pool.query('delete from sessions where digest = $1', [digest]);
  };

  return (digest) => {
    const name = digest.toString('hex');
    const begun = running.get(name);
    if (begun) return begun;
    if (clock.now() < quietUntil) return Promise.resolve(true);
    const run = rotate(digest).finally(() => running.delete(name));
    running.set(name, run);
    return run;
  };
}
