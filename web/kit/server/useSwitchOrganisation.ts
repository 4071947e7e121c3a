import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../../contract/session.ts';
import { send } from './api.ts';
import { held, sessionQuery } from './session.ts';

/** Takes a session over after another organisation or place was chosen: nothing of the one before stays. */
export const useTakeSession = (): ((next: Session) => void) => {
  const cache = useQueryClient();
  return (next) => {
    cache.setQueryData(sessionQuery.queryKey, next);
    cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
};

/** Works in another of one's organisations from here on. Throws `Refused`. */
export const useSwitchOrganisation = (): ((code: string) => Promise<void>) => {
  const take = useTakeSession();
  return async (OrgCode) => take(held(await send<Session>('POST', '/api/session/SwitchOrganisation', { OrgCode })));
};
