import { useDebouncedValue } from '@mantine/hooks';
import type { Details } from '../../contract/contract.ts';
import type { findCalls } from '../../contract/finding.ts';
import { type ScreenName, screenOf } from '../../contract/screens.ts';
import { kindLabel } from '../../domain/document/kinds/index.ts';
import { inCurrency } from '../kit/format.ts';
import type { Address } from '../kit/navigation.tsx';
import { useCall, useDateFormat, useMayOpen, useSession } from '../kit/server/session.ts';
import { t } from '../kit/text.ts';
import { pagePlace } from '../views/master/page.ts';
import { usePlaces } from '../views/places.ts';

type Found = Details<(typeof findCalls)['FindAnything']>;
type Document = Found['documents'][number];
type Party = Found['parties'][number];

/** A text of a row; what was typed is marked in it, or all of it. */
export interface Shown {
  readonly text: string;
  readonly marks?: 'typed' | 'all';
}

/** A record that was found: what is shown of it, and where it is opened. */
export interface FoundRow {
  readonly id: string;
  readonly name: Shown;
  readonly details: readonly Shown[];
  readonly amount?: Shown;
  readonly screen: ScreenName;
  readonly query: Address;
}

export interface FoundGroup {
  readonly label: string;
  readonly rows: readonly FoundRow[];
}

/** Milliseconds without a key after which the server is asked. */
const PAUSE = 120;

/** Whether a text is worth a search: the server finds nothing by a single letter. */
const saysSomething = (text: string): boolean => text.length > 1 || /\d/.test(text);

const typedIn = (text: string): Shown => ({ text, marks: 'typed' });
const plain = (text: string): Shown => ({ text });
const written = (details: readonly Shown[]): readonly Shown[] => details.filter(({ text }) => text !== '');

/** How a document is shown; where it is opened is for the person's rights to say. */
const shownDocument = (document: Document, day: (date: string) => string) => {
  const { kind, number, date, party, reference, total, foreignTotal, currency, meant, cancelled } = document;
  const worth = foreignTotal ?? total;
  return {
    name: meant === 'number' ? typedIn(number) : plain(number),
    details: written([
      plain(t(kindLabel(kind))),
      plain(day(date)),
      meant === 'party' || meant === 'buyer' ? typedIn(party) : plain(party),
      meant === 'reference' ? typedIn(reference ?? '') : plain(''),
      plain(cancelled ? t('Cancelled') : ''),
    ]),
    ...(worth !== null && {
      amount: { text: inCurrency(worth, currency), ...(meant === 'amount' && { marks: 'all' as const }) },
    }),
  };
};

const shownParty = ({ name, code, gstin, phone, city, active }: Party) => ({
  name: typedIn(name),
  details: written([
    typedIn(code),
    typedIn(gstin ?? ''),
    typedIn(phone),
    plain(city),
    plain(active ? '' : t('Inactive')),
  ]),
});

const shownItem = ({ name, sku, barcode, active }: Found['items'][number]) => ({
  name: typedIn(name),
  details: written([typedIn(sku), typedIn(barcode), plain(active ? '' : t('Inactive'))]),
});

/** Where a record is opened: as its page, in its form, or else in the list of its master. */
const useRecordPlace = () => {
  const mayOpen = useMayOpen();
  return (master: string, id: string, name: string): Pick<FoundRow, 'screen' | 'query'> | undefined => {
    const [form, list] = [screenOf({ master }, 'masterForm'), screenOf({ master }, 'masterList')];
    const page = pagePlace(master, id);
    if (page && mayOpen(page.screen)) return page;
    if (form && mayOpen(form)) return { screen: form, query: { id } };
    return list && mayOpen(list) ? { screen: list, query: { search: name } } : undefined;
  };
};

const opened = <T>(
  all: readonly T[],
  rowOf: (one: T) => Omit<FoundRow, 'screen' | 'query'>,
  placeOf: (one: T) => Pick<FoundRow, 'screen' | 'query'> | undefined,
): readonly FoundRow[] =>
  all.flatMap((one) => {
    const place = placeOf(one);
    return place ? [{ ...rowOf(one), ...place }] : [];
  });

export interface FoundRecords {
  readonly groups: readonly FoundGroup[];
  /** The answer to what is typed now is still to come. */
  readonly isPending: boolean;
  readonly isFailed: boolean;
}

const none: FoundRecords = { groups: [], isPending: false, isFailed: false };

/** Documents, parties and items that are meant by what was typed, as this person may open them. */
export function useFound(typed: string): FoundRecords {
  const session = useSession();
  const places = usePlaces();
  const recordPlace = useRecordPlace();
  const { show } = useDateFormat();
  const text = typed.trim();
  const [asked] = useDebouncedValue(text, PAUSE);
  const mayFind = Object.keys(session.grants).length > 0;
  const { data, isPlaceholderData, isPending, error } = useCall<Found>(
    'search/FindAnything',
    { search: asked },
    mayFind && saysSomething(asked),
  );
  if (!mayFind || !saysSomething(text)) return none;
  const isWaiting = asked !== text || isPlaceholderData || isPending;
  if (error) return { ...none, isPending: asked !== text, isFailed: asked === text };
  const { documents = [], parties = [], items = [] } = data ?? {};
  const groups = [
    {
      label: t('Documents'),
      rows: opened(
        documents,
        (document) => ({ id: `document ${document.id}`, ...shownDocument(document, show) }),
        ({ id, kind }) => {
          const place = places(kind, 'documentView');
          return place && { screen: place.screen, query: { ...place.query, id } };
        },
      ),
    },
    {
      label: t('Parties'),
      rows: opened(
        parties,
        (party) => ({ id: `party ${party.id}`, ...shownParty(party) }),
        ({ id, master, name }) => recordPlace(master, id, name),
      ),
    },
    {
      label: t('Items'),
      rows: opened(
        items,
        (item) => ({ id: `item ${item.id}`, ...shownItem(item) }),
        ({ id, name }) => recordPlace('item', id, name),
      ),
    },
  ];
  return { groups: groups.filter(({ rows }) => rows.length > 0), isPending: isWaiting, isFailed: false };
}
