import { createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { defaultPreferences, type Font, type Preferences } from './server/boot.ts';

/** The person's mode, colour and font: one store, applied to `<html>`, kept in this browser for the next first paint. */
const stored = 'bahi.preferences';
const listeners = new Set<() => void>();
const device = window.matchMedia('(prefers-color-scheme: dark)');

const remembered = (): Preferences => {
  try {
    return { ...defaultPreferences, ...(JSON.parse(localStorage.getItem(stored) ?? '{}') as Partial<Preferences>) };
  } catch {
    return defaultPreferences;
  }
};

let current: Preferences = window.__bahi?.preferences ?? remembered();

/** A font's stylesheet is fetched when it is picked; the font files follow only for the characters on the page. */
const load: Readonly<Record<Font, () => Promise<unknown>>> = {
  SegoeUI: () => import('@fontsource-variable/open-sans/wght.css'),
  OpenSans: () => import('@fontsource-variable/open-sans/wght.css'),
  Roboto: () => import('@fontsource-variable/roboto/wght.css'),
  Montserrat: () => import('@fontsource-variable/montserrat/wght.css'),
  Raleway: () => withNumbers(import('@fontsource-variable/raleway/wght.css')),
  Merriweather: () => import('@fontsource-variable/merriweather/wght.css'),
  Quicksand: () => withNumbers(import('@fontsource-variable/quicksand/wght.css')),
  Poppins: () =>
    withNumbers(Promise.all([import('@fontsource/poppins/400.css'), import('@fontsource/poppins/600.css')])),
};
/** Fonts without digits of equal width take their figures from Open Sans. */
const withNumbers = (font: Promise<unknown>) => Promise.all([font, import('@fontsource-variable/open-sans/wght.css')]);

/** Names written in Devanagari look the same in every font; its file is fetched only where such a name stands. */
const devanagari = () => import('@fontsource-variable/noto-sans-devanagari/wght.css');

const isDark = ({ mode }: Preferences): boolean => mode === 'dark' || (mode === 'default' && device.matches);

const apply = () => {
  const root = document.documentElement;
  root.toggleAttribute('data-dark', isDark(current));
  root.style.setProperty('--brand', current.colour);
  root.dataset['font'] = current.font;
  // A font that cannot be fetched leaves the fallback in place; nothing is lost.
  load[current.font]().catch(() => undefined);
  devanagari().catch(() => undefined);
  for (const tell of listeners) tell();
};

device.addEventListener('change', apply);
apply();

/** Applies preferences now and remembers them in this browser; saving them for the person is the caller's call. */
export const setPreferences = (next: Preferences): void => {
  current = next;
  try {
    localStorage.setItem(stored, JSON.stringify(next));
  } catch {
    // A browser that stores nothing still shows the choice until it is closed.
  }
  apply();
};

const subscribe = (tell: () => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};
export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => current);
export const useDark = (): boolean => useSyncExternalStore(subscribe, () => isDark(current));

const mix = (from: string, to: string, part: number): string => {
  const channel = (at: number) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round((a ?? 0) * (1 - part) + (b ?? 0) * part)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
};

/** Ten shades of a colour; the sixth is the colour itself. */
const tenShades = (colour: string): MantineColorsTuple => {
  const light = [0.94, 0.85, 0.7, 0.52, 0.34, 0.16].map((part) => mix(colour, '#ffffff', part));
  const dark = [0.14, 0.28, 0.42].map((part) => mix(colour, '#080c18', part));
  return [...light, colour, ...dark] as unknown as MantineColorsTuple;
};

const darkShades: MantineColorsTuple = [
  '#e6eaf0',
  '#c2cbd8',
  '#a0abbb',
  '#7c8798',
  '#3a4453',
  '#2c3440',
  '#1d232d',
  '#171c24',
  '#12161d',
  '#0f1319',
];

export const themeOf = (colour: string): MantineThemeOverride =>
  createTheme({
    primaryColor: 'brand',
    primaryShade: 6,
    colors: { brand: tenShades(colour), dark: darkShades },
    fontFamily: 'var(--font-ui)',
    defaultRadius: 6,
    autoContrast: true,
    cursorType: 'pointer',
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
    headings: { fontFamily: 'var(--font-ui)' },
    // who closes a list gets the focus back where it was
    components: { Popover: { defaultProps: { returnFocus: true } } },
  });
