import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetched } from '../kit/server/fetched.tsx';
import { keepSession, useScreenKey, useSession } from '../kit/server/session.ts';
import { ownerOf } from '../views/editor/saving/handOver.ts';
import { useLeaving, useSending, useStoredState } from './bills/bills.ts';
import { isOpenHere, type TillView } from './counter.ts';
import { loadTills } from './session/loadTills.ts';
import { TillStart } from './session/TillStart.tsx';
import '../views/views.css';
import './till.css';

const Selling = fetched(async () => (await import('./selling/Selling.tsx')).Selling);

const chosen = 'bahi.till';

/** The till: first one is chosen or opened, then bills are made at it. */
export function Till() {
  const [id, setId] = useState(() => sessionStorage.getItem(chosen));
  const session = useSession();
  const owner = ownerOf(session);
  const kept = useStoredState();
  useSending(kept.bills.filter(({ state }) => state === 'waiting').length);
  useLeaving();
  const { data, error, refetch } = useQuery({
    queryKey: useScreenKey('tills'),
    queryFn: () => loadTills(owner),
    networkMode: 'always',
    refetchOnReconnect: true,
    retry: false,
  });
  useEffect(() => {
    keepSession(session);
    void import('./worker.ts').then(({ keepPage }) => keepPage());
  }, [session]);
  const choose = (till: TillView | null) => {
    setId(till?.id ?? null);
    if (till) sessionStorage.setItem(chosen, till.id);
    else sessionStorage.removeItem(chosen);
  };
  const till = data?.filter(isOpenHere).find((one) => one.id === id);
  if (till) return <Selling key={till.session.id} till={till} kept={kept} onLeave={() => choose(null)} />;
  return <TillStart tills={data} error={data ? null : error} onRetry={() => void refetch()} onChoose={choose} />;
}
