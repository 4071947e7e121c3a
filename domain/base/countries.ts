const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The English name of a country by its two letters (ISO 3166-1); undefined for letters that name none. */
export const countryName = (code: string): string | undefined => {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  const name = names.of(code);
  // letters that are kept free for users have no country behind them
  return name === 'Unknown Region' ? undefined : name;
};
