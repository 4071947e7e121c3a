-- What a currency was worth on a day: by the books (reference rate, or what the bank gave), or as customs notified it.
create table exchange_rates (
  organisation int not null references organisations, id uuid not null, currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'INR'), date date not null, purpose text not null check (purpose in ('book', 'customs')),
  rate bigint not null check (rate > 0), source text not null check (source <> ''), version int not null default 1, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, id), unique (organisation, currency, purpose, date), foreign key (organisation, by) references users
);

-- Open foreign balances brought to the rate of a day: the journal, the one that takes it back on the next day, and what it was
-- worked out from, document by document.
create table exchange_revaluations (
  organisation int not null references organisations, id uuid not null, as_of date not null, location uuid not null, journal uuid not null, reversal uuid not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, id), unique (organisation, journal), unique (organisation, reversal), foreign key (organisation, location) references locations, foreign key (organisation, journal) references documents, foreign key (organisation, reversal) references documents, foreign key (organisation, by) references users
);
create table exchange_revaluation_lines (
  organisation int not null, revaluation uuid not null, document uuid not null, line int not null, currency text not null, open bigint not null, worth bigint not null, rate bigint not null, difference bigint not null,
  primary key (organisation, revaluation, document, line), foreign key (organisation, revaluation) references exchange_revaluations, foreign key (organisation, document) references documents
);

-- Certificates of the assessing officer by which less tax is deducted from a party (section 197): at this rate, up to this amount.
create table tds_certificates (
  organisation int not null references organisations, id uuid not null, number text not null check (number <> ''), party uuid not null, section text not null, rate int not null check (rate between 0 and 1000000), limit_amount bigint not null check (limit_amount > 0),
  valid_from date not null, valid_to date not null check (valid_to >= valid_from), active boolean not null default true, version int not null default 1, body jsonb not null default '{}',
  primary key (organisation, id), unique (organisation, party, number), foreign key (organisation, party) references parties
);

-- Rules of a bank are asked in their order.
alter table bank_rules add column place int not null default 0;
update bank_rules r set place = n.place from (select organisation, id, row_number() over (partition by organisation order by length(regexp_replace(upper(holds), '[^A-Z0-9]', '', 'g')) desc, (ledger is null), id) as place from bank_rules) n
 where r.organisation = n.organisation and r.id = n.id;

do $$
declare name text;
begin
  foreach name in array array['exchange_rates', 'exchange_revaluations', 'exchange_revaluation_lines', 'tds_certificates'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, update, delete on exchange_rates to bahi_app;
grant select, insert on exchange_revaluations, exchange_revaluation_lines to bahi_app;
grant select, insert, update on tds_certificates to bahi_app;

-- The rate of a day: that day's own, or the last one before it. What customs notified holds until it is notified anew; the books'
-- own is not older than a week, which holidays are not longer than.
create function exchange_rate_on(org int, of text, what text, day date) returns table (rate bigint, source text, since date) language sql stable as $$
  select r.rate, r.source, r.date from exchange_rates r where r.organisation = org and r.currency = of and r.purpose = what and r.date <= day and (what = 'customs' or r.date > day - 8) order by r.date desc limit 1
$$;
-- What stood open of an item at the end of a day, in its own currency and in the rupees on the account of the party.
create function open_on(org int, item open_items, day date) returns table (open bigint, worth bigint) language sql stable as $$
  with used as (
    select a.amount, case when item.currency = 'INR' then a.amount else coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint) end as worth
      from allocations a join documents d on d.organisation = a.organisation and d.id = a.invoice_document where a.organisation = org and a.invoice_document = item.document and a.invoice_line = item.line and a.date <= day
    union all
    select a.amount, case when item.currency = 'INR' then a.amount else coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0)::bigint) end
      from allocations a join documents d on d.organisation = a.organisation and d.id = a.credit_document where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line and a.date <= day)
  select item.original - coalesce(sum(used.amount), 0)::bigint,
         (case when item.currency = 'INR' then item.original else coalesce((select abs(sum(e.debit - e.credit)) from entries e where e.organisation = org and e.document = item.document and heir_of(org, e.party) = item.party and item.line in (0, e.leg)), 0) end - coalesce(sum(used.worth), 0))::bigint from used
$$;

-- What was paid or credited under a certificate: so much of its limit is used.
create function certificate_used(org int, certificate uuid) returns bigint language sql stable as $$
  select coalesce(sum((d.body #>> '{draft,tdsLower,base}')::bigint), 0)::bigint from documents d where d.organisation = org and d.body #>> '{draft,tdsLower,certificate}' = certificate::text and d.reverses is null
     and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id)
$$;
create index documents_certificate on documents (organisation, (body #>> '{draft,tdsLower,certificate}')) where body #>> '{draft,tdsLower,certificate}' is not null;
grant execute on function exchange_rate_on(int, text, text, date), open_on(int, open_items, date), certificate_used(int, uuid) to bahi_app;

-- Two that use up one certificate at the same moment do it one after the other, and never more than its limit.
create function hold_certificate() returns trigger language plpgsql as $$
declare most bigint;
begin
  select c.limit_amount into most from tds_certificates c where c.organisation = new.organisation and c.id = (new.body #>> '{draft,tdsLower,certificate}')::uuid for update;
  if most is null or certificate_used(new.organisation, (new.body #>> '{draft,tdsLower,certificate}')::uuid) > most then
    raise exception 'more than the certificate allows' using errcode = 'BR054';
  end if;
  return null;
end $$;
create trigger hold_certificate after insert on documents for each row when (new.reverses is null and new.body #>> '{draft,tdsLower,certificate}' is not null) execute function hold_certificate();

-- What a customer owes in another currency counts in the rupees on his account.
do $$
declare known text; written text;
begin
  known := pg_get_functiondef('open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[])'::regprocedure);
  written := replace(known, 'sum(case o.side when ''receivable'' then o.open else -o.open end)', 'sum(case o.side when ''receivable'' then open_worth(org, o) else -open_worth(org, o) end)');
  if written = known then raise exception 'open_posting does not hold what is to change'; end if;
  execute written;
end $$;

-- In the books that are open already: where restated balances stand, and numbers for cheques that came back.
insert into ledgers (organisation, id, code, name, "group", nature, role, schedule3, system)
  select g.organisation, gen_random_uuid(), x.code, x.name, g.id, x.nature, x.role, x.schedule3, true
    from (values ('1200', '1213', 'Trade receivables - overseas, restated', 'asset', 'receivable_restated', 'A.2c'), ('2100', '2131', 'Trade payables - overseas, restated', 'liability', 'payable_restated', 'EL.4b.B')) x("group", code, name, nature, role, schedule3)
    join ledgers g on g.code = x."group" and g.is_group where not exists (select from ledgers l where l.organisation = g.organisation and upper(l.code) = x.code);
insert into posting_map (organisation, effect, ledger) select l.organisation, x.effect, l.id from ledgers l join (values ('receivableRestated', '1213'), ('payableRestated', '2131')) x(effect, code) on l.code = x.code where not l.is_group on conflict do nothing;
insert into number_series (organisation, id, name, kind, registration, prefix, padding)
  select s.organisation, gen_random_uuid(), 'Returned cheque' || case when left(s.prefix, length(s.prefix) - 8) = '' then '' else ' ' || left(s.prefix, length(s.prefix) - 8) end, 'bouncedReceipt', s.registration, left(s.prefix, length(s.prefix) - 8) || 'RCQ/{FY}/', s.padding
    from number_series s where s.kind = 'refund' and s.prefix like '%RF/{FY}/' and s.location is null and s.active on conflict do nothing;
