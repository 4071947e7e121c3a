import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { allows, CREATE_AND_APPROVE } from '../../../contract/levels.ts';
import { mayOpen, type Screen, type ScreenName, screens } from '../../../contract/screens.ts';
import type { Session } from '../../../contract/session.ts';
import { everHasGst } from '../../../domain/tax/gst/registration/registered.ts';
import { cut, type DateFormat, showDate } from '../format.ts';
import { t } from '../text.ts';
import { Refused, send } from './api.ts';
import { completed } from './keptSession.ts';

/** The signed-in person in the organisation chosen; every screen under /layout has one. */
export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('a screen was drawn outside the session');
  return session;
};

const kept = 'bahi.session';
/** A till goes on without the network, after a reload too: until the session ends, or who it is signs out. It holds no token. */
export const keepSession = (session: Session): void => localStorage.setItem(kept, JSON.stringify(session));
const keptSession = (): Session | undefined => {
  const found = completed(readKept());
  return found && Date.parse(found.expiresAt) > Date.now() ? found : undefined;
};
const readKept = (): unknown => {
  try {
    return JSON.parse(localStorage.getItem(kept) ?? 'null');
  } catch {
    return null; // what is no JSON is no session
  }
};
/** Whether a session is kept that this version cannot read. */
const isOfEarlier = (): boolean => localStorage.getItem(kept) !== null && completed(readKept()) === undefined;
const OF_EARLIER =
  'This browser has kept your session from an earlier version. Connect to the network once to go on. Bills that wait here are kept';
const dropSession = (): void => localStorage.removeItem(kept);

/** The session with what its grants are together: the answer tells the highest of each screen and names those with both. */
export const held = (session: Session): Session => ({
  ...session,
  grants: { ...session.grants, ...Object.fromEntries(session.both.map((screen) => [screen, CREATE_AND_APPROVE])) },
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      const session = held(await send<Session>('GET', '/api/session/GetSession', {}, { signal }));
      // the kept session of another person is dropped
      const before = keptSession();
      if (before && before.subject !== session.subject) dropSession();
      return session;
    } catch (problem) {
      if (problem instanceof Refused && problem.status === 401) dropSession();
      if (!(problem instanceof Refused) || problem.status !== 0) throw problem;
      const known = keptSession();
      if (known) return known;
      throw isOfEarlier() ? new Refused({ ...problem, message: t(OF_EARLIER) }) : problem;
    }
  },
  refetchOnReconnect: true,
  retry: false,
  staleTime: 60_000,
});

/** Comfort only: the server refuses too. */
export { mayOpen, screens } from '../../../contract/screens.ts';

export const useMayOpen = (): ((name: ScreenName) => boolean) => {
  const { grants } = useSession();
  return (name) => mayOpen(grants, screens[name]);
};

/** Whether this person may change what is set up on a screen. Comfort only: the server refuses too. */
export const useMayWrite = (name: ScreenName): boolean => allows(useSession().grants[screens[name].parent], 'settings');

/** Whether GST concerns the organisation: one of its registrations is one, on some days at least. */
export const usesGst = ({ registrations }: Pick<Session, 'registrations'>): boolean => registrations.some(everHasGst);
/** Whether a group of screens or reports is of any use: that of GST is not where nobody has a registration. */
export const concerns = (group: string, session: Pick<Session, 'registrations'>): boolean =>
  group !== 'GST' || usesGst(session);

/** Shows ISO dates as the organisation has set. */
export const useDateFormat = (): { readonly format: DateFormat; show(date: string | null | undefined): string } => {
  const { dateFormat } = useSession().settings;
  return { format: dateFormat, show: (date) => showDate(date, dateFormat) };
};

type Whose = Partial<Pick<Session, 'subject' | 'organisation'>>;
const lastPlace = ({ subject, organisation }: Whose): string => `bahi.lastPlace.${organisation?.code}.${subject}`;
/** Where the person made the last document: the next one begins there while the top bar says All. */
export const keepLastUsed = (session: Session, location: string): void =>
  localStorage.setItem(lastPlace(session), location);
export const lastUsed = (session: Whose): { readonly location: string } | undefined => {
  const location = typeof localStorage === 'undefined' ? null : localStorage.getItem(lastPlace(session));
  return location === null ? undefined : { location };
};

type Placed = Pick<Session, 'locations' | 'registrations' | 'taxLocation'> &
  Partial<Pick<Session, 'physicalLocation'>> &
  Whose;
/**
 * Where new documents, returns and challans begin: at the places of the top bar; while it says All, where the person made the
 * last document, else at the place that the organisation began with. Its id is the lowest: ids are in the order of time.
 */
export const usualPlace = (session: Placed): { readonly location: string; readonly registration: string } => {
  const { locations, registrations, taxLocation, physicalLocation } = session;
  const of = (id: string | null | undefined) => locations.find((l) => l.id === id);
  const tax = of(taxLocation);
  const stands = (at: Session['locations'][number]) => at.isPhysical && (!tax || at.registration === tax.registration);
  const last = of(lastUsed(session)?.location);
  const oldest = [...locations].sort((a, b) => (a.id < b.id ? -1 : 1));
  const place = of(physicalLocation) ?? (last && stands(last) ? last : undefined) ?? oldest.find(stands) ?? oldest[0];
  return {
    location: place?.id ?? '',
    registration: tax?.registration ?? place?.registration ?? registrations[0]?.id ?? '',
  };
};

/** The places chosen in the top bar, as every call that lists knows them; left out: all. */
export const usePlaceFilter = (): { readonly SubOrgCode?: string; readonly TaxLocation?: string } => {
  const { physicalLocation, taxLocation } = useSession();
  return {
    ...(physicalLocation && { SubOrgCode: physicalLocation }),
    ...(taxLocation && { TaxLocation: taxLocation }),
  };
};

/** The key of a screen's data: gone when the organisation or a location changes. */
export const useScreenKey = (...parts: QueryKey): QueryKey => {
  const { organisation, taxLocation, physicalLocation } = useSession();
  return ['screen', organisation.code, taxLocation, physicalLocation, ...parts];
};

/** Reads a call into the cache of the screen: `useCall('reports/RunReport', {...})`. Old rows stay while refetching. */
export const useCall = <T>(call: string, input: Readonly<Record<string, unknown>> = {}, enabled = true) =>
  useQuery<T>({
    queryKey: useScreenKey(call, input),
    queryFn: ({ signal }) => send<T>('GET', `/api/${call}`, input, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  });

const marker = 'bahi.user';

/** What the shell looks for when it loads: who the person is, no token. */
export const keepMarker = ({ subject, name, organisation, expiresAt }: Session): void =>
  sessionStorage.setItem(marker, JSON.stringify({ subject, name, organisation: organisation.code, expiresAt }));
export const hasMarker = (): boolean => sessionStorage.getItem(marker) !== null;
export const dropMarker = (): void => sessionStorage.removeItem(marker);

const place = 'bahi.place';
/** The address at which a session ended: after the sign-in in this tab the person continues there. */
export const rememberPlace = ({ subject }: Pick<Session, 'subject'>): void =>
  sessionStorage.setItem(place, JSON.stringify({ subject, path: window.location.pathname + window.location.search }));
/** The place remembered for this person, once. */
export const takePlace = ({ subject }: Pick<Session, 'subject'>): string | undefined => {
  const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as { subject: string; path: string } | null;
  sessionStorage.removeItem(place);
  return kept?.subject === subject && kept.path.startsWith('/layout/') ? kept.path : undefined;
};

const savers = new Set<() => Promise<void>>();
/** An editor with unsaved work names how to save it; sign-out waits for it. Answers how to take it back. */
export const beforeSignOut = (save: () => Promise<void>): (() => void) => {
  savers.add(save);
  return () => void savers.delete(save);
};

/** What a till's worker keeps of the pages goes too. */
const forgetPages = async (): Promise<void> => {
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister();
  if ('caches' in window) for (const name of await caches.keys()) await caches.delete(name);
};

/** Under names that begin so stand drafts whose tab was closed before the browser's database had them. */
export const DRAFT_LEFT = 'bahi.draft.';

/** Saves what is open, ends the session, clears this browser and goes where the server says. */
export const signOut = async (): Promise<void> => {
  await Promise.all([...savers].map((save) => save()));
  const { redirect } = await send<{ redirect: string }>('POST', '/api/session/SignOut');
  // a draft that a closed tab left in its last moment belongs to its person, who may not have come back yet
  for (const name of Object.keys(localStorage)) if (!name.startsWith(DRAFT_LEFT)) localStorage.removeItem(name);
  sessionStorage.clear();
  await forgetPages().catch(() => undefined);
  window.location.assign(redirect);
};

/** "Sale Invoice · Organisation". */
export const titleOf = (screen: Screen, session: Session): string =>
  `${screen.label} · ${cut(session.organisation.name, 30)}`;
