import { type Check, live } from './check.ts';

/** What is open and what settles it, tax withheld, sessions of tills. */
export const settlementsChecks: readonly Check[] = [
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
];
