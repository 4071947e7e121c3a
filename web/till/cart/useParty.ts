import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { kindFor } from '../../../domain/document/kinds/index.ts';
import { useSession } from '../../kit/server/session.ts';
import { createFacts, type KnownParty } from '../../views/editor/facts.ts';
import type { TillPrices, TillView } from '../counter.ts';

/** What the price depends on of the customer chosen; undefined until the server has answered. */
export function useParty(id: string | undefined, till: TillView): KnownParty | undefined {
  const { today } = useSession();
  const [facts] = useState(() =>
    createFacts(() => ({ kind: kindFor('tillBill'), date: today, location: till.location, party: '' })),
  );
  useEffect(() => {
    if (id) facts.want({ parties: [id] });
  }, [facts, id]);
  useSyncExternalStore(facts.subscribe, facts.revision);
  return id ? facts.parties.get(id) : undefined;
}

/** A customer's price list that was made since prices were fetched here is fetched now; one that has ended is asked for once. */
export function useListHere(party: KnownParty | undefined, prices: TillPrices | undefined, fetch: () => unknown): void {
  const asked = useRef('');
  const list = party?.priceList?.id ?? '';
  useEffect(() => {
    if (!list || !prices || asked.current === list || prices.lists.some((one) => one.list.id === list)) return;
    asked.current = list;
    fetch();
  }, [list, prices, fetch]);
}
