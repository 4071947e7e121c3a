/** How the edit log names a program: by the name of its access token (ADR 89). The database has the same words in `log_posted`. */
const BEGINS = 'token: ';

export const originOfToken = (name: string): string => `${BEGINS}${name}`;

/** Who did something, with the access token that a program did it by. */
export const whoByToken = (who: string, token: string | null | undefined): string =>
  token ? `${who}, by token ${token}` : who;

/** Who did something, with what the edit log says of where it came from. */
export const whoFrom = (who: string, origin: string): string =>
  whoByToken(who, origin.startsWith(BEGINS) ? origin.slice(BEGINS.length) : undefined);
