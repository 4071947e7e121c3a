import { type Screen, type ScreenName, screenOf, screens } from '../../contract/screens.ts';
import { type Address, useGo } from '../kit/navigation.tsx';
import { useMayOpen, useSession } from '../kit/session.ts';

type How = 'documentList' | 'documentEditor' | 'documentView';
export interface Place {
  readonly screen: ScreenName;
  readonly query: Address;
}

/** Where a kind is listed, written or shown. A kind without a screen of its own for that does it on its list's screen (`show`). */
const placeOf = (kind: string, how: How): Place | undefined => {
  const own = how === 'documentList' ? undefined : screenOf({ kind }, how);
  if (own) {
    const { show: at } = screens[own] as Screen;
    return { screen: own, query: at.view === 'own' && at.returns === kind ? { kind } : {} };
  }
  const list = screenOf({ kind }, 'documentList');
  if (!list) return undefined;
  const { show } = screens[list] as Screen;
  const query = 'beside' in show && show.beside?.some((other) => other === kind) ? { kind } : {};
  if (how === 'documentList') return { screen: list, query };
  return { screen: list, query: { ...query, show: how } };
};

/** The places a person may go to; undefined when there is none or he may not. The server refuses too. */
export const usePlaces = (): ((kind: string, how: How) => Place | undefined) => {
  const mayOpen = useMayOpen();
  const { grants } = useSession();
  return (kind, how) => {
    const place = placeOf(kind, how);
    if (!place || !mayOpen(place.screen)) return undefined;
    const level = grants[screens[place.screen].parent];
    return how === 'documentEditor' && level !== 5001 && level !== 5003 ? undefined : place;
  };
};

/** Goes to a place with more in its address. */
export const useGoTo = (): ((place: Place, query?: Address, replace?: boolean) => void) => {
  const go = useGo();
  return ({ screen, query: own }, query = {}, replace = false) => go(screen, { ...own, ...query }, replace);
};

const levelsOf = { write: [5001, 5003], approve: [5002, 5003] } as const;

/** Whether the person may write or approve documents of a kind, by any screen of the kind. Comfort only: the server refuses too. */
export const useMayDo = (): ((kind: string, action: keyof typeof levelsOf) => boolean) => {
  const { grants } = useSession();
  return (kind, action) =>
    (['documentList', 'documentEditor', 'documentView'] as const).some((how) => {
      const place = placeOf(kind, how);
      const level = place && grants[screens[place.screen].parent];
      return levelsOf[action].some((allowed) => allowed === level);
    });
};
