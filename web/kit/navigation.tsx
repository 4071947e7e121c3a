import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { type ScreenName, screens } from '../../contract/screens.ts';
import { holdKeys } from './dialog/heldKeys.ts';

export type Address = Readonly<Record<string, string>>;

/** The path of a screen, spaces encoded. */
export const pathOf = (screen: ScreenName, query: Address = {}): string => {
  const text = new URLSearchParams(query).toString();
  return `/layout/${encodeURIComponent(screen)}${text ? `?${text}` : ''}`;
};

/** Milliseconds that a form which was opened has to take the focus. */
const MOST = 1000;
const writing: ReadonlySet<string> = new Set(['documentEditor', 'masterForm']);

/** Until a screen is drawn the previous one is shown: keys typed meanwhile are for the new one. */
const holdUntilDrawn = (drawn: Promise<void>, isForm: boolean): void => {
  let end: number | undefined;
  const isDrawn = () => {
    end = performance.now() + MOST;
  };
  drawn.then(isDrawn, isDrawn);
  const isInForm = () => document.activeElement?.closest('main form, [role="dialog"]') != null;
  void holdKeys(() => end !== undefined && (!isForm || isInForm() || performance.now() > end));
};

/** Goes to a screen: `go('saleview', { id })`. `replace` leaves no step to go back to. */
export const useGo = (): ((screen: ScreenName, query?: Address, replace?: boolean) => void) => {
  const navigate = useNavigate();
  const { history } = useRouter();
  return (screen, query = {}, replace = false) => {
    const isOther = decodeURIComponent(history.location.pathname) !== `/layout/${screen}` || 'show' in query;
    const drawn = navigate({ to: '/layout/$', params: { _splat: screen }, search: query, replace });
    if (isOther) holdUntilDrawn(drawn, writing.has(query['show'] ?? screens[screen].show.view));
  };
};

/** A link to a screen. */
export function ScreenLink({ screen, query, children }: { screen: ScreenName; query?: Address; children: ReactNode }) {
  return (
    <Link to="/layout/$" params={{ _splat: screen }} search={query ?? {}}>
      {children}
    </Link>
  );
}

/**
 * The query of the address as text: `?id=` names a document, `?from=` its source. That of the screen that is drawn: the
 * router's location is the next screen's already while this one still stands, and would have it ask for what is not its own.
 */
export const useAddress = (): Address => useSearch({ strict: false });

/**
 * Whether the person has left for another screen: from the click on, while this one is still drawn. An answer that
 * arrives in between must not navigate.
 */
export const useHasGoneOn = (): (() => boolean) => {
  const { history } = useRouter();
  const { _splat: name = '' } = useParams({ strict: false });
  return useCallback(() => decodeURIComponent(history.location.pathname) !== `/layout/${name}`, [history, name]);
};
