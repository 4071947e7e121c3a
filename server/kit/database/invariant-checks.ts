import { levels } from '../../../contract/levels.ts';
import { differing } from './catalogue.ts';

/** What must always be true of the books. The query gives the rows that break it: none, when all is well. */
export interface Check {
  readonly id: string;
  readonly says: string;
  /** Gives `organisation` and `what`. The parameters named in `uses` come in that order. */
  readonly sql: string;
  readonly uses?: readonly (keyof KindLists)[];
}

/** Levels that a role may grant. */
const grantable = Object.values(levels)
  .filter((level) => level !== levels.none)
  .join(', ');

/** Names of kinds by what their rows say; the checks never name a kind. */
export interface KindLists {
  readonly pricedFromSource: readonly string[];
  readonly transfers: readonly string[];
  /** Kinds by which goods go out to customers. */
  readonly sales: readonly string[];
  readonly gstNumbered: readonly string[];
  readonly supplierNumbered: readonly string[];
  /** Kinds whose documents have the number of a bill of entry. */
  readonly customsNumbered: readonly string[];
  /** Kinds with the day that a supplier or customs wrote on the paper. */
  readonly othersDated: readonly string[];
  /** Kinds that are written in the place of a supplier. */
  readonly forSupplier: readonly string[];
  /** Kinds of orders that hold goods until they are delivered. */
  readonly reserving: readonly string[];
  /** Kinds that GSTR-1 shows: what adds to its tax, and what takes from it. */
  readonly returned: readonly string[];
  readonly returnedLess: readonly string[];
  /** Kinds that may be without GST: a price cut that leaves the tax as it was. */
  readonly financial: readonly string[];
  /** Kinds that receive advances which bear tax, and those that use them. */
  readonly advances: readonly string[];
  readonly advanceUsers: readonly string[];
  /** Entries as somebody wrote them. */
  readonly written: readonly string[];
  /** Kinds whose entries have the day of what they revise. */
  readonly revisions: readonly string[];
  /**
   * In step: kinds whose goods have no price within a registration, and the sign that brings the cost of a first
   * movement to what its line is worth.
   */
  readonly valued: readonly string[];
  readonly valuedSigns: readonly string[];
  /** In step: kinds that are made from others, and each kind that they are made from. */
  readonly made: readonly string[];
  readonly madeFrom: readonly string[];
  /** Kinds that correct a supply line by line, those that bear its tax, those that receive what was sent, and those with a party. */
  readonly correcting: readonly string[];
  readonly taxedAsSource: readonly string[];
  readonly lessening: readonly string[];
  readonly receiving: readonly string[];
  /** Kinds that change what goods are worth, and move none. */
  readonly repricing: readonly string[];
  readonly partied: readonly string[];
  /** In step: kinds that the portal registers, and its type of each. */
  readonly registered: readonly string[];
  readonly registeredTypes: readonly string[];
  /** In step: kinds that people post, and each register that locks them. */
  readonly lockedKinds: readonly string[];
  readonly lockedRegisters: readonly string[];
  /**
   * In step: effects of postings, the natures and roles that their ledgers may have (joined by a space; no roles: all of
   * them), and what they keep a ledger for.
   */
  readonly effects: readonly string[];
  readonly effectNatures: readonly string[];
  readonly effectRoles: readonly string[];
  readonly effectKeeps: readonly string[];
  /** In step: what keeps rows apart in the catalogue of the database, and how the product makes it; the same of guards and rights. */
  readonly rowSecurity: readonly string[];
  readonly rowSecurityMade: readonly string[];
  readonly guards: readonly string[];
  readonly guardsMade: readonly string[];
  readonly tables: readonly string[];
  readonly tablesMade: readonly string[];
}

/** How what has a state may go from one to another, null being its birth; and the column that its log names it by. */
const machines: readonly (readonly [relation: string, ways: readonly string[], key: string])[] = [
  [
    'einvoices',
    [
      '>queued',
      '>void',
      'queued>sending',
      'failed>sending',
      'unclear>sending',
      'failed>queued',
      'unclear>queued',
      'sending>registered',
      'sending>failed',
      'sending>queued',
      'sending>unclear',
      'sending>cancelled',
      'registered>cancelled',
      'registered>unclear',
      'unclear>registered',
      'unclear>cancelled',
      'queued>void',
      'failed>void',
    ],
    'document',
  ],
  [
    'eway_bills',
    [
      '>queued',
      'queued>sending',
      'failed>sending',
      'unclear>sending',
      'failed>queued',
      'unclear>queued',
      'sending>partA',
      'sending>active',
      'sending>failed',
      'sending>queued',
      'sending>unclear',
      'partA>active',
      'partA>cancelled',
      'active>cancelled',
      'queued>void',
      'failed>void',
    ],
    'document',
  ],
  ['mails', ['>queued', '>sent', '>failed', 'queued>sent', 'queued>failed', 'failed>queued', 'failed>sent'], 'id'],
];

const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
const live = (document: string) =>
  `not exists (select from cancellations c where c.organisation = ${document}.organisation and c.document = ${document}.id)`;

/**
 * Entries on accounts of parties, under the party that a merged one was merged into. It is joined, not asked for by
 * `surviving_party`: asked row by row, entries by the hundred thousand took ten seconds.
 */
const onAccounts = `
  booked as (
    select e.organisation, e.document, e.leg, coalesce(p.merged_into, e.party) as party, e.debit - e.credit as amount
    from entries e
    left join parties p on p.organisation = e.organisation and p.id = e.party
    where e.party is not null
  )
`;

/** The ledgers that hold the accounts of customers, and those of suppliers. */
const accountLedgers = `
  account_ledgers as (
    select
      organisation, ledger, min(case when effect like 'receivable%' then 'customer' else 'supplier' end) as side
    from posting_map
    where effect in (
      'receivable', 'receivableOverseas', 'receivableRetail', 'payable', 'payableMicroSmall', 'payableOverseas'
    )
    group by organisation, ledger
  )
`;

/**
 * Foreign keys of the books: table, column, what it names, and how where that is not its id. They are proved once more of all rows, for a
 * superuser can switch a key off, and rows from before a key was there may not fit it.
 */
export const bookKeys: readonly (readonly [table: string, column: string, target: string, as?: string])[] = [
  ['documents', 'organisation', 'organisations', 'true'],
  ['documents', 'registration', 'registrations'],
  ['documents', 'location', 'locations'],
  ['documents', 'to_location', 'locations'],
  ['documents', 'series', 'number_series'],
  ['documents', 'party', 'parties'],
  ['documents', 'reverses', 'documents'],
  ['documents', 'author', 'users'],
  ['document_lines', 'document', 'documents'],
  ['document_lines', 'item', 'items'],
  ['document_lines', 'ledger', 'ledgers'],
  ['document_lines', 'party', 'parties'],
  ['document_lines', 'source_document', 'document_lines', 'k.document = t.source_document and k.line = t.source_line'],
  ['entries', 'document', 'documents'],
  ['entries', 'ledger', 'ledgers'],
  ['entries', 'party', 'parties'],
  ['entries', 'registration', 'registrations'],
  ['entries', 'location', 'locations'],
  ['entries', 'cost_centre', 'cost_centres'],
  ['movements', 'document', 'documents'],
  ['movements', 'item', 'items'],
  ['movements', 'location', 'locations'],
  ['movements', 'room', 'masters'],
  ['movement_costs', 'document', 'movements', 'k.document = t.document and k.number = t.number'],
  ['movement_costs', 'cause', 'documents'],
  ['ledger_day_totals', 'ledger', 'ledgers'],
  ['ledger_day_totals', 'location', 'locations'],
  ['ledger_month_totals', 'ledger', 'ledgers'],
  ['ledger_month_totals', 'location', 'locations'],
  ['document_links', 'source', 'documents'],
  ['document_links', 'target', 'documents'],
  ['cancellations', 'document', 'documents'],
  ['cancellations', 'reversal', 'documents'],
  ['cancellations', 'by', 'users'],
  ['allocations', 'credit_document', 'documents'],
  ['allocations', 'invoice_document', 'documents'],
  ['allocations', 'cause', 'documents'],
  ['allocations', 'by', 'users'],
  ['open_items', 'document', 'documents'],
  ['open_items', 'party', 'parties'],
  ['item_balances', 'item', 'items'],
  ['item_balances', 'location', 'locations'],
  ['idempotency_keys', 'organisation', 'organisations', 'true'],
  ['idempotency_keys', 'user', 'users'],
];

export const checks: readonly Check[] = [
  {
    id: 'INV-01',
    says: 'Every document with entries balances and has at least two',
    sql: `
      select
        organisation,
        format('document %s has %s entries and is out by %s', document, count(*), sum(debit - credit)) as what
      from entries
      group by organisation, document
      having sum(debit - credit) <> 0 or count(*) < 2
    `,
  },
  {
    id: 'INV-02',
    says: 'Entries sum to nothing per organisation, location and financial year',
    sql: `
      select
        e.organisation,
        format('location %s, %s: out by %s', e.location, d.financial_year, sum(e.debit - e.credit)) as what
      from entries e
      join documents d on d.organisation = e.organisation and d.id = e.document
      group by e.organisation, e.location, d.financial_year
      having sum(e.debit - e.credit) <> 0
    `,
  },
  {
    id: 'INV-03',
    says: 'An entry is either a debit or a credit, and positive',
    sql: `
      select organisation, format('document %s leg %s', document, leg) as what
      from entries
      where debit < 0 or credit < 0 or (debit = 0) = (credit = 0)
    `,
  },
  {
    id: 'INV-04',
    says: 'Every entry has the date of its document; those of a cost revision on the day of what they revise',
    uses: ['revisions'],
    sql: `
      select e.organisation, format('document %s of %s, leg %s of %s', d.number, d.date, e.leg, e.date) as what
      from entries e
      join documents d on d.organisation = e.organisation and d.id = e.document
      where e.date <> d.date and d.kind <> all($1)
    `,
  },
  {
    id: 'INV-05',
    says: 'The balance sheet balances at the end of every day',
    sql: `
      select organisation, format('on %s: out by %s', day, sum(debit - credit)) as what
      from ledger_day_totals
      group by organisation, day
      having sum(debit) <> sum(credit)
    `,
  },
  {
    id: 'INV-06',
    says: 'What a document opened is what it put on the account of its party, as a whole or line by line',
    // joined by equal keys alone: whatever the planner thinks of tables that nobody has counted, it reads each once
    sql: `
      with
        ${onAccounts},
        sums as (
          select organisation, document, party, 0 as line, sum(amount) as amount
          from booked
          group by 1, 2, 3
          union all
          select organisation, document, party, leg, sum(amount)
          from booked
          group by 1, 2, 3, 4
        )
      select
        o.organisation,
        case
          when s.amount is null
            then format('document %s line %s is on the account of another party', o.document, o.line)
          else format('document %s line %s opened %s, its entries say %s', o.document, o.line, o.original, s.amount)
        end as what
      from open_items o
      left join sums s
        on s.organisation = o.organisation and s.document = o.document and s.party = o.party and s.line = o.line
      where s.amount is null or (o.currency = 'INR' and abs(s.amount) <> o.original)
    `,
  },
  {
    id: 'INV-06b',
    says: "A party's account is what is open of it, lines written by hand on other ledgers apart",
    uses: ['written'],
    sql: `
      with
        ${onAccounts},
        accounts as (
          select e.organisation, e.party, sum(e.amount) as amount
          from booked e
          join documents d on d.organisation = e.organisation and d.id = e.document
          left join documents o on o.organisation = d.organisation and o.id = d.reverses
          where coalesce(o.kind, d.kind) <> all($1)
            or exists (
              select from open_items i
              where i.organisation = e.organisation and i.document = coalesce(o.id, d.id) and i.line = e.leg
            )
          group by 1, 2
        ),
        due as (
          select
            organisation, party,
            sum(case when side in ('receivable', 'supplierCredit') then open else -open end) as amount
          from open_items
          group by 1, 2
        )
      select
        organisation,
        format('party %s: account %s, open %s', party, coalesce(b.amount, 0), coalesce(u.amount, 0)) as what
      from accounts b
      full join due u using (organisation, party)
      where coalesce(b.amount, 0) <> coalesce(u.amount, 0)
        and not exists (
          select from documents d
          left join parties p on p.organisation = d.organisation and p.id = d.party
          where d.organisation = coalesce(b.organisation, u.organisation)
            and coalesce(p.merged_into, d.party) = coalesce(b.party, u.party)
            and d.currency <> 'INR'
            and d.reverses is null
            and ${live('d')}
        )
    `,
  },
  {
    id: 'INV-06d',
    says: 'The account of a party stands on one ledger as a customer and one as a supplier: those of what it is now',
    sql: `
      with
        ${accountLedgers},
        now as (
          select
            p.organisation, p.id, h.id as head, s.side,
            case
              when s.side = 'customer' then case h.category
                when 'overseas' then 'receivableOverseas'
                when 'unregistered' then 'receivableRetail'
                else 'receivable'
              end
              when h.category = 'overseas' then 'payableOverseas'
              when coalesce((h.body ->> 'microSmall')::boolean, false) then 'payableMicroSmall'
              else 'payable'
            end as effect
          from parties p
          join parties h on h.organisation = p.organisation and h.id = coalesce(p.merged_into, p.id)
          cross join (values ('customer'), ('supplier')) s (side)
        )
      select
        e.organisation,
        format('party %s: %s stands on ledger %s', n.head, sum(e.debit - e.credit), e.ledger) as what
      from entries e
      join account_ledgers a on a.organisation = e.organisation and a.ledger = e.ledger
      join now n on n.organisation = e.organisation and n.id = e.party and n.side = a.side
      join posting_map m on m.organisation = e.organisation and m.effect = n.effect
      where m.ledger <> e.ledger
      group by e.organisation, n.head, e.ledger
      having sum(e.debit - e.credit) <> 0
    `,
  },
  {
    id: 'INV-06c',
    says: 'Nothing is open on a party that was merged, and the party it was merged into was not merged itself',
    sql: `
      select o.organisation, format('document %s is open on the merged party %s', o.document, o.party) as what
      from open_items o
      join parties p on p.organisation = o.organisation and p.id = o.party
      where p.merged_into is not null
      union all
      select p.organisation, format('%s was merged into %s, which was merged', p.id, h.id)
      from parties p
      join parties h on h.organisation = p.organisation and h.id = p.merged_into
      where h.merged_into is not null
    `,
  },
  {
    id: 'INV-06e',
    says: 'Ledgers of restated balances are moved by restatements alone, and by what takes them back',
    sql: `
      select
        e.organisation,
        format(
          'document %s moved a ledger of restated balances by %s: cancel it', e.document, sum(e.debit - e.credit)
        ) as what
      from entries e
      join posting_map p
        on p.organisation = e.organisation
        and p.ledger = e.ledger
        and p.effect in ('receivableRestated', 'payableRestated')
      join documents d on d.organisation = e.organisation and d.id = e.document
      join documents o on o.organisation = d.organisation and o.id = coalesce(d.reverses, d.id)
      where not coalesce((o.body -> 'draft' ->> 'restates')::boolean, false)
        and not exists (
          select from exchange_revaluations r
          where r.organisation = o.organisation and o.id in (r.journal, r.reversal)
        )
        and not exists (
          select from cancellations c where c.organisation = o.organisation and c.document = o.id
        )
      group by 1, e.document
    `,
  },
  {
    id: 'INV-08',
    says:
      'What a priced document puts on its party in another currency is the foreign amount at its rate, but for the ' +
      'paise of its lines; what settles moves at the rate of what it settles',
    sql: `
      select
        e.organisation,
        format(
          'document %s leg %s: %s %s at %s is %s', e.document, e.leg, e.currency, e.foreign_amount,
          e.exchange_rate, e.debit + e.credit
        ) as what
      from entries e
      where e.party is not null
        and e.foreign_amount is not null
        and exists (select from document_lines l where l.organisation = e.organisation and l.document = e.document)
        and not exists (
          select from allocations a
          where a.organisation = e.organisation
            and a.credit_document = e.document
            and a.cause = e.document
            and a.invoice_worth is not null
        )
        and abs(e.debit + e.credit - round(e.foreign_amount::numeric * e.exchange_rate / 1000000)) > 1 + (
          select count(*) from document_lines l where l.organisation = e.organisation and l.document = e.document
        )
    `,
  },
  {
    id: 'INV-09a',
    says: 'Totals of days are the sums of the entries',
    sql: `
      select
        organisation,
        format('ledger %s on %s: total %s, entries %s', ledger, day, coalesce(t, '-'), coalesce(e, '-')) as what
      from (
        select organisation, ledger, location, day, concat(sum(debit), '/', sum(credit)) as t
        from ledger_day_totals
        group by 1, 2, 3, 4
      ) x
      full join (
        select organisation, ledger, location, date as day, concat(sum(debit), '/', sum(credit)) as e
        from entries
        group by 1, 2, 3, 4
      ) y using (organisation, ledger, location, day)
      where t is distinct from e
    `,
  },
  {
    id: 'INV-09b',
    says: 'Totals of months are the sums of the entries',
    sql: `
      select
        organisation,
        format('ledger %s in %s: total %s, entries %s', ledger, month, coalesce(t, '-'), coalesce(e, '-')) as what
      from (
        select organisation, ledger, location, month, concat(sum(debit), '/', sum(credit)) as t
        from ledger_month_totals
        group by 1, 2, 3, 4
      ) x
      full join (
        select
          organisation, ledger, location, date_trunc('month', date)::date as month,
          concat(sum(debit), '/', sum(credit)) as e
        from entries
        group by 1, 2, 3, 4
      ) y using (organisation, ledger, location, month)
      where t is distinct from e
    `,
  },
  {
    id: 'INV-10',
    says: 'No entry is on a group of ledgers',
    sql: `
      select e.organisation, format('document %s leg %s', e.document, e.leg) as what
      from entries e
      join ledgers l on l.organisation = e.organisation and l.id = e.ledger
      where l.is_group
    `,
  },
  {
    id: 'INV-11',
    says: 'A cancellation mirrors its document on every ledger, the accounts of a party taken as one',
    // an account that has moved meanwhile is met where it stands by now: all ledgers of accounts of one side are one here
    sql: `
      with
        ${accountLedgers},
        mirrored as (
          select
            c.organisation, c.document, coalesce(a.side, e.ledger::text) as place, e.party,
            e.debit - e.credit as amount
          from cancellations c
          join entries e on e.organisation = c.organisation and e.document in (c.document, c.reversal)
          left join account_ledgers a
            on a.organisation = e.organisation and a.ledger = e.ledger and e.party is not null
        )
      select organisation, format('document %s, ledger %s: %s left', document, place, sum(amount)) as what
      from mirrored
      group by organisation, document, place, party
      having sum(amount) <> 0
    `,
  },
  {
    id: 'INV-12',
    says: 'A reversal and its cancellation name each other',
    sql: `
      select d.organisation, format('reversal %s has no cancellation', d.id) as what
      from documents d
      where d.reverses is not null
        and not exists (
          select from cancellations c
          where c.organisation = d.organisation and c.reversal = d.id and c.document = d.reverses
        )
      union all
      select c.organisation, format('cancellation of %s names %s', c.document, c.reversal)
      from cancellations c
      where not exists (
        select from documents d
        where d.organisation = c.organisation and d.id = c.reversal and d.reverses = c.document
      )
    `,
  },
  {
    id: 'INV-13',
    says: 'Allocations never exceed what either side was, and join items of one party and currency',
    sql: `
      with
        net as (
          select organisation, credit_document, credit_line, invoice_document, invoice_line, sum(amount) as amount
          from allocations
          group by 1, 2, 3, 4, 5
        ),
        sides as (
          select organisation, credit_document as document, credit_line as line, amount
          from net
          union all
          select organisation, invoice_document, invoice_line, amount
          from net
        )
      select organisation, format('%s against %s: %s', credit_document, invoice_document, amount) as what
      from net
      where amount < 0
      union all
      select
        n.organisation,
        format('%s and %s are of different parties or currencies', n.credit_document, n.invoice_document)
      from net n
      left join open_items a
        on a.organisation = n.organisation and a.document = n.credit_document and a.line = n.credit_line
      left join open_items b
        on b.organisation = n.organisation and b.document = n.invoice_document and b.line = n.invoice_line
      where n.amount <> 0 and (a.party, a.currency) is distinct from (b.party, b.currency)
      union all
      select o.organisation, format('%s line %s: %s of %s allocated', o.document, o.line, sum(s.amount), o.original)
      from open_items o
      join sides s using (organisation, document, line)
      group by o.organisation, o.document, o.line, o.original
      having sum(s.amount) > o.original
    `,
  },
  {
    id: 'INV-13c',
    says: 'A settlement counts from the day on which both of its documents are there, and on no day more is freed than was settled',
    sql: `
      select
        a.organisation,
        format('%s against %s counts from %s, before %s', c.number, i.number, a.date, greatest(c.date, i.date)) as what
      from allocations a
      join documents c on c.organisation = a.organisation and c.id = a.credit_document
      join documents i on i.organisation = a.organisation and i.id = a.invoice_document
      where a.date < greatest(c.date, i.date)
      union all
      select organisation, format('%s against %s: %s on %s', credit_document, invoice_document, amount, date)
      from (
        select
          organisation, credit_document, invoice_document, date,
          sum(sum(amount)) over (
            partition by organisation, credit_document, credit_line, invoice_document, invoice_line
            order by date
          ) as amount
        from allocations
        group by organisation, credit_document, credit_line, invoice_document, invoice_line, date
      ) days
      where amount < 0
    `,
  },
  {
    id: 'INV-13b',
    says: 'What is settled in a foreign currency is settled in rupees: nothing of it is left on the account of the party',
    sql: `
      select
        o.organisation,
        format('%s line %s: %s left', o.document, o.line, open_worth(o.organisation, o)) as what
      from open_items o
      where o.currency <> 'INR'
        and o.open = 0
        and not exists (
          select from cancellations c where c.organisation = o.organisation and c.document = o.document
        )
        and open_worth(o.organisation, o) <> 0
    `,
  },
  {
    id: 'INV-96',
    says: 'No receipt or payment is open, or was given back, for more than the money that it brought: what it gave is on what it settles',
    sql: `
      select d.organisation, format('%s: %s of its discount or write-off is on nothing', d.number, s.short) as what
      from documents d
      cross join lateral allowance_short(d.organisation, d.id) s (short)
      where d.id in (select document from open_items where side in ('customerCredit', 'supplierCredit'))
        and s.short > 0
    `,
  },
  {
    id: 'INV-14',
    says: 'What is open is what was opened less what was allocated; nothing of what is cancelled',
    sql: `
      with sides as (
        select organisation, document, line, sum(amount) as amount
        from (
          select organisation, credit_document as document, credit_line as line, amount
          from allocations
          union all
          select organisation, invoice_document, invoice_line, amount
          from allocations
        ) a
        group by 1, 2, 3
      )
      select
        o.organisation,
        format(
          '%s line %s: %s open, %s opened, %s allocated%s', o.document, o.line, o.open, o.original, s.amount,
          case when c.document is not null then ', cancelled' end
        ) as what
      from open_items o
      left join sides s using (organisation, document, line)
      left join cancellations c using (organisation, document)
      where o.open <> case when c.document is not null then 0 else o.original - coalesce(s.amount, 0) end
    `,
  },
  {
    id: 'INV-14b',
    says: 'What is open has the due date and the reference that its document gives it',
    sql: `
      select
        o.organisation,
        format('%s line %s: due %s, reference %s', d.number, o.line, coalesce(o.due_date::text, 'never'), o.reference)
          as what
      from open_items o
      join documents d on d.organisation = o.organisation and d.id = o.document
      cross join lateral (
        select
          case
            when o.side not in ('receivable', 'payable') then null
            when o.line = 0 then d.due_date
            else coalesce(l.line ->> 'dueDate', l.line ->> 'referenceDate', d.date::text)::date
          end as due,
          l.line ->> 'reference' as reference
        from (select d.body #> array['draft', 'lines', (o.line - 1)::text] as line where o.line > 0) l
        right join (select) one on true
      ) said
      where (o.due_date, o.reference) is distinct from (said.due, said.reference)
    `,
  },
  {
    id: 'INV-15',
    says: 'Nothing was posted into a locked period after it was locked',
    sql: `
      select d.organisation, format('%s of %s was posted at %s', d.number, d.date, d.posted_at) as what
      from documents d
      join locks l on l.organisation = d.organisation
      where d.date <= l.locked_through and d.posted_at > l.at
    `,
  },
  {
    id: 'INV-15b',
    says: 'Nothing was posted into a locked register after it was locked',
    uses: ['lockedKinds', 'lockedRegisters'],
    sql: `
      select
        d.organisation,
        format('%s of %s was posted at %s, %s is locked', d.number, d.date, d.posted_at, r.register) as what
      from register_locks r
      join unnest($1::text[], $2::text[]) k(kind, register) on k.register = split_part(r.register, '/', 1)
      join documents d
        on d.organisation = r.organisation
          and d.date <= r.locked_through
          and d.posted_at > r.at
          and split_part(r.register, '/', 2) in ('', d.registration::text)
      left join documents o on o.organisation = d.organisation and o.id = d.reverses
      where coalesce(o.kind, d.kind) = k.kind
    `,
  },
  {
    id: 'INV-57',
    says: 'A closed year leaves nothing on income and expense, at any place',
    sql: `
      select
        y.organisation,
        format(
          '%s is closed, ledger %s at %s holds %s', y.year, t.ledger, t.location, sum(t.debit - t.credit)
        ) as what
      from year_closings y
      join ledger_month_totals t on t.organisation = y.organisation and t.month <= y.closed_through
      join ledgers l on l.organisation = t.organisation and l.id = t.ledger
      where y.reopened_at is null and l.nature in ('income', 'expense')
      group by y.organisation, y.year, t.ledger, t.location
      having sum(t.debit - t.credit) <> 0
    `,
  },
  {
    id: 'INV-58',
    says: 'What went through a bank is on its ledger, and the entries of a statement line come to its amount',
    sql: `
      select c.organisation, format('document %s leg %s is on another ledger', c.document, c.leg) as what
      from bank_clearings c
      join entries e on e.organisation = c.organisation and e.document = c.document and e.leg = c.leg
      where e.ledger <> c.ledger
      union all
      select
        b.organisation,
        format(
          'line %s of %s: its entries come to %s', b.id, b.amount,
          sum(
            case
              when l.currency is null then e.debit - e.credit
              when e.debit > 0 then e.foreign_amount
              else -e.foreign_amount
            end
          )
        )
      from bank_lines b
      join ledgers l on l.organisation = b.organisation and l.id = b.ledger
      join bank_clearings c on c.organisation = b.organisation and c.line = b.id
      join entries e on e.organisation = c.organisation and e.document = c.document and e.leg = c.leg
      group by b.organisation, b.id, b.amount
      having coalesce(
        sum(
          case
            when l.currency is null then e.debit - e.credit
            when e.debit > 0 then e.foreign_amount
            else -e.foreign_amount
          end
        ),
        0
      ) <> b.amount
    `,
  },
  {
    id: 'INV-16',
    says: 'Returns never exceed the lines they come from',
    uses: ['pricedFromSource'],
    sql: `
      select
        s.organisation,
        format('document %s line %s: %s of %s came back', s.document, s.line, sum(l.quantity), s.quantity) as what
      from document_lines s
      join document_lines l
        on l.organisation = s.organisation and l.source_document = s.document and l.source_line = s.line
      join documents d on d.organisation = l.organisation and d.id = l.document
      where d.kind = any($1) and ${live('d')}
      group by s.organisation, s.document, s.line, s.quantity
      having sum(l.quantity) > s.quantity
      union all
      select
        s.organisation,
        format('document %s line %s: %s of %s free came back', s.document, s.line, sum(source_free(d, l)), source_free(o, s))
      from document_lines s
      join documents o on o.organisation = s.organisation and o.id = s.document
      join document_lines l
        on l.organisation = s.organisation and l.source_document = s.document and l.source_line = s.line
      join documents d on d.organisation = l.organisation and d.id = l.document
      where d.kind = any($1) and ${live('d')}
      group by s.organisation, s.document, s.line, source_free(o, s)
      having sum(source_free(d, l)) > source_free(o, s)
    `,
  },
  {
    id: 'INV-17',
    says: 'A draft has no effect: no document is also a draft',
    sql: `
      select f.organisation, format('draft %s is posted', f.id) as what
      from drafts f
      join documents d on d.organisation = f.organisation and d.id = f.id
    `,
  },
  {
    id: 'INV-18',
    says: 'E-invoices, e-way bills and mails only ever change as they may, and are in the state of their log',
    sql: machines
      .map(
        ([name, ways, key]) => `
          select organisation, format('${name} %s: %s to %s', row_id, was, is_now) as what
          from (
            select organisation, row_id, before ->> 'state' as was, after ->> 'state' as is_now
            from edit_log
            where relation = '${name}' and after is not null
          ) x
          where is_now is distinct from was and concat(was, '>', is_now) <> all('{${ways.join(',')}}')
          union all
          select t.organisation, format('${name} %s is %s, its log says %s', t.${key}, t.state, l.is_now)
          from ${name} t
          cross join lateral (
            select max(after ->> 'state') filter (where last) as is_now
            from (
              select after, row_number() over (order by id desc) = 1 as last
              from edit_log l
              where l.organisation = t.organisation
                and l.relation = '${name}'
                and l.row_id = t.${key}::text${name === 'eway_bills' ? " and (l.after ->> 'bill')::int = t.bill" : ''}
            ) k
          ) l
          where l.is_now is distinct from t.state
        `,
      )
      .join(' union all '),
  },
  {
    id: 'INV-20',
    says: 'Quantity and value of each stock balance are the sums of its movements',
    sql: `
      select
        organisation,
        format('item %s at %s: stock balance %s, movements %s', item, location, coalesce(b, '-'), coalesce(m, '-')) as what
      from (
        select organisation, item, location, concat(quantity, '/', value) as b
        from item_balances
        where quantity <> 0 or value <> 0
      ) x
      full join (
        select
          m.organisation, m.item, m.location, concat(sum(m.quantity), '/', sum(c.cost)) as m,
          sum(m.quantity) as q, sum(c.cost) as v
        from movements m
        join lateral (
          select cost
          from movement_costs k
          where k.organisation = m.organisation and k.document = m.document and k.number = m.number
          order by revision desc
          limit 1
        ) c on true
        group by 1, 2, 3
      ) y using (organisation, item, location)
      where b is distinct from m and not (b is null and q = 0 and v = 0)
    `,
  },
  {
    id: 'INV-21',
    says: 'Where negative stock is refused, no stock balance was ever negative, in date order',
    sql: `
      select organisation, format('item %s at %s on %s: %s', item, location, date, after) as what
      from (
        select
          m.organisation, m.item, m.location, m.date,
          sum(m.quantity) over (
            partition by m.organisation, m.item, m.location order by m.date, m.sequence
          ) as after
        from movements m
        join organisations o on o.organisation = m.organisation
        where not coalesce((o.settings ->> 'isAllowNegative')::boolean, false)
      ) x
      where after < 0
    `,
  },
  {
    id: 'INV-22',
    says: 'A transfer takes from one location what it puts in the other, at its present cost; except for locations with negative stock',
    uses: ['transfers'],
    sql: `
      select
        d.organisation,
        format('%s: %s units and %s paise are missing', d.number, sum(m.quantity), sum(c.cost)) as what
      from documents d
      join movements m on m.organisation = d.organisation and m.document = d.id
      join organisations o on o.organisation = d.organisation
      join lateral (
        select cost
        from movement_costs k
        where k.organisation = m.organisation and k.document = m.document and k.number = m.number
        order by revision desc
        limit 1
      ) c on true
      where d.kind = any($1)
      group by d.organisation, d.id, d.number, o.settings
      having sum(m.quantity) <> 0
        or (sum(c.cost) <> 0 and not coalesce((o.settings ->> 'isAllowNegative')::boolean, false))
    `,
  },
  {
    id: 'INV-23',
    says: 'An order holds what nothing was made of yet, and nothing once it is cancelled, freed, given up or delivered',
    uses: ['reserving'],
    sql: `
      with
        taken as (
          select
            u.organisation, u.source_document as document, u.source_line as line,
            sum(u.base_quantity) as quantity
          from document_lines u
          where u.source_document is not null
            and not exists (
              select from cancellations g where g.organisation = u.organisation and g.document = u.document
            )
          group by 1, 2, 3
        ),
        linked as (
          select k.organisation, k.source as document, u.item, sum(u.base_quantity) as quantity
          from document_links k
          join document_lines u on u.organisation = k.organisation and u.document = k.target
          where k.role = 'order'
            and u.source_document is distinct from k.source
            and not exists (
              select from cancellations g where g.organisation = k.organisation and g.document = k.target
            )
          group by 1, 2, 3
        ),
        due as (
          select
            l.organisation, l.document, l.item,
            greatest(
              sum(
                case
                  when c.document is null and f.document is null and g.document is null
                    then greatest(l.base_quantity - coalesce(t.quantity, 0), 0)
                  else 0
                end
              ) - coalesce(
                (
                  select k.quantity
                  from linked k
                  where k.organisation = l.organisation and k.document = l.document and k.item = l.item
                ),
                0
              ),
              0
            ) as quantity
          from document_lines l
          join documents d on d.organisation = l.organisation and d.id = l.document and d.kind = any($1)
          left join cancellations c on c.organisation = l.organisation and c.document = l.document
          left join freed_orders f on f.organisation = l.organisation and f.document = l.document
          left join closed_lines g
            on g.organisation = l.organisation and g.document = l.document and g.line = l.line
          left join taken t on t.organisation = l.organisation and t.document = l.document and t.line = l.line
          where l.item is not null
          group by 1, 2, 3
        ),
        held as (
          select o.organisation, r.document, r.item, sum(r.quantity) as quantity
          from (select organisation, array_agg(distinct item) as items from due group by 1) o
          cross join lateral stock_reserved(o.organisation, $1, o.items, '{}') r
          group by 1, 2, 3
        )
      select
        organisation,
        format(
          'order %s holds %s of item %s, %s are due on it', document, coalesce(h.quantity, 0), item,
          coalesce(d.quantity, 0)
        ) as what
      from due d
      full join held h using (organisation, document, item)
      where coalesce(d.quantity, 0) <> coalesce(h.quantity, 0)
      union all
      select f.organisation, format('%s is freed and never held anything', d.number)
      from freed_orders f
      join documents d on d.organisation = f.organisation and d.id = f.document
      where d.kind <> all($1)
    `,
  },
  {
    id: 'INV-24b',
    says:
      'Under perpetual books the stock ledger is worth what the stock is worth, at the end of every day; a cost ' +
      'that was revised behind a lock counts from the day on which it is booked',
    uses: ['revisions'],
    sql: `
      select
        x.organisation,
        format('on %s the ledger moved by %s paise more than the stock balances', x.date, sum(x.value)) as what
      from (
        select e.organisation, e.date, e.debit - e.credit as value
        from entries e
        join posting_map p on p.organisation = e.organisation and p.ledger = e.ledger and p.effect = 'stock'
        union all
        select m.organisation, m.date, -c.cost
        from movements m
        join movement_costs c on c.organisation = m.organisation and c.document = m.document and c.number = m.number
        where not exists (
          select from movement_costs l
          where l.organisation = c.organisation
            and l.document = c.document
            and l.number = c.number
            and l.revision = c.revision + 1
        )
        union all
        select d.organisation, x.date, x.amount
        from documents d
        cross join lateral jsonb_to_recordset(d.body -> 'moved') m("from" date, "to" date, amount bigint)
        cross join lateral (values (m."from", m.amount), (m."to", -m.amount)) x(date, amount)
        where d.kind = any($1) and d.body ? 'moved'
      ) x
      join organisations o
        on o.organisation = x.organisation
          and coalesce(o.settings ->> 'stockAccounting', 'perpetual') = 'perpetual'
          and coalesce((o.settings ->> 'trackInventory')::boolean, true)
      group by x.organisation, x.date
      having sum(x.value) <> 0
    `,
  },
  {
    id: 'INV-25',
    says: 'An empty stock balance is worth nothing',
    sql: `
      select organisation, format('item %s at %s: %s', item, location, value) as what
      from item_balances
      where quantity = 0 and value <> 0
    `,
  },
  {
    id: 'INV-24c',
    says: 'A document without a price says what its goods cost when it was posted, line by line',
    uses: ['valued', 'valuedSigns'],
    sql: `
      with
        first as (
          select distinct on (m.organisation, m.document, m.line) m.organisation, m.document, m.line, c.cost
          from documents d
          join movements m on m.organisation = d.organisation and m.document = d.id
          join movement_costs c
            on c.organisation = m.organisation
              and c.document = m.document
              and c.number = m.number
              and c.revision = 0
          where d.body ->> 'atCost' = 'true'
          order by m.organisation, m.document, m.line, m.number
        ),
        said as (
          select d.organisation, d.id, d.number, l.line, l.value, coalesce(k.sign * f.cost, 0) as worth
          from unnest($1::text[], $2::int[]) k(kind, sign)
          join documents d on d.kind = k.kind and d.body ->> 'atCost' = 'true'
          join document_lines l on l.organisation = d.organisation and l.document = d.id
          left join first f on f.organisation = d.organisation and f.document = d.id and f.line = l.line
        )
      select organisation, format('%s line %s says %s, its goods cost %s', number, line, value, worth) as what
      from said
      where value <> worth
      union all
      select d.organisation, format('%s says %s, its goods cost %s', d.number, d.total, coalesce(sum(s.worth), 0))
      from documents d
      left join said s on s.organisation = d.organisation and s.id = d.id
      where d.body ->> 'atCost' = 'true'
      group by d.organisation, d.id, d.number, d.total
      having d.total <> coalesce(sum(s.worth), 0)
    `,
  },
  {
    id: 'INV-26',
    says: 'Batches of a movement come to its quantity, and none is ever negative at a place, in date order',
    sql: `
      with parts as (
        select
          m.organisation, m.item, m.location, m.document, m.number, m.date, m.sequence, m.quantity as whole,
          b.part ->> 'batch' as batch,
          (sign(m.quantity) * (b.part ->> 'quantity')::bigint)::bigint as quantity
        from movements m
        cross join lateral jsonb_array_elements(m.batches) b(part)
        where m.batches is not null
      )
      select
        organisation,
        format('document %s movement %s: batches %s of %s', document, number, sum(quantity), whole) as what
      from parts
      group by organisation, document, number, whole
      having sum(quantity) <> whole
      union all
      select organisation, format('batch %s of item %s at %s on %s: %s', batch, item, location, date, after)
      from (
        select
          p.*,
          sum(quantity) over (partition by organisation, item, location, batch order by date, sequence) as after
        from parts p
      ) x
      where after < 0
    `,
  },
  {
    id: 'INV-26b',
    says: 'No batch is sold after it has expired',
    uses: ['sales'],
    sql: `
      with known as (
        select m.organisation, m.item, b.part ->> 'batch' as batch, min((b.part ->> 'expiry')::date) as expiry
        from movements m
        cross join lateral jsonb_array_elements(m.batches) b(part)
        where b.part ? 'expiry'
        group by 1, 2, 3
      )
      select m.organisation, format('%s: batch %s expired on %s', d.number, k.batch, k.expiry) as what
      from movements m
      join documents d on d.organisation = m.organisation and d.id = m.document and d.kind = any($1)
      cross join lateral jsonb_array_elements(m.batches) b(part)
      join known k on k.organisation = m.organisation and k.item = m.item and k.batch = b.part ->> 'batch'
      where m.date > k.expiry
    `,
  },
  {
    id: 'INV-27',
    says: 'As many serial numbers as units move; each is at one place at most, at any time',
    sql: `
      with parts as (
        select m.organisation, m.item, m.location, m.date, m.sequence, s as serial, sign(m.quantity) as quantity
        from movements m
        cross join lateral unnest(m.serials) s
        where m.serials is not null
      )
      select
        organisation,
        format(
          'document %s movement %s: %s serial numbers for %s', document, number, cardinality(serials), quantity
        ) as what
      from movements
      where serials is not null and cardinality(serials)::bigint * 1000000 <> abs(quantity)
      union all
      select
        organisation,
        format('%s of item %s on %s: at %s places, %s at %s', serial, item, date, anywhere, here, location)
      from (
        select
          p.*,
          sum(quantity) over (partition by organisation, item, serial order by date, sequence) as anywhere,
          sum(quantity) over (partition by organisation, item, serial, location order by date, sequence) as here
        from parts p
      ) x
      where anywhere > 1 or here < 0
    `,
  },
  {
    id: 'INV-27b',
    says: 'What is kept in batches or by serial number never moves without',
    sql: `
      select m.organisation, format('document %s movement %s', m.document, m.number) as what
      from movements m
      join items i on i.organisation = m.organisation and i.id = m.item
      where m.quantity <> 0
        and (
          (m.batches is null and coalesce((i.body ->> 'batched')::boolean, false))
            or (m.serials is null and coalesce((i.body ->> 'serialised')::boolean, false))
        )
    `,
  },
  {
    id: 'INV-28',
    says: 'What moves is the quantity of its line in the base unit of the item; what changes a price moves nothing',
    uses: ['repricing'],
    sql: `
      select
        m.organisation,
        format(
          'document %s movement %s: %s moved, line %s has %s', m.document, m.number, m.quantity, l.line,
          l.base_quantity
        ) as what
      from movements m
      join documents d on d.organisation = m.organisation and d.id = m.document
      join document_lines l
        on l.organisation = m.organisation and l.document = coalesce(d.reverses, d.id) and l.line = m.line
      join documents o on o.organisation = l.organisation and o.id = l.document
      where abs(m.quantity) <> case when o.kind = any($1) then 0 else l.base_quantity end
    `,
  },
  {
    id: 'INV-30',
    says: 'No number is given twice in a year, whatever its case',
    sql: `
      select organisation, format('%s %s, %s times', numbering, upper(number), count(*)) as what
      from documents
      group by organisation, registration, financial_year, numbering, upper(number)
      having count(*) > 1
    `,
  },
  {
    id: 'INV-31',
    says:
      'A series has no gap: as many documents as numbers taken, or what a till gave is set down; each number given has ' +
      'the counter of its period, which is ahead of it',
    sql: `
      with
        periods as (
          select d.organisation, d.series, x.period
          from documents d
          join number_series s on s.organisation = d.organisation and s.id = d.series
          cross join lateral (
            select coalesce(
              case when d.body #>> '{draft,till,counter}' is not null then d.body #>> '{draft,till,period}' end,
              case s.reset
                when 'never' then 'all'
                when 'month' then to_char(d.date, 'YYYY-MM')
                else d.financial_year
              end
            ) as period
          ) x
          union all
          select organisation, series, period
          from till_numbers
          where state <> 'posted'
        ),
        given as (select organisation, series, period, count(*) as n from periods group by 1, 2, 3),
        -- of a series whose rule was changed the numbers before are counted in other periods
        changed as (
          select distinct organisation, row_id
          from edit_log
          where relation = 'number_series'
            and action = 'update'
            and (before -> 'reset', before -> 'start') is distinct from (after -> 'reset', after -> 'start')
        )
      select
        coalesce(c.organisation, g.organisation) as organisation,
        case
          when c.series is null
            then format('series %s has given %s numbers in %s and has no counter of it', g.series, g.n, g.period)
          when s.id is null then format('the counter of %s is of no series: %s', c.period, c.series)
          else format(
            'series %s in %s: %s taken, %s documents or set down', s.name, c.period, c.next - s.start, coalesce(g.n, 0)
          )
        end as what
      from series_counters c
      full join given g on g.organisation = c.organisation and g.series = c.series and g.period = c.period
      left join number_series s on s.organisation = c.organisation and s.id = c.series
      where not exists (
          select from changed h
          where h.organisation = coalesce(c.organisation, g.organisation)
            and h.row_id = coalesce(c.series, g.series)::text
        )
        and (c.series is null or s.id is null or c.next - s.start <> coalesce(g.n, 0))
      union all
      select
        h.organisation,
        format('series %s: its counters are at %s, %s numbers are given', h.row_id, coalesce(c.next, 0), coalesce(g.n, 0))
      from changed h
      left join (select organisation, series, sum(next) as next from series_counters group by 1, 2) c
        on c.organisation = h.organisation and c.series::text = h.row_id
      left join (select organisation, series, sum(n) as n from given group by 1, 2) g
        on g.organisation = h.organisation and g.series::text = h.row_id
      where coalesce(c.next, 0) <= coalesce(g.n, 0) and coalesce(g.n, 0) > 0
    `,
  },
  {
    id: 'INV-32',
    says: 'Numbers of a series follow each other as they were committed',
    sql: `
      select organisation, format('%s was given after %s', number, before) as what
      from (
        select
          d.organisation, d.number, n.n, l.xid, lag(d.number) over w as before, lag(n.n) over w as earlier,
          lag(l.xid) over w as xid_before
        from documents d
        join number_series s on s.organisation = d.organisation and s.id = d.series and s.till is null
        join edit_log l
          on l.organisation = d.organisation
            and l.relation = 'documents'
            and l.action = 'post'
            and l.row_id = d.id::text
        cross join lateral (
          select substring(
            d.number from '([0-9]+)' || regexp_replace(s.suffix, '([^A-Za-z0-9])', '\\\\\\1', 'g') || '$'
          )::bigint as n
        ) n
        window w as (
          partition by d.organisation, d.series, case when s.reset = 'never' then '' else d.financial_year end
          order by l.id
        )
      ) x
      where n < earlier and xid <> xid_before
    `,
  },
  {
    id: 'INV-33',
    says: 'Numbers of GST documents keep rule 46',
    uses: ['gstNumbered'],
    sql: `
      select d.organisation, format('%s %s', d.kind, d.number) as what
      from documents d
      join registrations r on r.organisation = d.organisation and r.id = d.registration
      where d.kind = any($1)
        and r.gstin is not null
        and registration_status(d.organisation, d.registration, d.date) <> 'unregistered'
        and d.series is not null
        and upper(d.number) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$'
    `,
  },
  {
    id: 'INV-34',
    says: 'The financial year is that of the date',
    sql: `
      select organisation, format('%s of %s is in %s', number, date, financial_year) as what
      from documents
      where financial_year <> lpad(
        (extract(year from date) - (extract(month from date) < 4)::int)::text, 4, '0'
      ) || '-' || to_char(date + interval '9 months', 'YY')
    `,
  },
  {
    id: 'INV-35',
    says: 'A document is the sum of its lines',
    sql: `
      select
        d.organisation,
        format(
          '%s: %s/%s/%s/%s/%s, lines %s/%s/%s/%s/%s', d.number, d.taxable, d.cgst, d.sgst, d.igst, d.cess,
          sum(l.taxable), sum(l.cgst), sum(l.sgst), sum(l.igst), sum(l.cess)
        ) as what
      from documents d
      join document_lines l on l.organisation = d.organisation and l.document = d.id
      group by d.organisation, d.id, d.number, d.taxable, d.cgst, d.sgst, d.igst, d.cess
      having (d.taxable, d.cgst, d.sgst, d.igst, d.cess) <> (
        sum(l.taxable), sum(l.cgst), sum(l.sgst), sum(l.igst), sum(l.cess)
      )
    `,
  },
  {
    id: 'INV-36',
    says: 'A document has at most one IRN, and it is the digest of GSTIN, year, type and number',
    uses: ['registered', 'registeredTypes'],
    sql: `
      select e.organisation, format('%s: IRN %s', d.number, coalesce(e.irn, 'missing')) as what
      from einvoices e
      join documents d on d.organisation = e.organisation and d.id = e.document
      join registrations r on r.organisation = d.organisation and r.id = d.registration
      join unnest($1::text[], $2::text[]) k(kind, type) on k.kind = d.kind
      where e.state = 'registered'
        and e.irn is distinct from encode(
          sha256(convert_to(upper(r.gstin) || d.financial_year || k.type || upper(d.number), 'UTF8')), 'hex'
        )
    `,
  },
  {
    id: 'INV-36b',
    says: 'What is registered has its acknowledgement, and the IRN of a cancelled document is cancelled or was never asked for',
    sql: `
      select organisation, format('document %s is registered without acknowledgement', document) as what
      from einvoices
      where state = 'registered' and (irn is null or coalesce(ack_no, '') = '')
      union all
      select e.organisation, format('document %s is cancelled, its e-invoice %s', e.document, e.state)
      from einvoices e
      join cancellations c on c.organisation = e.organisation and c.document = e.document
      where e.state not in ('cancelled', 'void')
    `,
  },
  {
    id: 'INV-36c',
    says: 'After an unclear sending the portal is asked before the next one, and what is registered is not sent again',
    sql: `
      select organisation, format('document %s: attempt %s came after %s', document, attempt, before) as what
      from (
        select *, lag(what || ' ' || outcome) over (partition by organisation, document order by attempt) as before
        from einvoice_attempts
        where what in ('register', 'ask')
      ) a
      where what = 'register' and before in ('register unclear', 'register accepted', 'ask unclear', 'ask found')
    `,
  },
  {
    id: 'INV-36d',
    says: 'What is registered turns unclear only while the portal is asked to cancel it, or for the signed copy that is missing',
    sql: `
      select organisation, format('document %s turned unclear', row_id) as what
      from edit_log
      where relation = 'einvoices'
        and before ->> 'state' = 'registered'
        and after ->> 'state' = 'unclear'
        and before ->> 'signed_qr' is not null
        and after ->> 'cancel_asked' is null
    `,
  },
  {
    id: 'INV-36e',
    says: 'What the portal registered has the exchange that said so, and no exchange of a document is missing before its last one',
    sql: `
      select e.organisation, format('document %s: no exchange with the portal registered it', e.document) as what
      from einvoices e
      where (e.state = 'registered' or e.ack_no is not null)
        and not exists (
          select from einvoice_attempts a
          where a.organisation = e.organisation
            and a.document = e.document
            and a.what in ('register', 'ask')
            and a.outcome in ('accepted', 'found')
        )
      union all
      select organisation, format('document %s has %s exchanges, the last one is %s', document, count(*), max(attempt))
      from einvoice_attempts
      group by organisation, document
      having count(*) <> max(attempt)
    `,
  },
  {
    id: 'INV-37',
    says: 'A document has at most one e-way bill that lives, and none when it is cancelled itself',
    sql: `
      select organisation, format('document %s has %s e-way bills', document, count(*)) as what
      from eway_bills
      where state not in ('cancelled', 'void')
      group by organisation, document
      having count(*) > 1
      union all
      select w.organisation, format('document %s is cancelled, its e-way bill %s', w.document, w.state)
      from eway_bills w
      join cancellations c on c.organisation = w.organisation and c.document = w.document
      where w.state not in ('cancelled', 'void')
    `,
  },
  {
    id: 'INV-37b',
    says: 'After an unclear making of an e-way bill the portal is asked before the next one, and what is made is not made again',
    sql: `
      select
        organisation,
        format('document %s, bill %s: attempt %s came after %s', document, bill, attempt, before) as what
      from (
        select
          *,
          lag(what || ' ' || outcome) over (partition by organisation, document, bill order by attempt) as before
        from eway_attempts
        where what in ('make', 'ask')
      ) a
      where what = 'make' and before in ('make unclear', 'make accepted', 'ask unclear', 'ask found')
    `,
  },
  {
    id: 'INV-37c',
    says: 'An e-way bill with a number has the exchange that said so, and no exchange of a bill is missing before its last one',
    sql: `
      select w.organisation, format('document %s, bill %s: no exchange with the portal made it', w.document, w.bill) as what
      from eway_bills w
      where w.number is not null
        and not exists (
          select from eway_attempts a
          where a.organisation = w.organisation
            and a.document = w.document
            and a.bill = w.bill
            and a.what in ('make', 'ask')
            and a.outcome in ('accepted', 'found')
        )
      union all
      select
        organisation,
        format('document %s, bill %s has %s exchanges, the last one is %s', document, bill, count(*), max(attempt))
      from eway_attempts
      group by organisation, document, bill
      having count(*) <> max(attempt)
    `,
  },
  {
    id: 'INV-95',
    says: 'Each effect goes to a ledger that its rule takes, and a ledger that one is kept on takes no other',
    uses: ['effects', 'effectNatures', 'effectRoles', 'effectKeeps'],
    sql: `
      with
        rules as (
          select *
          from unnest($1::text[], $2::text[], $3::text[], $4::text[]) r (effect, natures, roles, keeps)
        ),
        pointed as (
          select m.organisation, m.effect, m.ledger, r.natures, r.roles, r.keeps, l.code, l.nature, l.role,
            l.currency, l.is_group, is_money(l.is_bank, l.role) as money
          from posting_map m
          join ledgers l on l.organisation = m.organisation and l.id = m.ledger
          left join rules r on r.effect = m.effect
        )
      select organisation, format('%s goes to %s, which its rule does not take', effect, code) as what
      from pointed
      where natures is null
        or is_group
        or is_computed(role)
        or currency is not null
        or nature <> all(string_to_array(natures, ' '))
        or money <> (keeps = 'money')
        or (roles <> '' and role is not null and role <> all(string_to_array(roles, ' ')))
      union all
      select a.organisation, format('%s and %s go to the same ledger %s', a.effect, b.effect, a.code)
      from pointed a
      join pointed b on b.organisation = a.organisation and b.ledger = a.ledger and b.effect > a.effect
      where a.keeps <> b.keeps
    `,
  },
  {
    id: 'INV-38',
    says: 'The tax that GSTR-1 shows for a registration and month is the balance of the output tax ledgers',
    uses: ['returned', 'returnedLess', 'advances', 'advanceUsers'],
    sql: `
      with
        output as (
          select distinct organisation, ledger
          from posting_map
          where effect in ('outputCgst', 'outputSgst', 'outputIgst', 'outputCess')
        ),
        taxed as (
          select d.*, (cgst + sgst + igst + cess) * case when kind = any($2::text[]) then -1 else 1 end as tax
          from documents d
          where kind = any($1::text[] || $2::text[])
            and reverses is null
            and coalesce((body ->> 'taxCharged')::boolean, true)
        ),
        -- a reversal takes its document out of the return of its own month; in a later one only vouchers of advances are reversed
        reversed as (
          select d.organisation, r.registration, r.date, -d.tax as tax
          from taxed d
          join cancellations c on c.organisation = d.organisation and c.document = d.id
          join documents r on r.organisation = c.organisation and r.id = c.reversal
          where d.kind = any($3::text[] || $4::text[]) or date_trunc('month', r.date) = date_trunc('month', d.date)
        ),
        shown as (
          select organisation, registration, date_trunc('month', date)::date as month, sum(tax) as tax
          from (
            select organisation, registration, date, tax
            from taxed
            union all
            select organisation, registration, date, tax
            from reversed
          ) s
          group by 1, 2, 3
        ),
        booked as (
          select
            e.organisation, e.registration, date_trunc('month', e.date)::date as month,
            sum(e.credit - e.debit) as tax
          from entries e
          join output o on o.organisation = e.organisation and o.ledger = e.ledger
          join documents d on d.organisation = e.organisation and d.id = e.document
          left join documents v on v.organisation = d.organisation and v.id = d.reverses
          where coalesce(v.kind, d.kind) = any($1::text[] || $2::text[])
          group by 1, 2, 3
        )
      select
        organisation,
        format(
          'registration %s in %s: shown %s, on the ledgers %s', registration, month, coalesce(s.tax, 0),
          coalesce(b.tax, 0)
        ) as what
      from shown s
      full join booked b using (organisation, registration, month)
      where coalesce(s.tax, 0) <> coalesce(b.tax, 0)
    `,
  },
  {
    id: 'INV-82',
    says:
      'What uses an advance has its rate and place of supply and no more of its tax than there is, the last use ' +
      'takes the rest of each head, and the ledger of tax on advances holds what is left',
    uses: ['advances', 'advanceUsers'],
    sql: `
      with
        advances as (
          select
            a.*,
            coalesce(
              (
                select l.gst_rate
                from document_lines l
                where l.organisation = a.organisation and l.document = a.id
                order by l.line
                limit 1
              ),
              0
            ) as rate
          from documents a
          where a.kind = any($1::text[]) and a.reverses is null and ${live('a')}
        ),
        uses as (
          select
            k.source as advance, t.*,
            coalesce(
              (
                select l.gst_rate
                from document_lines l
                where l.organisation = t.organisation and l.document = t.id
                order by l.line
                limit 1
              ),
              0
            ) as rate
          from document_links k
          join documents t on t.organisation = k.organisation and t.id = k.target
          where k.role = 'source' and t.kind = any($2::text[]) and ${live('t')}
        ),
        compared as (
          select
            a.organisation, a.number, a.foreign_total as amount, array[a.cgst, a.sgst, a.igst, a.cess] as heads,
            coalesce(sum(u.foreign_total), 0) as used,
            array[
              coalesce(sum(u.cgst), 0), coalesce(sum(u.sgst), 0), coalesce(sum(u.igst), 0), coalesce(sum(u.cess), 0)
            ]::bigint[] as taken
          from advances a
          left join uses u on u.organisation = a.organisation and u.advance = a.id
          group by a.organisation, a.id, a.number, a.foreign_total, a.cgst, a.sgst, a.igst, a.cess
        )
      select
        organisation,
        format('advance %s of %s with tax %s: used %s with tax %s', number, amount, heads, used, taken) as what
      from compared
      where used > amount
        or exists (
          select from unnest(heads, taken) h(own, taken)
          where h.taken > h.own or (used = amount and h.taken <> h.own)
        )
      union all
      select
        a.organisation,
        format(
          '%s of %s, %s: its advance %s has %s, %s', u.number, u.rate, u.place_of_supply, a.number, a.rate,
          a.place_of_supply
        )
      from uses u
      join advances a on a.organisation = u.organisation and a.id = u.advance
      where u.rate <> 0 and u.rate <> a.rate or u.place_of_supply is distinct from a.place_of_supply
      union all
      select
        organisation,
        format('tax of advances: %s left, %s on the ledger', coalesce(l.tax, 0), coalesce(b.tax, 0))
      from (
        select organisation, sum(tax) as tax
        from (
          select organisation, cgst + sgst + igst + cess as tax
          from advances
          union all
          select u.organisation, -(u.cgst + u.sgst + u.igst + u.cess)
          from uses u
        ) t
        group by 1
      ) l
      full join (
        select d.organisation, sum(e.debit - e.credit) as tax
        from documents d
        join entries e on e.organisation = d.organisation and e.document = d.id
        join posting_map p on p.organisation = e.organisation and p.ledger = e.ledger and p.effect = 'gstOnAdvances'
        where d.kind = any($1::text[] || $2::text[]) and ${live('d')}
        group by 1
      ) b using (organisation)
      where coalesce(l.tax, 0) <> coalesce(b.tax, 0)
    `,
  },
  {
    id: 'INV-39',
    says: 'Central and state tax are equal, and never occur together with integrated tax',
    sql: `
      select organisation, format('document %s line %s: %s, %s, %s', document, line, cgst, sgst, igst) as what
      from document_lines
      where cgst <> sgst or (igst <> 0 and cgst <> 0)
    `,
  },
  {
    id: 'INV-84',
    says:
      'A document agrees with the status that its registration has on its day: without registration and under ' +
      'composition it charges no tax, a SEZ charges only integrated tax, and a document is no e-invoice unless it ' +
      'charges tax; a note without GST is one of a kind that may be',
    uses: ['returned', 'returnedLess', 'advanceUsers', 'financial'],
    sql: `
      select d.organisation, format('%s of %s: %s', d.number, d.date, s.status) as what
      from documents d
      cross join lateral (select registration_status(d.organisation, d.registration, d.date) as status) s
      where d.kind = any($1::text[] || $2::text[])
        and d.kind <> all($3::text[])
        and d.reverses is null
        and ${live('d')}
        and (
          s.status in ('unregistered', 'composition') and (
            d.cgst + d.sgst + d.igst + d.cess <> 0
              or exists (select from einvoices e where e.organisation = d.organisation and e.document = d.id)
          )
            or s.status = 'sez' and d.cgst + d.sgst <> 0
            or s.status in ('regular', 'sez') and d.supply_type in (
              'B2B', 'B2CL', 'B2CS'
            ) and d.cgst + d.sgst + d.igst = 0 and not (
              d.kind = any($4::text[]) and coalesce((d.body -> 'draft' ->> 'withoutTax')::boolean, false)
            ) and exists (
              select from document_lines l
              where l.organisation = d.organisation
                and l.document = d.id
                and l.treatment = 'taxable'
                and l.gst_rate >= 10000
                and l.taxable >= 10000
            )
        )
    `,
  },
  {
    id: 'INV-40',
    says: 'The HSN summary holds all of the invoices: their value and tax are on lines with a code',
    uses: ['returned', 'returnedLess'],
    sql: `
      select
        d.organisation,
        format(
          '%s: %s and tax %s of %s and %s have a code', d.number, coalesce(l.taxable, 0), coalesce(l.tax, 0),
          d.taxable, d.cgst + d.sgst + d.igst + d.cess
        ) as what
      from documents d
      join registrations r on r.organisation = d.organisation and r.id = d.registration and r.gstin is not null
      cross join lateral (
        select count(*) as lines, sum(taxable) as taxable, sum(cgst + sgst + igst + cess) as tax
        from document_lines l
        where l.organisation = d.organisation and l.document = d.id and l.hsn <> ''
      ) l
      where d.kind = any($1::text[] || $2::text[])
        and d.supply_type <> 'NONE'
        and d.reverses is null
        and exists (
          select from document_lines i
          where i.organisation = d.organisation and i.document = d.id and i.item is not null
        )
        and (coalesce(l.taxable, 0), coalesce(l.tax, 0)) <> (d.taxable, d.cgst + d.sgst + d.igst + d.cess)
    `,
  },
  {
    id: 'INV-41',
    says:
      'Every table of an organisation has forced row-level security, with the policies that the product makes and no other, ' +
      'and the application owns nothing',
    uses: ['rowSecurity', 'rowSecurityMade'],
    sql: `
      select * from (${differing('rowSecurity')}) differing
      union all
      select null::int as organisation, c.relname::text as what
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'
        and c.relkind in ('r', 'p')
        and (
          pg_get_userbyid(c.relowner) = 'bahi_app'
            or (
              c.relname not in (select name from global_tables)
                and (
                  not c.relrowsecurity
                    or not c.relforcerowsecurity
                    or not exists (
                      select from pg_attribute a
                      where a.attrelid = c.oid and a.attname = 'organisation' and a.attnotnull
                    )
                    or not exists (
                      select from pg_policies p
                      where p.schemaname = 'public'
                        and p.tablename = c.relname
                        and 'bahi_app' = any(p.roles)
                        and p.qual like '%app.organisation%'
                        and p.with_check like '%app.organisation%'
                    )
                )
            )
        )
      union all
      select null, format('role %s passes by row-level security', rolname)
      from pg_roles
      where rolname = 'bahi_app' and (rolsuper or rolbypassrls or pg_has_role('bahi_app', 'bahi_owner', 'member'))
      union all
      select null, format('view %s does not ask as its reader', c.relname)
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'
        and c.relkind = 'v'
        and not coalesce(c.reloptions::text like '%security_invoker=true%', false)
    `,
  },
  {
    id: 'INV-42',
    says: 'Every foreign key between tables of an organisation holds the organisation',
    sql: `
      select null::int as organisation, format('%s of %s', conname, conrelid::regclass) as what
      from pg_constraint f
      where contype = 'f'
        and connamespace = 'public'::regnamespace
        and confrelid::regclass::text not in (select name from global_tables)
        and conrelid::regclass::text not in (select name from global_tables)
        and not exists (
          select from pg_attribute a
          where a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname = 'organisation'
        )
    `,
  },
  {
    id: 'INV-42b',
    says: 'Rows of the books name records of their own organisation only',
    sql: bookKeys
      .map(
        ([table, column, target, as = `k.id = t."${column}"`]) =>
          `select t.organisation, format('%s of ${table} %s is not there', '${column}', t."${column}") as what from ${table} t
        where t."${column}" is not null and not exists (select from ${target} k where k.organisation = t.organisation and ${as})`,
      )
      .join(' union all '),
  },
  {
    id: 'INV-43',
    says: 'Every unique index of an organisation begins with it',
    sql: `
      select null::int as organisation, i.indexrelid::regclass::text as what
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'
        and i.indisunique
        and c.relname not in (select name from global_tables)
        and c.relname <> 'organisations'
        and (
          select attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        ) <> 'organisation'
    `,
  },
  {
    id: 'INV-44a',
    says: 'Every posted document is in the edit log once',
    sql: `
      select organisation, format('document %s is logged %s times', id, coalesce(times, 0)) as what
      from documents d
      full join (
        select organisation, row_id::uuid as id, count(*) as times
        from edit_log
        where relation = 'documents' and action = 'post'
        group by 1, 2
      ) l using (organisation, id)
      where times is distinct from 1 or d.kind is null
    `,
  },
  {
    id: 'INV-44b',
    says: 'The seals chain: each row of the log is as it was sealed, and none is missing',
    sql: `
      select organisation, format('seal %s does not follow', sequence) as what
      from (
        select s.*, lag(seal) over w as before, row_number() over w as place
        from seals s
        window w as (partition by organisation order by sequence)
      ) x
      where place <> sequence
        or previous is distinct from before
        or seal <> sha256(coalesce(previous, ''::bytea) || digest)
      union all
      select s.organisation, format('row %s of the log was changed, or its document', s.log)
      from seals s
      left join edit_log l on l.organisation = s.organisation and l.id = s.log
      where l.id is null or log_digest(l) <> s.digest
      union all
      select l.organisation, format('row %s of the log is not sealed since %s: the server seals it when it is started', l.id, l.at)
      from edit_log l
      where l.at < now() - interval '10 minutes'
        and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id)
    `,
  },
  {
    id: 'INV-44c',
    says: 'Each trigger, function and right is as the product makes it, and nobody has switched a guard off',
    uses: ['guards', 'guardsMade'],
    sql: `
      select * from (${differing('guards')}) differing
      union all
      select null, format('the key of %s to %s is switched off', tgrelid::regclass, tgconstrrelid::regclass)
      from pg_trigger
      where tgisinternal and tgconstrrelid <> 0 and tgenabled <> 'O'
      union all
      select null, format('%s has lost its key of %s', k.name, k.key)
      from unnest(
        array[${list(bookKeys.map(([table]) => table))}],
        array[${list(bookKeys.map(([, column]) => column))}],
        array[${list(bookKeys.map(([, , target]) => target))}]
      ) k(name, key, target)
      where not exists (
        select from pg_constraint f
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
        where f.contype = 'f'
          and f.conrelid = k.name::regclass
          and f.confrelid = k.target::regclass
          and a.attname = k.key
      )
      union all
      select
        null,
        format('a setting of %s switches triggers off: %s', coalesce(r.rolname, 'the database'), s.setting)
      from (select setdatabase, setrole, unnest(setconfig) as setting from pg_db_role_setting) s
      left join pg_roles r on r.oid = s.setrole
      where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and s.setting ~ '^session_replication_role='
        and s.setting <> 'session_replication_role=origin'
      union all
      select null, 'session_replication_role switches triggers off: ' || current_setting('session_replication_role')
      where current_setting('session_replication_role') <> 'origin'
    `,
  },
  {
    id: 'INV-44g',
    says: 'Each table has the columns, keys and checks that the product makes, and no others',
    uses: ['tables', 'tablesMade'],
    sql: `select * from (${differing('tables')}) differing`,
  },
  {
    id: 'INV-44e',
    says: 'Who is an operator of the installation was made one, and who was made one is one until the right is taken',
    sql: `
      with
        logged as (
          select distinct on (u.person) u.person, l.action
          from edit_log l
          join users u on u.organisation = l.organisation and u.id::text = l.row_id
          where l.relation = 'security' and l.action in ('operatorGiven', 'operatorTaken')
          order by u.person, l.id desc
        )
      select
        null::int as organisation,
        format('%s is %s operator, and the log says otherwise', p.email, case when p.operator then 'an' else 'no' end) as what
      from people p
      left join logged t on t.person = p.id
      where p.operator <> (t.action is not distinct from 'operatorGiven')
    `,
  },
  {
    id: 'INV-44f',
    says: 'A file is what its digest says, each record that names one has it, and the main code of an item is the one in its record',
    sql: `
      select organisation, format('file %s is not what its digest says', digest) as what
      from files
      where digest <> encode(sha256(bytes), 'hex')
      union all
      select n.organisation, format('%s %s names the file %s, which is gone', n.relation, n.record, n.digest)
      from (
        select organisation, 'document' as relation, document::text as record, digest
        from document_files
        union all
        select organisation, 'mail', mail::text, digest
        from mail_papers
        union all
        select organisation, 'item', item::text, digest
        from item_pictures
        union all
        select organisation, 'organisation', code, body ->> 'logo'
        from organisations
        union all
        select organisation, 'small picture', digest, digest
        from thumbnails
      ) n
      left join files f on f.organisation = n.organisation and f.digest = n.digest
      where n.digest is not null and f.digest is null
      union all
      select
        coalesce(i.organisation, b.organisation),
        format('item %s has the code %s, and %s is read for it', coalesce(i.id, b.item), i.barcode, b.barcode)
      from (select organisation, id, barcode from items where coalesce(barcode, '') <> '') i
      full join (select organisation, item, barcode from item_barcodes where main) b
        on b.organisation = i.organisation and b.item = i.id
      where i.barcode is distinct from b.barcode
    `,
  },
  {
    id: 'INV-46',
    says: 'The log of credentials, people and sign-ins keeps no secret, and of a secret nothing but a digest',
    sql: `
      select organisation, format('row %s of the log, %s', id, relation) as what
      from edit_log
      cross join lateral (select coalesce(before, '{}') || coalesce(after, '{}') as either) e
      where relation in (
        'security', 'users', 'credentials', 'people', 'recovery_codes', 'payment_gateways', 'payment_links'
      )
        and (
          either ?| array['secret', 'password', 'password_hash', 'totp_secret', 'log_salt', 'token', 'tokens', 'code']
            or (either ? 'digest' and relation <> 'payment_links')
            or exists (
              select from (select * from jsonb_each_text(before) union all select * from jsonb_each_text(after)) f
              where f.key like '%\\_digest' and f.value !~ '^[0-9a-f]{64}$'
            )
        )
    `,
  },
  {
    id: 'INV-47',
    says: 'A grant is of one of the four levels',
    sql: `
      select organisation, format('role %s: screen %s at %s', role, screen, level) as what
      from role_grants
      where level not in (${grantable})
    `,
  },
  {
    id: 'INV-48',
    says: 'A session ends with the day of work at the latest, and belongs to who is active where it works',
    sql: `
      select organisation, format('session of %s from %s until %s', person, created_at, expires_at) as what
      from sessions
      where expires_at > created_at + interval '12 hours'
      union all
      select organisation, format('a session of %s was used after the place there had ended', person)
      from sessions s
      where seen_at > now() - interval '1 minute'
        and not exists (select from users u where u.person = s.person and u.active)
        and not exists (
          select from edit_log l
          join users u on u.organisation = l.organisation and u.id::text = l.row_id
          where u.person = s.person and l.relation = 'users' and l.at > now() - interval '1 minute'
        )
    `,
  },
  {
    id: 'INV-50',
    says: 'No column is a float, and no instant lacks its zone',
    sql: `
      select null::int as organisation, format('%s.%s', table_name, column_name) as what
      from information_schema.columns
      where table_schema = 'public' and data_type in ('real', 'double precision', 'timestamp without time zone')
    `,
  },
  {
    id: 'INV-51',
    says: 'Rates and percentages are not negative, and amounts no greater than ₹99,99,99,99,999.99',
    sql: `
      select organisation, format('document %s line %s', document, line) as what
      from document_lines
      where rate < 0
        or gst_rate not between 0 and 1000000
        or abs(value) > 9999999999999
        or abs(quantity) > 1000000000000000
      union all
      select organisation, format('document %s is over %s paise', id, total)
      from documents
      where abs(total) > 9999999999999
      union all
      select organisation, format('document %s leg %s', document, leg)
      from entries
      where debit > 9999999999999 or credit > 9999999999999
    `,
  },
  {
    id: 'INV-52',
    says: 'Dates of the books have no time',
    sql: `
      select null::int as organisation, format('%s.%s', table_name, column_name) as what
      from information_schema.columns
      where table_schema = 'public'
        and column_name in ('date', 'due_date', 'day', 'month', 'locked_through', 'last_date')
        and data_type <> 'date'
    `,
  },
  {
    id: 'INV-53',
    says: 'Names hold no control characters and no overrides of writing direction',
    sql: `
      select organisation, format('%s %s', relation, id) as what
      from (
        select organisation, 'party' as relation, id, name as said
        from parties
        union all
        select organisation, 'item', id, name
        from items
        union all
        select organisation, 'ledger', id, name
        from ledgers
        union all
        select organisation, 'document', id, concat(number, party_name, reference)
        from documents
        union all
        select organisation, 'line of', document, description
        from document_lines
      ) t
      where said ~ E'[\\x01-\\x09\\x0b-\\x1f\\x7f\\u202a-\\u202e\\u2066-\\u2069]'
    `,
  },
  {
    id: 'INV-54',
    says: 'Every kept answer names a document that exists',
    sql: `
      select k.organisation, format('key %s names %s', k.key, k.answer ->> 'id') as what
      from idempotency_keys k
      where k.answer ? 'number'
        and not exists (
          select from documents d
          where d.organisation = k.organisation
            and d.id = case
              when k.answer ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (k.answer ->> 'id')::uuid
            end
        )
    `,
  },
  {
    id: 'INV-62',
    says: 'What a till gave and set down is in the books or not, as it says; a bill with a number of its till has exactly that number',
    sql: `
      select n.organisation, format('number %s is %s', n.number, n.state) as what
      from till_numbers n
      left join documents d on d.organisation = n.organisation and d.id = n.document
      where n.state = 'posted' and (d.id is null or d.number <> n.number or d.series is distinct from n.series)
        or n.state <> 'posted' and exists (
          select from documents o
          where o.organisation = n.organisation and o.series = n.series and upper(o.number) = upper(n.number)
        )
      union all
      select
        d.organisation,
        format('document %s has the number %s', d.body -> 'draft' -> 'till' ->> 'number', d.number)
      from documents d
      where d.body -> 'draft' -> 'till' ? 'counter'
        and (
          d.number is distinct from d.body -> 'draft' -> 'till' ->> 'number'
            or not exists (
              select from series_counters c
              where c.organisation = d.organisation
                and c.series = d.series
                and c.period = d.body -> 'draft' -> 'till' ->> 'period'
                and c.next > (d.body -> 'draft' -> 'till' ->> 'counter')::int
            )
        )
    `,
  },
  {
    id: 'INV-61',
    says: 'What a closed till session should have held is what its documents moved, and what was short or over is booked',
    sql: `
      select organisation, format('till session %s', id) as what
      from till_sessions
      where closed_at is not null
        and (expected <> till_expected(organisation, id) or (counted <> expected) <> (difference is not null))
      union all
      select d.organisation, format('document %s names a till session it does not belong to', d.id)
      from documents d
      where d.body -> 'draft' -> 'till' is not null
        and not d.body -> 'draft' -> 'till' ? 'counted'
        and not exists (
          select from till_documents t
          where t.organisation = d.organisation
            and t.document = d.id
            and t.session::text = d.body -> 'draft' -> 'till' ->> 'session'
        )
      union all
      select t.organisation, format('document %s is kept under till session %s', t.document, t.session)
      from till_documents t
      left join documents d on d.organisation = t.organisation and d.id = t.document
      where (d.body #>> '{draft,till,session}') is distinct from t.session::text
    `,
  },
  {
    id: 'INV-65',
    says:
      'No certificate of a lower deduction is used beyond its limit, tax that was worked out is that of its amount and rate, ' +
      'what was restated at a day is taken back on the next or stays as money at its rate, and nothing of another currency is ' +
      'on a ledger that has one',
    sql: `
      select organisation, format('document %s: tax of %s on %s at %s', id, tax, base, rate) as what
      from (
        select
          d.organisation, d.id, greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0)) as tax,
          (d.body ->> 'tdsBase')::bigint as base, (d.body ->> 'tdsRate')::bigint as rate,
          least((d.body ->> 'tdsBase')::bigint, coalesce((d.body #>> '{draft,tdsLower,base}')::bigint, 0)) as spared,
          coalesce((d.body #>> '{draft,tdsLower,rate}')::bigint, 0) as lower
        from documents d
        where d.body ? 'tdsRate'
      ) w
      -- in whole rupees
      where abs(tax - ((base - spared) * rate + spared * lower) / 1000000.0) >= 100
      union all
      select
        organisation,
        format('certificate %s: %s of %s used', number, certificate_used(organisation, id), limit_amount) as what
      from tds_certificates
      where certificate_used(organisation, id) > limit_amount
      union all
      select
        v.organisation,
        format('the restatement of %s: %s left on %s', v.as_of, sum(e.debit - e.credit), e.ledger)
      from exchange_revaluations v
      join entries e on e.organisation = v.organisation and e.document in (v.journal, v.reversal)
      where v.reversal is not null
      group by v.organisation, v.id, v.as_of, e.ledger, e.location
      having sum(e.debit - e.credit) <> 0
      union all
      select v.organisation, format('the restatement of %s: %s on %s', v.as_of, m.difference, m.ledger)
      from exchange_revaluation_money m
      join exchange_revaluations v on v.organisation = m.organisation and v.id = m.revaluation
      where m.difference <> (
        select coalesce(sum(e.debit - e.credit), 0)
        from entries e
        where e.organisation = v.organisation and e.document = v.journal and e.ledger = m.ledger
      )
      union all
      select
        e.organisation,
        format('document %s leg %s: %s on a ledger in %s', e.document, e.leg, e.currency, l.currency)
      from ledgers l
      join entries e on e.organisation = l.organisation and e.ledger = l.id
      where l.currency is not null and e.currency <> l.currency
    `,
  },
  {
    id: 'INV-69',
    says:
      'No more tax is paid to the government than a document withheld, a challan is the sum of its parts, and its ' +
      'journal paid it with interest and fee',
    sql: `
      select
        d.organisation,
        format(
          'document %s withheld %s of %s and %s is paid', d.number, tax_withheld(d, t.tax), t.tax, sum(p.amount)
        ) as what
      from tax_challan_parts p
      join tax_challans t on t.organisation = p.organisation and t.id = p.challan
      join documents d on d.organisation = p.organisation and d.id = p.document
      where ${live('t')}
      group by d.organisation, d.id, d.number, t.tax, tax_withheld(d, t.tax)
      having sum(p.amount) > tax_withheld(d, t.tax)
      union all
      select d.organisation, format('document %s is cancelled and its tax is paid', d.number)
      from tax_challan_parts p
      join tax_challans t on t.organisation = p.organisation and t.id = p.challan
      join documents d on d.organisation = p.organisation and d.id = p.document
      where ${live('t')} and not ${live('d')}
      union all
      select
        t.organisation,
        format(
          'challan %s of %s: its parts come to %s, its journal to %s', t.id, t.amount,
          (
            select sum(p.amount) from tax_challan_parts p where p.organisation = t.organisation and p.challan = t.id
          ),
          (select sum(e.debit) from entries e where e.organisation = t.organisation and e.document = t.id)
        )
      from tax_challans t
      where t.amount is distinct from (
        select sum(p.amount) from tax_challan_parts p where p.organisation = t.organisation and p.challan = t.id
      )
        or t.amount + t.interest + t.fee is distinct from (
          select sum(e.debit) from entries e where e.organisation = t.organisation and e.document = t.id
        )
    `,
  },
  {
    id: 'INV-66',
    says:
      'The stage of an order is the one its last move led to, each move continues from the one before, and nobody ' +
      'approved their own entry',
    sql: `
      select
        o.organisation,
        format(
          'order %s is at %s after %s moves, its last one led to %s', o.document, o.stage, o.moves, m.to_stage
        ) as what
      from workflow_orders o
      left join workflow_moves m
        on m.organisation = o.organisation
          and m.document = o.document
          and m.number = (
            select max(number)
            from workflow_moves l
            where l.organisation = o.organisation and l.document = o.document
          )
      where m.to_stage is distinct from o.stage or m.number is distinct from o.moves
      union all
      select m.organisation, format('move %s of order %s leaves a stage that it was not at', m.number, m.document)
      from workflow_moves m
      left join workflow_moves b
        on b.organisation = m.organisation and b.document = m.document and b.number = m.number - 1
      where m.number > 1 and b.to_stage is distinct from m.from_stage
      union all
      select m.organisation, format('order %s was approved by who entered it', d.number)
      from workflow_moves m
      join documents d on d.organisation = m.organisation and d.id = m.document and d.author = m.by
      join workflow_orders o on o.organisation = m.organisation and o.document = m.document
      join workflows w on w.organisation = o.organisation and w.id = o.workflow
      where (workflow_stage(w.stages, m.from_stage) ->> 'approval')::boolean
        and exists (
          select from jsonb_array_elements(w.actions) a
          where a ->> 'key' = m.action and not (a ->> 'destructive')::boolean
        )
    `,
  },
  {
    id: 'INV-67',
    says:
      'What was approved was approved by another than its author and comes to what was sent for approval, and what is ' +
      'rejected or waits is a draft',
    sql: `
      select
        a.organisation,
        format(
          'document %s of %s was sent by %s and approved by %s', d.number, d.author, a.submitted_by, a.approved_by
        ) as what
      from approvals a
      join documents d on d.organisation = a.organisation and d.id = a.document
      where a.approved_by = a.submitted_by or d.author <> a.submitted_by
      union all
      select
        a.organisation,
        format('document %s comes to %s and was sent for approval with %s', d.number, d.total, a.figures ->> 'total')
      from approvals a
      join documents d on d.organisation = a.organisation and d.id = a.document
      where (a.figures ->> 'total')::bigint <> d.total
      union all
      select a.organisation, format('the approval of %s is of no document', a.document)
      from approvals a
      where not exists (select from documents d where d.organisation = a.organisation and d.id = a.document)
      union all
      select t.organisation, format('draft %s waits for approval and is posted', t.id)
      from drafts t
      where t.submitted_at is not null
        and exists (select from documents d where d.organisation = t.organisation and d.id = t.id)
    `,
  },
  {
    id: 'INV-85',
    says:
      'A document agrees with those it is made from: kind, day, party, registration, place of supply, kind of tax; ' +
      'each line has the item of its source',
    uses: ['made', 'madeFrom', 'partied', 'receiving', 'correcting', 'taxedAsSource'],
    sql: `
      with
        ways as (select kind, "from" from unnest($1::text[], $2::text[]) w(kind, "from")),
        pairs as (
          select distinct organisation, document as target, source_document as source
          from document_lines
          where source_document is not null
        ),
        derived as (
          select
            t.organisation, t.number, s.number as source, t.kind, s.kind as source_kind, t.date,
            s.date as source_date, coalesce(tp.merged_into, t.party) as party,
            coalesce(sp.merged_into, s.party) as source_party, t.registration, s.registration as source_registration,
            t.place_of_supply, s.place_of_supply as source_place, t.body ->> 'supply' as supply,
            s.body ->> 'supply' as source_supply, t.cgst + t.sgst as halves, t.igst,
            w.kind is not null as is_made
          from pairs p
          join documents t on t.organisation = p.organisation and t.id = p.target and t.reverses is null
          join documents s on s.organisation = p.organisation and s.id = p.source
          left join parties tp on tp.organisation = t.organisation and tp.id = t.party
          left join parties sp on sp.organisation = s.organisation and sp.id = s.party
          left join ways w on w.kind = t.kind and w."from" = s.kind
        )
      select organisation, format('%s, a %s, is made from %s, a %s', number, kind, source, source_kind) as what
      from derived
      where not is_made
      union all
      select organisation, format('%s of %s is made from %s of %s', number, date, source, source_date)
      from derived
      where date < source_date
      union all
      select organisation, format('%s and %s are of different parties', number, source)
      from derived
      where kind = any($3) and source_party is not null and source_party is distinct from party
      union all
      select organisation, format('%s and %s are of different registrations', number, source)
      from derived
      where kind <> all($4) and registration <> source_registration
      union all
      select organisation, format('%s and %s have different places of supply', number, source)
      from derived
      where kind = any($5)
        and kind = any($6)
        and place_of_supply is not null
        and source_place is not null
        and place_of_supply <> source_place
      union all
      select organisation, format('%s bears another tax than %s', number, source)
      from derived
      where kind = any($6)
        and (
          supply <> source_supply
            or (source_supply = 'intra' and igst <> 0)
            or (source_supply = 'inter' and halves <> 0)
        )
      union all
      select l.organisation, format('line %s of %s is of another item than its source', l.line, l.document)
      from document_lines l
      join document_lines s
        on s.organisation = l.organisation and s.document = l.source_document and s.line = l.source_line
      where s.item is not null and s.item is distinct from l.item
    `,
  },
  {
    id: 'INV-86',
    says:
      'Goods go to a place of the registration that the document names as the other one; an entry on a cost centre ' +
      'is on one of its own organisation, and a room is a stock room',
    uses: ['transfers', 'receiving'],
    sql: `
      select d.organisation, format('%s goes to %s of another registration', d.number, p.code) as what
      from documents d
      join locations p on p.organisation = d.organisation and p.id = d.to_location
      where d.kind = any($1)
        and d.reverses is null
        and d.body #>> '{draft,toRegistration}' is not null
        and p.registration::text <> d.body #>> '{draft,toRegistration}'
        and d.to_location <> d.location
        and d.kind <> all($2)
      union all
      select d.organisation, format('%s arrives at %s of another registration', d.number, p.code)
      from documents d
      join locations p on p.organisation = d.organisation and p.id = d.to_location
      where d.kind = any($2) and p.registration <> d.registration
      union all
      select d.organisation, format('%s is at %s of another registration', d.number, p.code)
      from documents d
      join locations p on p.organisation = d.organisation and p.id = d.location
      where p.registration <> d.registration
      union all
      select e.organisation, format('document %s leg %s: cost centre %s', e.document, e.leg, e.cost_centre)
      from entries e
      left join cost_centres c on c.organisation = e.organisation and c.id = e.cost_centre
      where e.cost_centre is not null and c.id is null
      union all
      select m.organisation, format('movement %s of %s: %s is no stock room', m.number, m.document, m.room)
      from movements m
      left join masters r on r.organisation = m.organisation and r.id = m.room and r.master = 'warehouse'
      where m.room is not null and r.id is null
    `,
  },
  {
    id: 'INV-91',
    says:
      'What takes back from a line takes no more than its value, notes without GST by themselves, what claims it again no ' +
      'more than it took, and what is given back after tax is no more than was added',
    uses: ['lessening'],
    sql: `
      with recursive taken as (
        select
          l.organisation, l.source_document as root, l.source_line as root_line, l.document, l.line, l.value, k.adds,
          k.goods, coalesce((d.body #>> '{draft,withoutTax}')::boolean, false) as financial
        from document_lines l
        join documents d on d.organisation = l.organisation and d.id = l.document
        join note_kinds() k on k.kind = d.kind
        where l.source_document is not null
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
        union all
        select t.organisation, t.root, t.root_line, l.document, l.line, l.value, k.adds, k.goods,
          coalesce((d.body #>> '{draft,withoutTax}')::boolean, false)
        from taken t
        join document_lines l
          on l.organisation = t.organisation and l.source_document = t.document and l.source_line = t.line
        join documents d on d.organisation = l.organisation and d.id = l.document
        join note_kinds() k on k.kind = d.kind
        where not t.goods
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      )
      select
        s.organisation,
        format(
          '%s of line %s of %s is taken back, it was %s', sum(case when t.adds then -t.value else t.value end), s.line,
          s.document, s.value
        ) as what
      from document_lines s
      join documents o on o.organisation = s.organisation and o.id = s.document
      join taken t on t.organisation = s.organisation and t.root = s.document and t.root_line = s.line
      where not exists (select from note_kinds() k where k.kind = o.kind and not k.adds)
      group by s.organisation, s.document, s.line, s.value, t.financial
      having sum(case when t.adds then -t.value else t.value end) > s.value + case
        -- a note without GST is bound by what price rises have left as well
        when t.financial then (
          select coalesce(sum(r.value), 0)
          from taken r
          where r.organisation = s.organisation
            and r.root = s.document
            and r.root_line = s.line
            and r.adds
            and not r.financial
        )
        else 0
      end
      union all
      select
        s.organisation,
        format(
          '%s of line %s of %s is claimed again, it took %s', sum(case when t.adds then t.value else -t.value end),
          s.line, o.number, s.value
        )
      from document_lines s
      join documents o on o.organisation = s.organisation and o.id = s.document
      join note_kinds() k on k.kind = o.kind and not k.adds
      join taken t on t.organisation = s.organisation and t.root = s.document and t.root_line = s.line
      where t.financial = coalesce((o.body #>> '{draft,withoutTax}')::boolean, false)
      group by s.organisation, s.document, s.line, s.value, o.number
      having sum(case when t.adds then t.value else -t.value end) > s.value
      union all
      select
        s.organisation,
        format('%s after tax of %s is given back, it has added %s', sum(t.given), s.number, adjusted_by(s.body))
      from documents s
      join lateral (
        select greatest(adjusted_by(d.body), 0) as given
        from documents d
        where d.organisation = s.organisation
          and d.kind = any($1)
          and d.body ? 'adjustments'
          and exists (
            select from document_lines l
            where l.organisation = d.organisation and l.document = d.id and l.source_document = s.id
          )
          and not exists (
            select from document_lines l
            where l.organisation = d.organisation and l.document = d.id and l.source_document <> s.id
          )
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      ) t on true
      group by s.organisation, s.id, s.number, s.body
      having sum(t.given) > greatest(adjusted_by(s.body), 0) + (
        select coalesce(sum(greatest(adjusted_by(r.body), 0)), 0)
        from note_documents(s.organisation, s.id) n
        join documents r on r.organisation = s.organisation and r.id = n.document
        join note_kinds() k on k.kind = r.kind and k.adds
      )
    `,
  },
  {
    id: 'INV-92',
    says: 'An advance with tax is used by its own registration, and settles documents of that registration only',
    uses: ['advances', 'advanceUsers'],
    sql: `
      with taxed as (
        select d.organisation, d.id, d.number, d.registration
        from documents d
        where d.kind = any($1)
          and d.reverses is null
          and exists (
            select from document_lines l where l.organisation = d.organisation and l.document = d.id and l.gst_rate > 0
          )
      )
      select t.organisation, format('%s settles %s of another registration', t.number, i.number) as what
      from taxed t
      join allocations a on a.organisation = t.organisation and a.credit_document = t.id
      join documents i on i.organisation = a.organisation and i.id = a.invoice_document
      where i.registration <> t.registration
      group by t.organisation, t.number, i.number, a.credit_document, a.invoice_document, a.invoice_line
      having sum(a.amount) <> 0
      union all
      select t.organisation, format('%s is used by %s of another registration', t.number, u.number)
      from taxed t
      join document_links k on k.organisation = t.organisation and k.source = t.id and k.role = 'source'
      join documents u on u.organisation = k.organisation and u.id = k.target and u.kind = any($2)
      left join cancellations c on c.organisation = u.organisation and c.document = u.id
      where u.registration <> t.registration and c.document is null
    `,
  },
  {
    id: 'INV-93',
    says:
      'What a document was made from, which order it carries out, what it pays tax of and what it reverses is what it ' +
      'says itself',
    sql: `
      with
        said as (
          select l.organisation, l.source_document::text as source, l.document as target, 'source' as role
          from document_lines l
          where l.source_document is not null
          union
          select d.organisation, d.body #>> '{draft,against}', d.id, 'source'
          from documents d
          where d.reverses is null
          union
          select d.organisation, d.body #>> '{draft,order}', d.id, 'order'
          from documents d
          where d.reverses is null
          union
          -- said later
          select organisation, body ->> 'order', document, 'order'
          from later_facts
          where fact = 'order'
          union
          select d.organisation, p.part ->> 'document', d.id, 'challan'
          from documents d
          cross join lateral jsonb_array_elements(d.body #> '{draft,challan,parts}') p (part)
          where d.reverses is null
          union
          select c.organisation, c.document::text, c.reversal, 'reversal'
          from cancellations c
          where not exists (
            -- a year that is opened again says so itself
            select from year_closings y where y.organisation = c.organisation and y.document = c.document
          )
        ),
        -- which documents a cost revision is of is in the edit log
        linked as (
          select organisation, source::text as source, target, role
          from document_links
          where role <> 'revision'
        )
      select
        coalesce(s.organisation, l.organisation) as organisation,
        case
          when l.target is null then format('document %s names %s as its %s, and the link is gone', s.target, s.source, s.role)
          else format('document %s is linked with %s as its %s, and does not say so', l.target, l.source, l.role)
        end as what
      from (select * from said where source is not null) s
      full join linked l
        on l.organisation = s.organisation and l.source = s.source and l.target = s.target and l.role = s.role
      where l.target is null or s.target is null
    `,
  },
  {
    id: 'INV-94',
    says: 'The first cost of a movement is of its own document, and what is open has the day and the currency of its document',
    sql: `
      select organisation, format('document %s movement %s: its first cost is of %s', document, number, cause) as what
      from movement_costs
      where revision = 0 and cause <> document
      union all
      select o.organisation, format('document %s line %s: open since %s in %s', d.number, o.line, o.date, o.currency)
      from open_items o
      join documents d on d.organisation = o.organisation and d.id = o.document
      where o.currency <> d.currency
        or o.date <> coalesce(
          case when o.line > 0 then d.body #>> array['draft', 'lines', (o.line - 1)::text, 'referenceDate'] end::date,
          d.date
        )
    `,
  },
  {
    id: 'INV-70',
    says: 'No two documents of a supplier have its number of one year, and no two are one bill of entry, but where a reason was given',
    uses: ['supplierNumbered', 'customsNumbered'],
    sql: `with bills as (
            select d.organisation, d.id, d.number, d.party, d.reference, bare_number(d.reference) as paper,
                   financial_year_start(coalesce((d.body #>> '{draft,referenceDate}')::date, d.date)) as year,
                   jsonb_path_exists(d.body, '$.warnings[*] ? (@.code == "duplicateBill" && exists (@.reason))') as accepted
              from documents d
             where d.kind = any($1)
               and d.reverses is null
               and bare_number(d.reference) <> ''
               and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
          ),
          entered as (
            select d.organisation, d.id, d.number, d.reference,
                   d.body #>> '{draft,referenceDate}' as day,
                   d.body #>> '{draft,fields,port}' as port,
                   jsonb_path_exists(d.body, '$.warnings[*] ? (@.code == "entryTwice" && exists (@.reason))') as accepted
              from documents d
             where d.kind = any($2)
               and d.reverses is null
               and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
          )
          select a.organisation, format('%s and %s: supplier document %s', a.number, b.number, b.reference) as what
            from bills a
            join bills b using (organisation, party, paper, year)
           where a.id < b.id
             and not a.accepted
             and not b.accepted
          union all
          select a.organisation, format('%s and %s: bill of entry %s', a.number, b.number, b.reference)
            from entered a
            join entered b using (organisation, reference, day)
           where a.id < b.id
             and coalesce(a.port = b.port, true)
             and not a.accepted
             and not b.accepted`,
  },
  {
    id: 'INV-72',
    says: 'Nothing is booked before its supplier or customs wrote it, and what is written for a supplier is of a document in the books',
    uses: ['othersDated', 'forSupplier'],
    sql: `
      with standing as (
        select d.organisation, d.id, d.kind, d.number, d.date, d.body -> 'draft' as draft
        from documents d
        where d.kind = any($1::text[] || $2::text[])
          and d.reverses is null
          and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      )
      select organisation, format('%s of %s: its paper is of %s', number, date, draft ->> 'referenceDate') as what
      from standing
      where kind = any($1) and (draft ->> 'referenceDate')::date > date
      union all
      select s.organisation, format('%s is of no document', s.number)
      from standing s
      where s.kind = any($2)
        and not exists (
          select from document_links l where l.organisation = s.organisation and l.target = s.id
        )
    `,
  },
  {
    id: 'INV-71',
    says: 'A kept return is what was kept, and each mark has the one that it was filed as',
    sql: `
      select k.organisation, format('%s of %s: its digest is of something else', k.form, k.period) as what
      from gst_returns_kept k
      where k.digest <> return_digest(k.tables, k.documents, k.file)
      union all
      select
        k.organisation,
        format('%s of %s holds %s, which is no document of its registration', k.form, k.period, p.part ->> 'number')
      from gst_returns_kept k
      cross join lateral jsonb_array_elements(k.documents) p (part)
      left join documents d
        on d.organisation = k.organisation and d.id = (p.part ->> 'id')::uuid and d.registration = k.registration
      where d.id is null
      union all
      select f.organisation, format('%s of %s is marked, and no return of it is kept', f.form, f.period)
      from gst_filings f
      where f.at >= (select min(k.at) from gst_returns_kept k where k.organisation = f.organisation)
        and not exists (
          select from gst_returns_kept k
          where k.organisation = f.organisation
            and k.registration = f.registration
            and k.form = f.form
            and k.period = f.period
            and k.filed_on = f.filed_on
            and k.arn = f.arn
            and not exists (
              select from gst_returns_unmarked x where x.organisation = k.organisation and x.id = k.id
            )
        )
      union all
      select k.organisation, format('%s of %s is kept, and not marked', k.form, k.period)
      from gst_returns_kept k
      where not exists (select from gst_returns_unmarked x where x.organisation = k.organisation and x.id = k.id)
        and not exists (
          select from gst_filings f
          where f.organisation = k.organisation
            and f.registration = k.registration
            and f.form = k.form
            and f.period = k.period
        )
    `,
  },
  {
    id: 'INV-56',
    says: 'What was put out for the outside world is handed over within ten minutes',
    sql: `
      select organisation, format('%s %s waits since %s', task, key, created_at) as what
      from outbox
      where handed_at is null and created_at < now() - interval '10 minutes'
    `,
  },
];
