import { say } from '../../../../domain/base/say.ts';
import { accountEffect, accountSide } from '../../../../domain/books/accounts.ts';
import { effects } from '../../../../domain/books/effects.ts';
import type { Day, Draft, Id } from '../../../../domain/document/document.ts';
import { type KindName, kindOf } from '../../../../domain/document/kinds/index.ts';
import { withPartyThen } from '../../../../domain/document/party-then.ts';
import { accountOfParty, type Booked, type Facts, type PartyFacts } from '../../../../domain/document/resolve.ts';
import type { SourceDocument } from '../../../../domain/document/sources.ts';
import type { AdvanceFacts } from '../../../../domain/tax/advances.ts';
import { type TdsBefore, withheld } from '../../../../domain/tax/withheld.ts';
import { type OrganisationSnapshot, seenIn } from '../snapshot.ts';
import type { Sources } from '../sources/sources.ts';
import type { Found } from './facts.ts';

/** What only some documents need, beside masters and sources. */
interface More {
  readonly today: Day;
  readonly prices?: Facts['prices'];
  readonly advances?: readonly AdvanceFacts[];
  readonly tdsBefore?: TdsBefore | undefined;
  readonly booked?: Booked | undefined;
  /** The documents that an advance is set against. */
  readonly adjusted?: readonly SourceDocument[];
  readonly limits?: Facts['limits'] | undefined;
}

/** The facts of a draft, from what was looked up for it: `Found` has the masters and the organisation, `Sources` the documents. */
export function assembledFacts(kind: KindName, draft: Draft, found: Found, sources: Sources, more: More): Facts {
  const { today, prices, advances = [], tdsBefore = nothingPaid, booked, adjusted = [], limits } = more;
  const { own, party, parties, items, retiredLedgers, ends, other, einvoice } = found;
  const advance = advances.find(({ document }) => document === draft.against);
  const plain: Facts = {
    today,
    own,
    party,
    parties,
    items,
    retiredLedgers,
    ...sources,
    ...(adjusted.length > 0 && {
      documents: new Map([...adjusted.map((d) => [d.id, d] as const), ...sources.documents]),
    }),
    ...ofOrganisation(found),
    ...(booked && { booked }),
    einvoice,
    ends,
    ...(other && { other }),
    ...(prices && { prices }),
    ...(limits && { limits }),
    ...(advance && { advance }),
    tdsBefore,
  };
  const then = withPartyThen(kindOf(kind), draft, plain);
  return { ...then, ...withheld(kindOf(kind), draft, then) };
}

/** A payee without a party record was paid nothing before. */
const nothingPaid: TdsBefore = { deductee: 'other', standings: [] };

/** Settings, places, units and ledgers of the organisation. */
const ofOrganisation = ({ snapshot, parties }: Found) => ({
  places: snapshot.places,
  costCentres: snapshot.costCentres,
  roundTotal: snapshot.settings.autoRoundOffTotals,
  switches: snapshot.switches,
  controlled: snapshot.controlled,
  accountOf: (id: Id, ledger: Id) => accountNamed(snapshot, parties.get(id), ledger),
  units: snapshot.units,
  currencies: snapshot.currencies,
  isMoney: (id: Id) => snapshot.money.has(id),
  isCash: (id: Id) => snapshot.cash.has(id),
  natures: snapshot.natures,
  usualTax: snapshot.usualTax,
  ledgerSeen: (id: Id) => seenIn(snapshot, id),
  locks: snapshot.locks,
  ledgers: snapshot.ledgers,
});

/** The ledger on which a party has its account, when a line names the party on a ledger of accounts. */
function accountNamed(
  { ledgers }: OrganisationSnapshot,
  party: PartyFacts | undefined,
  named: Id,
): ReturnType<NonNullable<Facts['accountOf']>> {
  const side = accountSide(ledgers, named);
  if (!party || !side) return undefined;
  const effect = accountEffect(side, accountOfParty(party));
  return {
    ledger: ledgers[effect],
    says: say('The account of {{party}} is on another ledger ({{ledger}}): choose that one', {
      party: party.name,
      ledger: effects[effect][0],
    }),
  };
}
