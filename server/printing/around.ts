import { sql } from 'kysely';
import type { AdditionalField } from '../../domain/document/additional.ts';
import type { Address, Draft } from '../../domain/document/document.ts';
import type { Kind } from '../../domain/document/kinds/kind.ts';
import { addressThen } from '../../domain/document/party-then.ts';
import { dispatchedFrom, type OwnAddress, receivedAt } from '../../domain/tax/gst/own-places.ts';
import { stateName } from '../../domain/tax/gst/states.ts';
import { additionalFields } from '../additional/index.ts';
import type { Context } from '../context.ts';
import type { viewDocument } from '../documents/index.ts';
import type { Block } from '../paper/index.ts';

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

/** Who stands on which side of the paper. */
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

/** What a posted document has of its place of supply and its party; country and address only where it keeps them. */
interface Recorded {
  place: string | null;
  gstin: string | null;
  state: string | null;
  country: string | null;
  address: Partial<Address> | null;
}

export async function around(context: Context, view: View, kind: Kind): Promise<Around> {
  const draft = view.body as unknown as Draft;
  const org = context.organisation;
  return context.inTransaction(async (trx) => {
    const registration = async (id: string | undefined) =>
      id
        ? (
            await sql<Registration>`
              select
                legal_name,
                case
                  when registration_status(organisation, id, ${view.date}::date) <> 'unregistered' then gstin
                end as gstin,
                state, registration_status(organisation, id, ${view.date}::date) as kind, body
              from registrations
              where organisation = ${org} and id = ${id}
            `.execute(trx)
          ).rows[0]
        : undefined;
    const own = await registration(view.registration.id);
    const party = view.party
      ? (
          await sql<Party>`
            select name, gstin, state, country, body
            from parties
            where organisation = ${org} and id = ${view.party.id}
          `.execute(trx)
        ).rows[0]
      : undefined;
    const bank = (
      await sql<{
        name: string;
        body: Record<string, string>;
      }>`
        select name, body
        from masters
        where organisation = ${org} and master = 'bank' and active
        order by coalesce((body ->> 'isDefault')::boolean, false) desc
        limit 1
      `.execute(trx)
    ).rows[0];
    const arrives = kind.stock === 'transferIn';
    const other =
      draft.toLocation && !arrives
        ? (
            await sql<{
              name: string;
              registration: string;
              body: OwnAddress;
            }>`
              select name, registration, body
              from locations
              where organisation = ${org} and id = ${draft.toLocation}
            `.execute(trx)
          ).rows[0]
        : undefined;
    const here = (
      await sql<{ name: string; body: OwnAddress }>`
        select name, body from locations where organisation = ${org} and id = ${view.location.id}
      `.execute(trx)
    ).rows[0];
    const posted = view.draft
      ? undefined
      : (
          await sql<Recorded>`
            select
              place_of_supply as place, party_gstin as gstin, party_state as state, body #>> '{partyThen,country}' as country,
              nullif(body #> '{partyThen,address}', 'null') as address
            from documents
            where organisation = ${org} and id = ${view.id}
          `.execute(trx)
        ).rows[0];
    const ids = view.links.filter(({ role }) => role === 'source').map(({ id }) => id);
    const sources =
      ids.length > 0
        ? (
            await sql<{
              number: string;
              date: string;
              place: string;
              registration: string;
              body: OwnAddress;
              ordered: readonly string[];
            }>`
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
              where d.organisation = ${org} and d.id = any(${ids}::uuid[])
              order by d.date, d.number
            `.execute(trx)
          ).rows
        : [];
    const from = arrives ? sources[0] : undefined;
    const elsewhere = other ?? (from && { name: from.place, registration: from.registration, body: from.body });
    const there = elsewhere && (await registration(elsewhere.registration));
    const additional = draft.additional ? (await additionalFields(trx, org)).filter(({ onPrint }) => onPrint) : [];
    const words = arrives ? { own: 'To', party: 'From' } : headings[kind.party.side];
    const home = (r: Registration | undefined) =>
      present(
        r?.legal_name,
        r?.body['line1'],
        r?.body['line2'],
        [r?.body['city'], r?.body['pincode']].filter(Boolean).join(' '),
        r?.gstin ? `GSTIN ${r.gstin}` : 'Not registered under GST',
        stateLine(r?.state),
      );
    // a place with an address of its own is there, and not where its registration is (rules 46 and 55(1))
    const ownEnd = (r: Registration, place: { readonly name: string; readonly body: OwnAddress }) => ({
      registration: { legalName: r.legal_name, state: r.state, address: r.body },
      place: { name: place.name, address: place.body },
    });
    const homeAt = (r: Registration | undefined, place: { readonly name: string; readonly body: OwnAddress }) => {
      const at = r && receivedAt(ownEnd(r, place));
      return at && r
        ? present(
            r.legal_name,
            at.line1,
            at.line2,
            [at.city, at.pincode].filter(Boolean).join(' '),
            r.gstin ? `GSTIN ${r.gstin}` : 'Not registered under GST',
            stateLine(at.state),
          )
        : home(r);
    };
    const leaves = kind.stock === 'out' || kind.stock === 'transferOut' || kind.gst.eway?.way === 'out';
    const dispatch = own && here && leaves ? dispatchedFrom(ownEnd(own, here)) : undefined;
    const now = party && {
      ...party,
      address: party.body.addresses?.find(({ type }) => type !== 'shipping') ?? party.body.addresses?.[0],
    };
    // a paper has its party as it was posted with, whatever the party became since
    const then = now && posted?.state ? { ...posted, state: posted.state } : now && { ...now, address: null };
    const name = (posted && view.party?.name) || party?.name || draft.billTo?.name || draft.partyName;
    const billTo = draft.billTo ?? ((now && then && addressThen(then, now)) || undefined);
    const { shipTo } = draft;
    return {
      legalName: own?.legal_name ?? '',
      composition: own?.kind === 'composition',
      registered: own?.kind !== 'unregistered',
      own: { heading: words.own, lines: arrives && here ? homeAt(own, here) : home(own) },
      parties: [
        ...(name
          ? [
              {
                heading: words.party,
                lines: [
                  name,
                  ...addressLines(
                    billTo,
                    then?.gstin,
                    then?.state ?? billTo?.state,
                    then?.country ?? party?.country ?? billTo?.country,
                  ),
                ],
              },
            ]
          : []),
        ...(shipTo?.line1
          ? [
              {
                heading: 'Delivered to',
                lines: present(shipTo.name ?? name, ...addressLines(shipTo, shipTo.gstin, shipTo.state)),
              },
            ]
          : []),
        ...(elsewhere && there ? [{ heading: words.party, lines: [elsewhere.name, ...homeAt(there, elsewhere)] }] : []),
        ...(dispatch && here
          ? [
              {
                heading: 'Dispatched from',
                lines: present(here.name, ...addressLines(dispatch, undefined, dispatch.state)),
              },
            ]
          : []),
      ],
      bank: bank && {
        heading: 'Bank',
        lines: present(
          bank.name,
          bank.body['accountNumber'] && `Account ${bank.body['accountNumber']}`,
          bank.body['ifsc'] && `IFSC ${bank.body['ifsc']}`,
        ),
      },
      upi: bank?.body['upi'] || undefined,
      place: posted?.place ?? draft.placeOfSupply,
      sources,
      ordered: kind.lines === 'none' ? sources.flatMap(({ ordered }) => ordered) : [],
      additional,
    };
  });
}
