import { type Check, live } from './check.ts';

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

/** The books: entries, their totals, accounts of parties, locks and years. */
export const booksChecks: readonly Check[] = [
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
];
