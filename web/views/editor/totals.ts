import { useSyncExternalStore } from 'react';
import type { Session } from '../../../contract/session.ts';
import { millionths, moneyText, parseDecimal, percentage, percentText } from '../../../domain/base/decimal.ts';
import { paise, sum, zero } from '../../../domain/base/money.ts';
import { mayNeedApproval, needsApproval, rulesFor, rulesOf, weighed } from '../../../domain/document/approval.ts';
import { check } from '../../../domain/document/check.ts';
import { type Limits, noLimits } from '../../../domain/document/checks/limits.ts';
import type { Draft, Priced } from '../../../domain/document/document.ts';
import { price } from '../../../domain/document/price.ts';
import { type Facts, hasNoPrice, resolve } from '../../../domain/document/resolve.ts';
import { estimated, type Held } from '../../../domain/stock/at-cost.ts';
import type { OwnEnd } from '../../../domain/tax/gst/registration/own-places.ts';
import { hasGst, isRegular, statusOn, stopOn } from '../../../domain/tax/gst/registration/registered.ts';
import { limitsOn } from '../../../domain/tax/gst/registration/turnover.ts';
import { lowerOf, withheld } from '../../../domain/tax/withheld.ts';
import { t } from '../../kit/text.ts';
import { type Model, namedIn, recordsIn } from './model.ts';
import { once } from './once.ts';
import { addMoney, draftOf, isReadable, taken } from './wire.ts';

/** A registration and a place with their addresses; undefined where this browser lacks an address. */
const ownEnd = (
  registration: Session['registrations'][number] | undefined,
  place: Session['locations'][number] | undefined,
): OwnEnd | undefined =>
  registration?.address && place?.address
    ? { registration: { ...registration, address: registration.address }, place: { ...place, address: place.address } }
    : undefined;

/** The facts of this draft as the domain wants them, from the session and the cache. */
export const factsOf = (model: Model): Facts => {
  const { session, head, facts } = model;
  const texts = head.get();
  const own = session.registrations.find((r) => r.id === texts['registration']) ?? session.registrations[0];
  const party = facts.parties.get(texts['party'] ?? '');
  const advance = facts.advances.get(texts['against'] ?? '');
  const other = session.registrations.find((r) => r.id === texts['toRegistration']);
  const date = texts['date'] ?? '';
  const last = facts.lastInSeries();
  const at = session.locations.find((l) => l.id === texts['location']);
  const there = session.locations.find((l) => l.id === texts['toLocation']);
  const whose = session.registrations.find((r) => r.id === there?.registration);
  const [from, to] = [ownEnd(own, at), ownEnd(whose, there)];
  const status = own ? statusOn(own, date) : 'unregistered';
  return {
    own: {
      ...{ registration: own?.id ?? '', state: own?.state ?? '', kind: status },
      gstin: hasGst(status) ? (own?.gstin ?? null) : null,
      ...(own && {
        history: own,
        stop: stopOn(own.stops, date),
        annualReturns: own.annualReturns,
        ...limitsOn(own.bound, date),
      }),
    },
    units: new Map(
      [...facts.items.values()].flatMap(({ measures }) =>
        Object.entries(measures).map(([unit, measure]) => [unit.toUpperCase(), measure] as const),
      ),
    ),
    einvoice: own?.einvoiceFrom && own.einvoiceFrom <= date && isRegular(status) ? own.gstin : null,
    ...(from && { ends: { from, ...(to && { to }) } }),
    party,
    items: facts.items,
    sources: facts.sources,
    ...(namedIn(model).every(facts.hasAsked) && { documents: facts.documents }),
    currencies: new Map([...facts.ledgers.values()].flatMap(({ id, currency }) => (currency ? [[id, currency]] : []))),
    natures: new Map([...facts.ledgers.values()].map(({ id, nature }) => [id, nature])),
    usualTax: new Map([...facts.ledgers.values()].map(({ id, tax }) => [id, tax])),
    isMoney: (ledger) => facts.ledgers.get(ledger)?.money ?? true,
    ledgerSeen: (ledger) => {
      const known = facts.ledgers.get(ledger);
      return known && { money: known.money, effects: known.keeps ? [known.keeps] : [] };
    },
    controlled: new Map([...facts.ledgers.values()].flatMap(({ id, control }) => (control ? [[id, control]] : []))),
    ...(advance && { advance }),
    ...(last && { booked: { lastInSeries: last } }),
    ...(party && { tdsBefore: { deductee: party.deductee, standings: party.deducted } }),
    ...(other && { other: { registration: other.id, state: other.state, kind: statusOn(other, date) } }),
    ...(recordsIn(model).every(facts.hasAsked) && { parties: facts.parties, costCentres: facts.costCentres }),
    retiredLedgers: new Map(
      [...facts.ledgers.values()].flatMap(({ id, name, retired }) => (retired ? [[id, name]] : [])),
    ),
    roundTotal: session.settings.autoRoundOffTotals,
    today: session.today,
    limits: limitsOf(session),
  };
};

/** The limits of the person's roles, as the session has them. */
const limitsOf = ({ limits: { discount, days } }: Model['session']): Limits => ({
  discount: discount === null ? null : percentage(discount),
  days,
});

/** The same with what is held back: tax deducted or collected at source. */
export const allFacts = (model: Model, draft: Draft): Facts => {
  const facts = factsOf(model);
  return { ...facts, ...withheld(model.kind, lowered(model, draft, facts), facts) };
};

/** The draft with the certificate that the server will use for it. */
const lowered = ({ kind, facts: { parties } }: Model, draft: Draft, facts: Facts): Draft => {
  const party = parties.get(draft.party ?? '');
  if (!draft.tdsSection || kind.lines.of === 'none' || !party?.hasPan || party.certificates.length === 0) return draft;
  const base = withheld(kind, draft, facts).tds?.base ?? price(resolve(kind, draft, facts)).value;
  const tdsLower = lowerOf(party.certificates, draft.tdsSection, draft.date, base);
  return tdsLower ? { ...draft, tdsLower } : draft;
};

/** Stock of an item at the place, as the server answered. */
const heldOf = ({ facts }: Model, item: string): Held | undefined => {
  const { onHand, worth } = facts.items.get(item) ?? {};
  const [quantity, value] = [parseDecimal(onHand ?? '', 6), parseDecimal(worth ?? '', 2)];
  return quantity === undefined || value === undefined
    ? undefined
    : { quantity: millionths(quantity), value: paise(value) };
};

/** Follows what is typed there, and facts that come. */
const hearing = (typed: Model['subscribe'], { facts }: Model, tell: () => void): (() => void) => {
  const [a, b] = [typed(tell), facts.subscribe(tell)];
  return () => {
    a();
    b();
  };
};

/** Whether it is worth what its goods cost, wherever it goes to by now. */
export const useIsAtCost = (model: Model): boolean =>
  useSyncExternalStore(
    (tell) => hearing(model.head.subscribe, model, tell),
    () =>
      model.session.settings.trackInventory &&
      hasNoPrice(model.kind, model.head.get() as unknown as Draft, factsOf(model)),
  );

/** What a draft comes to is the total of its paper, or what its goods are thought to cost. */
export const totalLabel = ({ atCost }: Pick<Priced, 'atCost'>): string => (atCost ? t('Estimated value') : t('Total'));

/** The lines, from 1, that are not counted: a figure of theirs is no number. */
export const uncounted = ({ lines }: Pick<Model, 'lines'>): readonly number[] =>
  lines.rows().flatMap((row, at) => (isReadable(row) ? [] : [at + 1]));

/** What the lines that can be read add up to now; null while something typed cannot be worked with (the server names it when saving). */
export const priceModel = (model: Model): Priced | null => {
  try {
    const typed = model.typed();
    const draft = draftOf({ ...typed, lines: typed.lines.filter(isReadable) });
    const priced = price(resolve(model.kind, draft, allFacts(model, draft)));
    if (!model.session.settings.trackInventory) return priced;
    return estimated(model.kind, draft, priced, (item) => heldOf(model, item));
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
};

export interface JournalSums {
  readonly debit: string;
  readonly credit: string;
  readonly difference: string;
}
/** Both sides of a journal and what is missing between them. */
export const journalSums = (model: Model): JournalSums => {
  const rows = model.lines.rows();
  const debit = addMoney(rows.map((row) => row['debit']));
  const credit = addMoney(rows.map((row) => row['credit']));
  return { debit: moneyText(debit), credit: moneyText(credit), difference: moneyText(paise(debit - credit)) };
};

export interface TaxRow {
  readonly rate: string;
  readonly taxable: string;
  readonly cgst: string;
  readonly sgst: string;
  readonly igst: string;
  readonly cess: string;
}
/** The tax by rate, lowest first. */
export const taxRows = (priced: Priced): readonly TaxRow[] => {
  const rates = [...new Set(priced.lines.map((line) => line.gstRate))].sort((a, b) => a - b);
  return rates.map((rate) => {
    const lines = priced.lines.filter((line) => line.gstRate === rate);
    const of = (head: 'taxable' | 'cgst' | 'sgst' | 'igst' | 'cess') => moneyText(sum(lines.map((line) => line[head])));
    return {
      rate: `${percentText(rate)} %`,
      taxable: of('taxable'),
      cgst: of('cgst'),
      sgst: of('sgst'),
      igst: of('igst'),
      cess: of('cess'),
    };
  });
};

export const taxOf = (priced: Priced) =>
  priced.taxCharged ? sum([priced.cgst, priced.sgst, priced.igst, priced.cess]) : zero;

/** Worked out again only when what is typed or a fact has changed. */
const kept = <T>(work: (model: Model) => T): ((model: Model) => T) => {
  const caches = new WeakMap<Model, { revision: number; parts: readonly unknown[]; made: T }>();
  return (model) => {
    const parts = [model.head.get(), model.lines.rows(), model.charges.rows(), model.adjustments.rows()];
    const known = caches.get(model);
    const revision = model.facts.revision();
    if (known && known.revision === revision && known.parts.every((part, at) => part === parts[at])) return known.made;
    const made = work(model);
    caches.set(model, { revision, parts, made });
    return made;
  };
};
const current = kept(priceModel);

const onFigures = (model: Model) => (tell: () => void) => hearing(model.subscribe, model, once(tell));

/** The totals, worked out again only when a store or a fact has changed. */
export const usePriced = (model: Model): Priced | null => useSyncExternalStore(onFigures(model), () => current(model));

/** Whether nothing stands in its way but the limits of the person's roles: somebody whose limits are wider approves it. */
const exceedsLimits = kept((model: Model): boolean => {
  const limits = limitsOf(model.session);
  if ((limits.discount === null && limits.days === null) || !mayNeedApproval(model.kind)) return false;
  try {
    const draft = draftOf(taken(model.typed()));
    const facts = allFacts(model, draft);
    const isRight = (own: Limits): boolean =>
      check(model.kind, draft, { ...facts, limits: own }, model.session.today).length === 0;
    return !isRight(limits) && isRight(noLimits);
  } catch (problem) {
    if (problem instanceof RangeError) return false;
    throw problem;
  }
});

/** Whether it comes to so much, or goes so far, that somebody else posts it; the server knows it for certain. */
export const isForApproval = (model: Model): boolean => {
  if (exceedsLimits(model)) return true;
  const rules = rulesFor(rulesOf(model.session.settings.approvals), model.name);
  const priced = rules.length > 0 ? current(model) : null;
  return priced !== null && needsApproval(rules, model.name, weighed(model.kind, draftOf(model.typed()), priced));
};
export const useIsForApproval = (model: Model): boolean =>
  useSyncExternalStore(onFigures(model), () => isForApproval(model));
