-- Returns that were filed, tax deducted and collected at source, challans and certificates.

-- Returns that a registration has filed. What they show stays as it was: the register of the returns is locked for
-- that registration alone, under a name that holds its id.
--
-- The annual return (GSTR-9) is marked for the March that ends its year, and locks nothing: what it shows is locked
-- by the returns of the months. From its day on no credit is taken and no tax reduced for its year (sections 16(4)
-- and 34(2)). Composition dealers file CMP-08 after each quarter and GSTR-4 after the year (section 39(2), rule
-- 62); both lock what they show in registers of their own: days under composition are not those of GSTR-1.
create table gst_filings (
  organisation int not null references organisations,
  registration uuid not null,
  form text not null check (form in ('GSTR-1', 'IFF', 'GSTR-3B', 'GSTR-9', 'CMP-08', 'GSTR-4')),
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  filed_on date not null,
  arn text not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, registration, form, period),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, by) references users,
  constraint gst_filings_year check (form not in ('GSTR-9', 'GSTR-4') or period like '%-03'),
  constraint gst_filings_quarter check (form <> 'CMP-08' or period ~ '-(03|06|09|12)$')
);
grant select, insert, delete on gst_filings to bahi_app;
-- An acknowledgement that was missing when a return was marked is added later; nothing else of a mark changes.
grant update (arn) on gst_filings to bahi_app;

-- Who files quarterly may furnish invoices to registered persons of the first two months beforehand (IFF, rule
-- 59(2)). That is marked as returns are, and by the document: what an IFF held is not in the file of the quarter,
-- and what it did not hold is, whatever is posted for those days later. So an IFF locks nothing.
create table gst_furnished (
  organisation int not null,
  document uuid not null,
  registration uuid not null,
  form text not null default 'IFF' check (form = 'IFF'),
  period text not null,
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, registration, form, period) references gst_filings
);
create index gst_furnished_filing on gst_furnished (organisation, registration, form, period);
grant select, insert, delete on gst_furnished to bahi_app;

-- A return is kept as it was filed: its tables, what each document added, and the file for the portal. What is
-- posted or reversed later changes what the books say, never what was filed; the difference of the two is listed. A
-- mark that is taken back leaves the return that was kept; the reason stands in a table of its own.
create table gst_returns_kept (
  organisation int not null references organisations,
  id uuid not null,
  registration uuid not null,
  form text not null,
  period text not null,
  filed_on date not null,
  arn text not null,
  tables jsonb not null,
  documents jsonb not null,
  file jsonb,
  digest bytea not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, by) references users
);
create index gst_returns_kept_period on gst_returns_kept (organisation, registration, form, period, at);
grant select, insert on gst_returns_kept to bahi_app;

create table gst_returns_unmarked (
  organisation int not null,
  id uuid not null,
  reason text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, id),
  foreign key (organisation, id) references gst_returns_kept,
  foreign key (organisation, by) references users
);
grant select, insert on gst_returns_unmarked to bahi_app;

-- Certificates of the assessing officer by which less tax is deducted from a party (section 197): at this rate, up
-- to this amount.
create table tds_certificates (
  organisation int not null references organisations,
  id uuid not null,
  number text not null check (number <> ''),
  party uuid not null,
  section text not null,
  rate int not null check (rate between 0 and 1000000),
  limit_amount bigint not null check (limit_amount > 0),
  valid_from date not null,
  valid_to date not null check (valid_to >= valid_from),
  active boolean not null default true,
  version int not null default 1,
  body jsonb not null default '{}',
  primary key (organisation, id),
  unique (organisation, party, number),
  foreign key (organisation, party) references parties
);
grant select, insert, update on tds_certificates to bahi_app;

-- What was paid of tax deducted or collected at source (challan ITNS 281), deduction by deduction. The challan
-- rides in the journal that pays it, under the same id; what the bank tells later, its BSR code and the serial
-- number, is written here.
create table tax_challans (
  organisation int not null references organisations,
  id uuid not null,
  tax text not null check (tax in ('tds', 'tcs')),
  section text not null check (section <> ''),
  head text not null check (head in ('0020', '0021')),
  date date not null,
  bsr text check (bsr ~ '^[0-9]{7}$'),
  serial text check (serial ~ '^[0-9]{5}$'),
  amount bigint not null check (amount > 0),
  interest bigint not null check (interest >= 0),
  fee bigint not null check (fee >= 0),
  version int not null default 1,
  primary key (organisation, id),
  foreign key (organisation, id) references documents,
  check ((bsr is null) = (serial is null))
);
grant select, insert on tax_challans to bahi_app;
grant update (bsr, serial, version) on tax_challans to bahi_app;

create table tax_challan_parts (
  organisation int not null,
  challan uuid not null,
  document uuid not null,
  amount bigint not null check (amount > 0),
  primary key (organisation, challan, document),
  foreign key (organisation, challan) references tax_challans,
  foreign key (organisation, document) references documents
);
create index tax_challan_parts_document on tax_challan_parts (organisation, document);
grant select, insert on tax_challan_parts to bahi_app;

-- What is typed of a certificate of one payee and quarter: the number that TRACES gave it, and who answers for it.
create table tax_certificates (
  organisation int not null references organisations,
  id uuid not null,
  tax text not null check (tax in ('tds', 'tcs')),
  party uuid not null,
  year text not null check (year ~ '^[0-9]{4}-[0-9]{2}$'),
  quarter int not null check (quarter between 1 and 4),
  number text not null,
  signed_by text not null,
  capacity text not null,
  version int not null default 1,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, tax, party, year, quarter),
  foreign key (organisation, party) references parties,
  foreign key (organisation, by) references users
);
grant select, insert, update on tax_certificates to bahi_app;

-- By registration and financial year ('2025-26') the day on which its annual return was filed.
create function annual_returns(org int) returns json
language sql stable as $$
  select coalesce(json_object_agg(registration, years), '{}')
  from (
    select
      f.registration,
      json_object_agg((left(f.period, 4)::int - 1) || '-' || substr(f.period, 3, 2), f.filed_on) as years
    from gst_filings f
    where f.organisation = org and f.form = 'GSTR-9'
    group by f.registration
  ) r
$$;
grant execute on function annual_returns(int) to bahi_app;

-- The digest of a kept return is taken of what is stored, so that anybody who reads the row can take it again.
create function return_digest(tables jsonb, documents jsonb, file jsonb) returns bytea
language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(tables, documents, file)::text, 'UTF8'))
$$;
grant execute on function return_digest(jsonb, jsonb, jsonb) to bahi_app;

-- Cancelling undoes a document on its own day. An IFF locks no days: what it held is kept by document, and a
-- cancellation on the document's own day would change what was filed. A reversal of a later day does not.
create function filed_before_cancellation() returns trigger
language plpgsql as $$
declare
  held text;
begin
  select f.period into held
  from gst_furnished f
  join documents d on d.organisation = f.organisation and d.id = f.document
  join documents r on r.organisation = f.organisation and r.id = new.reversal
  where f.organisation = new.organisation and f.document = new.document and r.date = d.date;
  if found then
    raise exception '%', held using errcode = 'check_violation', constraint = 'cancellations_furnished';
  end if;
  return new;
end
$$;
create trigger filed_before_cancellation before insert on cancellations
  for each row execute function filed_before_cancellation();

-- Turnover of a PAN and financial year: what is typed on its registrations (years before these books, registrations
-- kept elsewhere), with what the sales ledgers of its places say. Limits of law read it; month totals make it
-- cheap.
create function turnovers(org int) returns json
language sql stable as $$
  with own as (
    select r.id, substr(r.gstin, 3, 10) as pan, coalesce(r.body -> 'turnover', '[]') as typed
    from registrations r
    where r.organisation = org and r.gstin is not null
  ), typed as (
    select o.pan, t.entry ->> 'year' as year, round((t.entry ->> 'amount')::numeric * 100)::bigint as amount
    from own o
    cross join jsonb_array_elements(o.typed) t(entry)
    where t.entry ->> 'amount' ~ '^\d+(\.\d+)?$'
  ), counted as (
    select
      o.pan,
      financial_year_start(m.month) || '-'
        || lpad(((financial_year_start(m.month) + 1) % 100)::text, 2, '0') as year,
      m.credit - m.debit as amount
    from ledger_month_totals m
    join locations l on l.organisation = m.organisation and l.id = m.location
    join own o on o.id = l.registration
    where m.organisation = org
      and m.ledger in (
        select p.ledger
        from posting_map p
        where p.organisation = org
          and p.effect in (
            'salesGoods', 'salesExempt', 'salesExport', 'salesSez', 'salesRetail', 'salesService',
            'salesServiceExport', 'salesScrap', 'charges', 'salesReturn', 'salesDiscount'
          )
      )
  )
  select coalesce(json_agg(json_build_object('pan', pan, 'year', year, 'amount', amount) order by pan, year), '[]')
  from (
    select pan, year, sum(amount) as amount
    from (select * from typed union all select * from counted) x
    group by pan, year
  ) y
$$;
grant execute on function turnovers(int) to bahi_app;

-- What a payee was paid or credited under each section in the tax year of a day and, for rent, in its month:
-- without GST, from all registrations, under whoever it was merged into and under every record with the same PAN,
-- since thresholds are per person. Goods count for the section of their purchase whether the bill names it or not, less
-- what went back (section 194Q(1); section 393(1) Sl. 8(ii) of the Act of 2025). Documents dated later in the year count too: a back-dated bill bears what it
-- brings above the threshold.
create function tds_before(
  org int, payee uuid, day date, money_kinds text[], goods_section text, goods_kinds text[], back_kinds text[]
) returns json
language sql stable as $$
  with payees as (
    select p.id
    from parties p
    where p.organisation = org
      and (
        p.id = any(party_family(org, payee))
        or p.pan = (select o.pan from parties o where o.organisation = org and o.id = payee)
      )
  ), tax_year as (
    select
      make_date(extract(year from day)::int - case when extract(month from day) < 4 then 1 else 0 end, 4, 1) as start
  ), paid as (
    select
      d.body #>> '{draft,tdsSection}' as section, date_trunc('month', d.date) = date_trunc('month', day) as month,
      case
        when d.kind = any(money_kinds) then d.total
        -- what was paid in advance was counted then
        else coalesce((d.body ->> 'value')::bigint, d.taxable) - coalesce((d.body ->> 'tdsCovered')::bigint, 0)
      end as value,
      -- how much of the year bore the deduction, where it was worked out; else what was typed
      coalesce((d.body ->> 'tdsBase')::bigint, 0) as base,
      case
        when d.body ? 'tdsBase' then 0
        else greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0))
      end as typed
    from documents d, tax_year y
    where d.organisation = org
      and d.party = any(select id from payees)
      and d.date >= y.start
      and d.date < y.start + interval '1 year'
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is not null
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
    union all
    -- goods that were bought without a section, less what went back or became cheaper
    select
      goods_section, date_trunc('month', d.date) = date_trunc('month', day),
      (
        select coalesce(sum(case when l.service then 0 else l.value end), 0)::bigint
        from document_lines l
        where l.organisation = org and l.document = d.id
      ) * case when d.kind = any(back_kinds) then -1 else 1 end,
      0, 0
    from documents d, tax_year y
    where d.organisation = org
      and d.party = any(select id from payees)
      and d.date >= y.start
      and d.date < y.start + interval '1 year'
      and d.kind = any(goods_kinds || back_kinds)
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is null
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  ), advances as (
    -- money on account under a section, of whatever year, less what was paid back and what settled bills that were not
    -- taxed less for it, and the bills that used it
    select
      d.body #>> '{draft,tdsSection}' as section,
      case when m.of_money then d.total - m.settled - m.spent else 0 end as paid,
      case when m.of_money then m.refunded else 0 end as refunded,
      case
        when m.of_money and greatest(d.tds, coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0)) > 0
        then d.total - m.settled - m.spent - m.refunded
        else 0
      end as taxed,
      coalesce((d.body ->> 'tdsCovered')::bigint, 0) as covered,
      d.date >= y.start and d.date < y.start + interval '1 year' as in_year,
      date_trunc('month', d.date) = date_trunc('month', day) as in_month
    from documents d
    cross join tax_year y
    cross join lateral (
      select
        d.kind = any(money_kinds) as of_money,
        coalesce(sum(a.amount) filter (where a.cause = d.id), 0)::bigint as settled,
        coalesce(
          sum(a.amount) filter (
            where a.cause <> d.id and i.kind <> all(money_kinds) and not i.body ? 'tdsCovered'
          ), 0
        )::bigint as spent,
        coalesce(sum(a.amount) filter (where a.cause <> d.id and i.kind = any(money_kinds)), 0)::bigint as refunded
      from (
        select a.amount, a.cause, a.invoice_document
        from allocations a
        where a.organisation = org and a.credit_document = d.id and d.kind = any(money_kinds)
      ) a
      join documents i on i.organisation = org and i.id = a.invoice_document
    ) m
    where d.organisation = org
      and d.party = any(select id from payees)
      and (d.body ? 'tdsCovered' or d.kind = any(money_kinds) and d.date < y.start + interval '1 year')
      and d.reverses is null
      and d.body #>> '{draft,tdsSection}' is not null
      and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  )
  select json_build_object(
    'pan', (select o.pan from parties o where o.organisation = org and o.id = payee),
    'paid', coalesce(
      (
        select json_agg(s)
        from (
          select
            section, month, sum(value)::bigint as value, sum(base)::bigint as base,
            coalesce(
              json_agg(json_build_object('value', value, 'tax', typed)) filter (where typed > 0), '[]'
            ) as typed
          from paid
          group by section, month
        ) s
      ),
      '[]'
    ),
    'advances', coalesce(
      (
        select json_agg(s)
        from (
          select
            section, sum(paid)::bigint as paid, sum(refunded)::bigint as refunded, sum(taxed)::bigint as taxed,
            sum(covered)::bigint as covered,
            coalesce(sum(covered) filter (where in_year), 0)::bigint as "coveredInYear",
            coalesce(sum(covered) filter (where in_month), 0)::bigint as "coveredInMonth"
          from advances
          group by section
        ) s
      ),
      '[]'
    )
  )
$$;
grant execute on function tds_before(int, uuid, date, text[], text, text[], text[]) to bahi_app;

-- What was paid or credited under a certificate: so much of its limit is used.
create function certificate_used(org int, certificate uuid) returns bigint
language sql stable as $$
  select coalesce(sum((d.body #>> '{draft,tdsLower,base}')::bigint), 0)::bigint
  from documents d
  where d.organisation = org
    and d.body #>> '{draft,tdsLower,certificate}' = certificate::text
    and d.reverses is null
    and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
$$;
grant execute on function certificate_used(int, uuid) to bahi_app;

-- Two that use up one certificate at the same moment do it one after the other, and never more than its limit.
create function hold_certificate() returns trigger
language plpgsql as $$
declare
  most bigint;
begin
  select c.limit_amount into most
  from tds_certificates c
  where c.organisation = new.organisation and c.id = (new.body #>> '{draft,tdsLower,certificate}')::uuid
  for update;
  if most is null or certificate_used(new.organisation, (new.body #>> '{draft,tdsLower,certificate}')::uuid) > most
  then
    raise exception 'more than the certificate allows' using errcode = 'BR054';
  end if;
  return null;
end
$$;
create trigger hold_certificate after insert on documents
  for each row
  when (new.reverses is null and new.body #>> '{draft,tdsLower,certificate}' is not null)
  execute function hold_certificate();

-- What a document withheld. Of money that is paid, the tax was typed.
create function tax_withheld(d documents, which text) returns bigint
language sql stable as $$
  select case
    when which = 'tcs' then d.tcs
    when d.body #>> '{draft,tdsSection}' is null then 0
    when d.tds > 0 then d.tds
    else coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0)
  end
$$;
grant execute on function tax_withheld(documents, text) to bahi_app;

-- How much of that is paid by challans that stand.
create function tax_deposited(org int, of uuid, which text) returns bigint
language sql stable as $$
  select coalesce(sum(p.amount), 0)::bigint
  from tax_challan_parts p
  join tax_challans t on t.organisation = p.organisation and t.id = p.challan
  where p.organisation = org
    and p.document = of
    and t.tax = which
    and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
$$;
grant execute on function tax_deposited(int, uuid, text) to bahi_app;

-- Whether another challan that stands has the same data of the bank.
create function challan_known(org int, of uuid, its_bsr text, its_serial text, day date) returns boolean
language sql stable as $$
  select exists (
    select from tax_challans t
    where t.organisation = org
      and t.id <> of
      and t.bsr = its_bsr
      and t.serial = its_serial
      and t.date = day
      and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
  )
$$;
grant execute on function challan_known(int, uuid, text, text, date) to bahi_app;

-- A journal that pays a challan: its parts are taken apart as it is written, one challan of an organisation after
-- the other, so that two at once never pay more than was withheld.
create function take_challan() returns trigger
language plpgsql as $$
declare
  paid jsonb := new.body #> '{draft,challan}';
begin
  perform pg_advisory_xact_lock(hashtextextended('tax challans', new.organisation));
  insert into tax_challans (organisation, id, tax, section, head, date, bsr, serial, amount, interest, fee)
  values
    (
      new.organisation, new.id, paid ->> 'tax', paid ->> 'section', paid ->> 'head', new.date, paid ->> 'bsr',
      paid ->> 'serial', (select sum((x ->> 'amount')::bigint) from jsonb_array_elements(paid -> 'parts') x),
      (paid ->> 'interest')::bigint, (paid ->> 'fee')::bigint
    );
  insert into tax_challan_parts (organisation, challan, document, amount)
  select new.organisation, new.id, (x ->> 'document')::uuid, (x ->> 'amount')::bigint
  from jsonb_array_elements(paid -> 'parts') x;
  if exists (
    select from tax_challan_parts p
    join documents d on d.organisation = p.organisation and d.id = p.document
    where p.organisation = new.organisation
      and p.challan = new.id
      and (
        d.date > new.date
        or tax_deposited(p.organisation, p.document, paid ->> 'tax') > tax_withheld(d, paid ->> 'tax')
        or exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
      )
  ) then
    raise exception 'more than was withheld' using errcode = 'BR069';
  end if;
  if challan_known(new.organisation, new.id, paid ->> 'bsr', paid ->> 'serial', new.date) then
    raise exception 'this challan is known' using errcode = 'BR070';
  end if;
  return null;
end
$$;
create trigger take_challan after insert on documents
  for each row
  when (new.reverses is null and new.body #> '{draft,challan}' is not null)
  execute function take_challan();

-- What is paid to the government stays as long as its challan does.
create function keep_deposited() returns trigger
language plpgsql as $$
declare
  challan text;
begin
  if not exists (
    select from documents d
    where d.organisation = new.organisation
      and d.id = new.document
      and (d.tcs > 0 or d.body #>> '{draft,tdsSection}' is not null)
  ) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('tax challans', new.organisation));
  select d.number into challan
  from tax_challan_parts p
  join documents d on d.organisation = p.organisation and d.id = p.challan
  where p.organisation = new.organisation
    and p.document = new.document
    and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
  limit 1;
  if challan is not null then
    raise exception '%', challan using errcode = '23514', constraint = 'cancellations_deposited';
  end if;
  return null;
end
$$;
create trigger keep_deposited after insert on cancellations for each row execute function keep_deposited();
