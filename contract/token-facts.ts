/** What a token allows of what its maker may do: all of it, or only calls that read. */
export const tokenScopes = ['own', 'view'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** How a secret begins, so that people and scanners recognise it. */
export const TOKEN_BEGINS = 'bahi_';

/** So many valid tokens a user has at most in an organisation. */
export const MOST_TOKENS = 20;
/** Days after which a token ends at the latest. */
export const MOST_DAYS = 365;

/** What people choose from: how much, and for how long. */
export const scopeLabels: Readonly<Record<TokenScope, string>> = {
  own: 'All that I may do',
  view: 'Only read',
};
export const tokenDays = [30, 90, 180, MOST_DAYS] as const;
