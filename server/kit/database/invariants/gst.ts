import { type Check, live } from './check.ts';

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

/** GST: tax, returns, e-invoices and e-way bills. */
export const gstChecks: readonly Check[] = [
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
    id: 'INV-39',
    says: 'Central and state tax are equal, and never occur together with integrated tax',
    sql: `
      select organisation, format('document %s line %s: %s, %s, %s', document, line, cgst, sgst, igst) as what
      from document_lines
      where cgst <> sgst or (igst <> 0 and cgst <> 0)
    `,
  },
  {
    id: 'INV-84b',
    says: 'The GSTINs of an organisation contain one PAN',
    sql: `
      select organisation, format('GSTINs of %s', string_agg(distinct substr(gstin, 3, 10), ', ')) as what
      from registrations
      where gstin ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][Z1-9A-CE-J][0-9A-Z]$'
      group by organisation
      having count(distinct substr(gstin, 3, 10)) > 1
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
