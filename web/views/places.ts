import { allows } from '../../contract/levels.ts';
import { type Place, placeOf, screens } from '../../contract/screens.ts';
import { type Address, useGo } from '../kit/navigation.tsx';
import { useMayOpen, useSession } from '../kit/server/session.ts';

/** The locations a person may open; undefined when there is none or no right to. The server refuses too. */
export const usePlaces = (): ((kind: string, how: Parameters<typeof placeOf>[1]) => Place | undefined) => {
  const mayOpen = useMayOpen();
  const { grants } = useSession();
  return (kind, how) => {
    const place = placeOf(kind, how);
    if (!place || !mayOpen(place.screen)) return undefined;
    const level = grants[screens[place.screen].parent];
    return how === 'documentEditor' && !allows(level, 'write') ? undefined : place;
  };
};

/** Goes to a place with more in its address. */
export const useGoTo = (): ((place: Place, query?: Address, replace?: boolean) => void) => {
  const go = useGo();
  return ({ screen, query: own }, query = {}, replace = false) => go(screen, { ...own, ...query }, replace);
};

/** Whether the person may write or approve documents of a kind, by any screen of the kind. Comfort only: the server refuses too. */
export const useMayDo = (): ((kind: string, action: 'write' | 'approve') => boolean) => {
  const { grants } = useSession();
  return (kind, action) =>
    (['documentList', 'documentEditor', 'documentView'] as const).some((how) => {
      const place = placeOf(kind, how);
      const level = place && grants[screens[place.screen].parent];
      return allows(level, action);
    });
};
