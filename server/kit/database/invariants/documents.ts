import { type Check, live } from './check.ts';

/** Documents: numbers, sums, what they are made from, approval and workflow. */
export const documentsChecks: readonly Check[] = [
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
];
