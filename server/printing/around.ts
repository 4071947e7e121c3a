import { sql } from 'kysely';
import type { AdditionalField } from '../../domain/document/additional.ts';
import type { Address, Draft } from '../../domain/document/document.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { addressThen } from '../../domain/document/party-then.ts';
import { dispatchedFrom, type OwnAddress, receivedAt } from '../../domain/tax/gst/registration/own-places.ts';
import { stateName } from '../../domain/tax/gst/registration/states.ts';
import { additionalFields } from '../additional/index.ts';
import type { Context } from '../context.ts';
import type { viewDocument } from '../documents/index.ts';
import type { Block } from '../paper/index.ts';

type Trx = Parameters<Parameters<Context['inTransaction']>[0]>[0];
export type View = Awaited<ReturnType<typeof viewDocument>>;

/** The parts of a paper that the document's view lacks: who and where, and what a note is against. */
export interface Around {
  readonly own: Block;
  readonly legalName: string;
  readonly parties: readonly Block[];
  readonly composition: boolean;
  /** Whether GST concerns us: without registration there is none. */
  readonly registered: boolean;
  readonly bank: Block | undefined;
  /** Address of the account for UPI, where one is kept. */
  readonly upi: string | undefined;
  /** State code of the place of supply, as it was posted. */
  readonly place: string | undefined;
  /** Additional fields that are printed. */
  readonly additional: readonly AdditionalField[];
  readonly sources: readonly { readonly number: string; readonly date: string }[];
  /** What an advance is for, where it says an order: the descriptions of its lines. */
  readonly ordered: readonly string[];
}

const present = (...all: readonly (string | undefined | null | false)[]): string[] =>
  all.filter((text): text is string => Boolean(text));
const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const countryName = (code: string | undefined): string | undefined =>
  code && code !== 'IN' && /^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined;
const stateLine = (code: string | undefined): string | undefined =>
  code && stateName(code) ? `State ${code} – ${stateName(code)}` : undefined;
/** Rule 46: name, address and registration of a party; abroad its country in the place of a state. */
const addressLines = (
  address: Partial<Address> | undefined,
  gstin: string | null | undefined,
  state: string | undefined,
  country = address?.country,
): string[] =>
  present(
    address?.line1,
    address?.line2,
    [address?.city, address?.pincode === '999999' ? '' : address?.pincode].filter(Boolean).join(' '),
    gstin ? `GSTIN ${gstin}` : undefined,
    countryName(country) ?? stateLine(state),
    address?.phone && `Phone ${address.phone}`,
  );

/** Which party is on which side of the printed document. */
const headings: Readonly<Record<Kind['party']['side'], { readonly own: string; readonly party: string }>> = {
  customer: { own: 'From', party: 'To' },
  supplier: { own: 'Buyer', party: 'Supplier' },
  none: { own: 'From', party: 'To' },
};

interface Registration {
  legal_name: string;
  gstin: string | null;
  state: string;
  kind: string;
  body: Record<string, string>;
}
interface Party {
  name: string;
  gstin: string | null;
  state: string;
  country: string;
  body: { addresses?: (Partial<Address> & { readonly type?: string })[] };
}

interface Bank {
  name: string;
  body: Record<string, string>;
}
interface Place {
  name: string;
  registration: string;
  body: OwnAddress;
}
interface Source {
  number: string;
  date: string;
  place: string;
  registration: string;
  body: OwnAddress;
  ordered: readonly string[];
}

/** What a posted document has of its place of supply and its party; country and address only where it keeps them. */
interface Recorded {
  place: string | null;
  gstin: string | null;
  state: string | null;
  country: string | null;
  address: Partial<Address> | null;
}

async function registrationOf(
  trx: Trx,
  organisation: number,
  id: string,
  date: string,
): Promise<Registration | undefined> {
  const { rows } = await sql<Registration>`
    select
      legal_name,
      case when registration_status(organisation, id, ${date}::date) <> 'unregistered' then gstin end as gstin,
      state, registration_status(organisation, id, ${date}::date) as kind, body
    from registrations
    where organisation = ${organisation} and id = ${id}
  `.execute(trx);
  return rows[0];
}

async function partyOf(trx: Trx, organisation: number, id: string): Promise<Party | undefined> {
  const { rows } = await sql<Party>`
    select name, gstin, state, country, body
    from parties
    where organisation = ${organisation} and id = ${id}
  `.execute(trx);
  return rows[0];
}

/** The bank that is printed: the default one, or any that is active. */
async function bankOf(trx: Trx, organisation: number): Promise<Bank | undefined> {
  const { rows } = await sql<Bank>`
    select name, body
    from masters
    where organisation = ${organisation} and master = 'bank' and active
    order by coalesce((body ->> 'isDefault')::boolean, false) desc
    limit 1
  `.execute(trx);
  return rows[0];
}

async function placeOf(trx: Trx, organisation: number, id: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select name, registration, body from locations where organisation = ${organisation} and id = ${id}
  `.execute(trx);
  return rows[0];
}

async function recordedOf(trx: Trx, organisation: number, id: string): Promise<Recorded | undefined> {
  const { rows } = await sql<Recorded>`
    select
      place_of_supply as place, party_gstin as gstin, party_state as state, body #>> '{partyThen,country}' as country,
      nullif(body #> '{partyThen,address}', 'null') as address
    from documents
    where organisation = ${organisation} and id = ${id}
  `.execute(trx);
  return rows[0];
}

/** The documents that it was made from, in the order of their days. */
async function sourcesOf(trx: Trx, organisation: number, view: View): Promise<readonly Source[]> {
  const ids = view.links.filter(({ role }) => role === 'source').map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<Source>`
    select
      d.number, d.date::text as date, l.name as place, l.body, d.registration,
      array(
        select x.description
        from document_lines x
        where x.organisation = d.organisation and x.document = d.id
        order by x.line
      ) as ordered
    from documents d
    join locations l on l.organisation = d.organisation and l.id = d.location
    where d.organisation = ${organisation} and d.id = any(${ids}::uuid[])
    order by d.date, d.number
  `.execute(trx);
  return rows;
}

/** Name, address and registration of one of our own registrations. */
const registrationLines = (
  { legal_name, gstin }: Registration,
  address: { readonly line1?: string; readonly line2?: string; readonly city?: string; readonly pincode?: string },
  state: string,
): string[] =>
  present(
    legal_name,
    address.line1,
    address.line2,
    [address.city, address.pincode].filter(Boolean).join(' '),
    gstin ? `GSTIN ${gstin}` : 'Not registered under GST',
    stateLine(state),
  );

// a place with an address of its own is there, and not where its registration is (rules 46 and 55(1))
const ownEnd = ({ legal_name, state, body }: Registration, place: Place) => ({
  registration: { legalName: legal_name, state, address: body },
  place: { name: place.name, address: place.body },
});

/** One of our own registrations at the place where it receives. */
function receivingLines(registration: Registration, place: Place): string[] {
  const at = receivedAt(ownEnd(registration, place));
  return at
    ? registrationLines(registration, at, at.state)
    : registrationLines(registration, registration.body, registration.state);
}

/** The party as it was when the document was posted, whatever the party became since. */
function partyBlock(heading: string, view: View, draft: Draft, party: Party | undefined, recorded?: Recorded): Block[] {
  const name = (recorded && view.party?.name) || party?.name || draft.billTo?.name || draft.partyName;
  if (!name) return [];
  const now = party && {
    ...party,
    address: party.body.addresses?.find(({ type }) => type !== 'shipping') ?? party.body.addresses?.[0],
  };
  const then = now && (recorded?.state ? { ...recorded, state: recorded.state } : { ...now, address: null });
  const billTo = draft.billTo ?? ((now && then && addressThen(then, now)) || undefined);
  const country = then?.country ?? party?.country ?? billTo?.country;
  return [{ heading, lines: [name, ...addressLines(billTo, then?.gstin, then?.state ?? billTo?.state, country)] }];
}

function shipToBlock({ shipTo }: Draft, name: string | undefined): Block[] {
  if (!shipTo?.line1) return [];
  const lines = present(shipTo.name ?? name, ...addressLines(shipTo, shipTo.gstin, shipTo.state));
  return [{ heading: 'Delivered to', lines }];
}

/** Where our goods leave from, where that is not the address of the registration. */
function dispatchBlock(kind: Kind, own: Registration | undefined, here: Place | undefined): Block[] {
  const leaves = kind.stock.effect === 'out' || kind.stock.effect === 'transferOut' || kind.gst.eway?.way === 'out';
  const from = own && here && leaves ? dispatchedFrom(ownEnd(own, here)) : undefined;
  return from && here
    ? [{ heading: 'Dispatched from', lines: present(here.name, ...addressLines(from, undefined, from.state)) }]
    : [];
}

const bankBlock = ({ name, body }: Bank): Block => ({
  heading: 'Bank',
  lines: present(
    name,
    body['accountNumber'] && `Account ${body['accountNumber']}`,
    body['ifsc'] && `IFSC ${body['ifsc']}`,
  ),
});

/** Our own side: at its registration, or at the place where it receives. */
const ownLines = (own: Registration | undefined, place: Place | undefined): string[] =>
  own === undefined
    ? ['Not registered under GST']
    : place
      ? receivingLines(own, place)
      : registrationLines(own, own.body, own.state);

export const around = (context: Context, view: View, kind: Kind): Promise<Around> =>
  context.inTransaction(async (trx) => {
    const org = context.organisation;
    const draft = view.body as unknown as Draft;
    const own = view.registration.id ? await registrationOf(trx, org, view.registration.id, view.date) : undefined;
    const party = view.party ? await partyOf(trx, org, view.party.id) : undefined;
    const bank = await bankOf(trx, org);
    const here = await placeOf(trx, org, view.location.id);
    const recorded = view.draft ? undefined : await recordedOf(trx, org, view.id);
    const sources = await sourcesOf(trx, org, view);
    // of two of our own places, the paper of a receipt names the one that sent, all others the one that receives
    const arrives = kind.stock.effect === 'transferIn';
    const [from] = sources;
    const elsewhere: Place | undefined = arrives
      ? from && { name: from.place, registration: from.registration, body: from.body }
      : draft.toLocation
        ? await placeOf(trx, org, draft.toLocation)
        : undefined;
    const there = elsewhere && (await registrationOf(trx, org, elsewhere.registration, view.date));
    const additional = draft.additional ? (await additionalFields(trx, org)).filter(({ onPrint }) => onPrint) : [];
    const headed = arrives ? { own: 'To', party: 'From' } : headings[kind.party.side];
    const parties = partyBlock(headed.party, view, draft, party, recorded);
    return {
      legalName: own?.legal_name ?? '',
      composition: own?.kind === 'composition',
      registered: own?.kind !== 'unregistered',
      own: { heading: headed.own, lines: ownLines(own, arrives ? here : undefined) },
      parties: [
        ...parties,
        ...shipToBlock(draft, parties[0]?.lines[0]),
        ...(elsewhere && there
          ? [{ heading: headed.party, lines: [elsewhere.name, ...receivingLines(there, elsewhere)] }]
          : []),
        ...dispatchBlock(kind, own, here),
      ],
      bank: bank && bankBlock(bank),
      upi: bank?.body['upi'] || undefined,
      place: recorded?.place ?? draft.placeOfSupply,
      sources,
      ordered: kind.lines.of === 'none' ? sources.flatMap(({ ordered }) => ordered) : [],
      additional,
    };
  });
