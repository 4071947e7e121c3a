import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../contract/session.ts';
import { toastError } from '../kit/dialog/toast.tsx';
import { useGo } from '../kit/navigation.tsx';
import { send } from '../kit/server/api.ts';
import { sessionQuery } from '../kit/server/session.ts';
import { NewOrganisation } from './NewOrganisation.tsx';

/** Whoever has made an organisation goes over to it. */
export function Founding({ onClose }: { onClose(): void }) {
  const cache = useQueryClient();
  const go = useGo();
  const over = async (OrgCode: string) => {
    onClose();
    try {
      const next = await send<Session>('POST', '/api/session/SwitchOrganisation', { OrgCode });
      cache.setQueryData(sessionQuery.queryKey, next);
      cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      go('Home');
    } catch (error) {
      toastError(error);
    }
  };
  return <NewOrganisation onMade={(code) => void over(code)} onClose={onClose} />;
}
