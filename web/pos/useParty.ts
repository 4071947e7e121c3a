import { useEffect, useState, useSyncExternalStore } from 'react';
import { tillBillKind } from '../../domain/kinds/index.ts';
import { useSession } from '../kit/session.ts';
import { createFacts, type KnownParty } from '../views/editor/facts.ts';
import type { TillView } from './cart.ts';

/** What the price depends on of the customer chosen; undefined until the server has told it. */
export function useParty(id: string | undefined, till: TillView): KnownParty | undefined {
  const { today } = useSession();
  const [facts] = useState(() =>
    createFacts(() => ({ kind: tillBillKind, date: today, location: till.location, party: '' })),
  );
  useEffect(() => {
    if (id) facts.want({ parties: [id] });
  }, [facts, id]);
  useSyncExternalStore(facts.subscribe, facts.revision);
  return id ? facts.parties.get(id) : undefined;
}
