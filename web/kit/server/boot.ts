/**
 * The data the server writes into index.html, read once before the first paint.
 * The server replaces `__NONCE__` (every occurrence) and the word `__BOOT__` by JSON of `Boot` (with `<` escaped).
 * `preferences` are the signed-in person's; null when nobody is signed in. `offers`: whether anybody may make an organisation, and
 * whether there is a demo.
 */
export type Mode = 'default' | 'light' | 'dark';

export const colours = {
  Blue: '#104dba',
  Indigo: '#4338ca',
  Violet: '#7c3aed',
  Teal: '#0f766e',
  Green: '#15803d',
  Amber: '#b45309',
  Red: '#b91c1c',
  Slate: '#475569',
} as const;

export const fonts = [
  'SegoeUI',
  'Roboto',
  'OpenSans',
  'Montserrat',
  'Raleway',
  'Merriweather',
  'Quicksand',
  'Poppins',
] as const;

export type Font = (typeof fonts)[number];

export interface Preferences {
  readonly mode: Mode;
  /** One of the eight palette colours as #rrggbb. */
  readonly colour: string;
  readonly font: Font;
}

export interface Boot {
  readonly preferences: Preferences | null;
  readonly offers: { readonly signUp: boolean; readonly demo: boolean };
}

declare global {
  interface Window {
    readonly __bahi?: Boot | null;
  }
}

export const defaultPreferences: Preferences = { mode: 'default', colour: colours.Blue, font: 'SegoeUI' };

/** The nonce of this page, for styles made at run time; empty in the development server. */
export const nonce = (): string => document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
