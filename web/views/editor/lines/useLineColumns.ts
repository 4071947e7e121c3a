import { useMemo, useSyncExternalStore } from 'react';
import { ledgersOfLines } from '../../../../domain/books/money-ledgers.ts';
import { looksScanned } from '../../../../domain/items/barcode.ts';
import { isRetailValued } from '../../../../domain/tax/gst/rates/retail-valued.ts';
import { useMayMake } from '../../../kit/fields/making.ts';
import type { GridColumn } from '../../../kit/grid/gridPaste.ts';
import { useSession } from '../../../kit/server/session.ts';
import { type Model, useHasNoCredit, useHead, useIsPlain } from '../model.ts';
import { useItemSearch, usePartySearch, usePick } from '../searches.ts';
import { useIsAtCost } from '../totals.ts';
import { columnsOf, type PartsUsed, type Searches } from './columns.ts';
import { creator, type Making } from './makeForLine.ts';

/** So many digits in the field of an item are a code; what may be a name is searched for. */
const scanInto = (take: (code: string) => void) => (typed: string) => {
  if (!looksScanned(typed)) return false;
  take(typed);
  return true;
};

interface Wanted {
  /** Few fields a line. */
  readonly quick: boolean;
  /** The lines of a return are typed. */
  readonly typed: boolean;
  /** Takes a code from a scanner, where barcodes are used. */
  readonly scan: ((code: string) => void) | undefined;
  /** Opens the form of a record that a line names. */
  make(making: Making): void;
}

/** The columns of the lines of a document. */
export function useLineColumns(model: Model, wanted: Wanted): readonly GridColumn[] {
  const { kind } = model;
  const { quick } = wanted;
  const currency = useHead(model, 'currency');
  const searches = useLineSearches(model, wanted);
  const used = usePartsUsed(model, wanted);
  return useMemo(() => columnsOf(kind, searches, quick, used, currency), [kind, searches, quick, used, currency]);
}

/** What the fields of a line search, and which records can be made from them. */
function useLineSearches(model: Model, { scan, make }: Wanted): Searches {
  const { kind, lines } = model;
  const items = useItemSearch(useHead(model, 'location'));
  const ledgers = usePick(ledgersOfLines(kind));
  const parties = usePartySearch('both');
  const rooms = usePick('warehouse');
  const costCentres = usePick('costCentre');
  const mayMake = useMayMake();
  const [ofLedgers, ofRooms, ofCentres] = [mayMake('ledger'), mayMake('warehouse'), mayMake('costCentre')];
  return useMemo(
    () => ({
      ...{ items, ledgers, parties, rooms, costCentres },
      createItem: creator(lines, 'item', make),
      ...(ofLedgers && { createLedger: creator(lines, 'ledger', make) }),
      ...(ofRooms && { createRoom: creator(lines, 'warehouse', make) }),
      ...(ofCentres && { createCentre: creator(lines, 'costCentre', make) }),
      ...(scan && { scan: scanInto(scan) }),
    }),
    [lines, items, ledgers, parties, rooms, costCentres, ofLedgers, ofRooms, ofCentres, scan, make],
  );
}

/** Which parts of a line the organisation and this document use. */
function usePartsUsed(model: Model, { quick, typed }: Wanted): PartsUsed {
  const { kind, facts, lines } = model;
  const { settings, costCentres: hasCentres } = useSession();
  const { enableBatch: batches, enableSerialization: serials, isWarehouse: rooms } = settings;
  const atCost = useIsAtCost(model);
  const plain = useIsPlain(model);
  const noCredit = useHasNoCredit(model);
  const currencies = useSyncExternalStore(facts.subscribe, () =>
    [...facts.ledgers.values()].some((ledger) => ledger.currency !== null),
  );
  const namesCentre = useSyncExternalStore(lines.subscribe, () => lines.rows().some((row) => row['costCentreId']));
  const date = useHead(model, 'date');
  const retail = useSyncExternalStore(
    lines.subscribe,
    () =>
      kind.gst.tax !== 'none' &&
      lines.rows().some((row) => row['retailPrice'] || isRetailValued(row['hsn'] ?? '', date)),
  );
  const costCentres = !quick && (hasCentres || namesCentre);
  return useMemo(
    () => ({ batches, serials, rooms, currencies, costCentres, atCost, plain, noCredit, retail, typed }),
    [batches, serials, rooms, currencies, costCentres, atCost, plain, noCredit, retail, typed],
  );
}
