-- What was paid of tax deducted or collected at source (challan ITNS 281), deduction by deduction. The challan rides in the
-- journal that pays it, under the same id; what the bank tells later, its BSR code and the serial number, is written here.
create table tax_challans (
  organisation int not null references organisations, id uuid not null, tax text not null check (tax in ('tds', 'tcs')), section text not null check (section <> ''), head text not null check (head in ('0020', '0021')),
  date date not null, bsr text check (bsr ~ '^[0-9]{7}$'), serial text check (serial ~ '^[0-9]{5}$'), amount bigint not null check (amount > 0), interest bigint not null check (interest >= 0), fee bigint not null check (fee >= 0), version int not null default 1,
  primary key (organisation, id), foreign key (organisation, id) references documents, check ((bsr is null) = (serial is null))
);
create table tax_challan_parts (
  organisation int not null, challan uuid not null, document uuid not null, amount bigint not null check (amount > 0),
  primary key (organisation, challan, document), foreign key (organisation, challan) references tax_challans, foreign key (organisation, document) references documents
);
create index tax_challan_parts_document on tax_challan_parts (organisation, document);

-- What is typed of a certificate of one payee and quarter: the number that TRACES gave it, and who answers for it.
create table tax_certificates (
  organisation int not null references organisations, id uuid not null, tax text not null check (tax in ('tds', 'tcs')), party uuid not null, year text not null check (year ~ '^[0-9]{4}-[0-9]{2}$'), quarter int not null check (quarter between 1 and 4),
  number text not null, signed_by text not null, capacity text not null, version int not null default 1, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, id), unique (organisation, tax, party, year, quarter), foreign key (organisation, party) references parties, foreign key (organisation, by) references users
);

do $$
declare name text;
begin
  foreach name in array array['tax_challans', 'tax_challan_parts', 'tax_certificates'] loop
    execute format('create trigger log_change after insert or update or delete on %I for each row execute function log_change()', name);
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert on tax_challans, tax_challan_parts to bahi_app;
grant update (bsr, serial, version) on tax_challans to bahi_app;
grant select, insert, update on tax_certificates to bahi_app;

-- Documents that withheld something are few among many.
create index documents_withheld on documents (organisation, date) where body #>> '{draft,tdsSection}' is not null or tcs > 0;

-- What a document withheld. Of money that is paid, the tax was typed.
create function tax_withheld(d documents, which text) returns bigint language sql stable as $$
  select case when which = 'tcs' then d.tcs when d.body #>> '{draft,tdsSection}' is null then 0 when d.tds > 0 then d.tds else coalesce((d.body #>> '{draft,tdsAmount}')::bigint, 0) end
$$;
-- How much of that is paid by challans that stand.
create function tax_deposited(org int, of uuid, which text) returns bigint language sql stable as $$
  select coalesce(sum(p.amount), 0)::bigint from tax_challan_parts p join tax_challans t on t.organisation = p.organisation and t.id = p.challan
   where p.organisation = org and p.document = of and t.tax = which and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id)
$$;
-- Whether another challan that stands has what the bank told of this one.
create function challan_known(org int, of uuid, its_bsr text, its_serial text, day date) returns boolean language sql stable as $$
  select exists (select from tax_challans t where t.organisation = org and t.id <> of and t.bsr = its_bsr and t.serial = its_serial and t.date = day and not exists (select from cancellations c where c.organisation = t.organisation and c.document = t.id))
$$;
grant execute on function tax_withheld(documents, text), tax_deposited(int, uuid, text), challan_known(int, uuid, text, text, date) to bahi_app;

-- A journal that pays a challan: its parts are taken apart as it is written, one challan of an organisation after the other, so
-- that two at once never pay more than was withheld.
create function take_challan() returns trigger language plpgsql as $$
declare paid jsonb := new.body #> '{draft,challan}';
begin
  perform pg_advisory_xact_lock(hashtextextended('tax challans', new.organisation));
  insert into tax_challans (organisation, id, tax, section, head, date, bsr, serial, amount, interest, fee)
    values (new.organisation, new.id, paid ->> 'tax', paid ->> 'section', paid ->> 'head', new.date, paid ->> 'bsr', paid ->> 'serial', (select sum((x ->> 'amount')::bigint) from jsonb_array_elements(paid -> 'parts') x), (paid ->> 'interest')::bigint, (paid ->> 'fee')::bigint);
  insert into tax_challan_parts (organisation, challan, document, amount) select new.organisation, new.id, (x ->> 'document')::uuid, (x ->> 'amount')::bigint from jsonb_array_elements(paid -> 'parts') x;
  if exists (select from tax_challan_parts p join documents d on d.organisation = p.organisation and d.id = p.document where p.organisation = new.organisation and p.challan = new.id
      and (d.date > new.date or tax_deposited(p.organisation, p.document, paid ->> 'tax') > tax_withheld(d, paid ->> 'tax') or exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id))) then
    raise exception 'more than was withheld' using errcode = 'BR069';
  end if;
  if challan_known(new.organisation, new.id, paid ->> 'bsr', paid ->> 'serial', new.date) then
    raise exception 'this challan is known' using errcode = 'BR070';
  end if;
  return null;
end $$;
create trigger take_challan after insert on documents for each row when (new.reverses is null and new.body #> '{draft,challan}' is not null) execute function take_challan();

-- What is paid to the government stays as long as its challan does.
create function keep_deposited() returns trigger language plpgsql as $$
declare challan text;
begin
  if not exists (select from documents d where d.organisation = new.organisation and d.id = new.document and (d.tcs > 0 or d.body #>> '{draft,tdsSection}' is not null)) then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('tax challans', new.organisation));
  select d.number into challan from tax_challan_parts p join documents d on d.organisation = p.organisation and d.id = p.challan
   where p.organisation = new.organisation and p.document = new.document and not exists (select from cancellations c where c.organisation = d.organisation and c.document = d.id) limit 1;
  if challan is not null then
    raise exception '%', challan using errcode = '23514', constraint = 'cancellations_deposited';
  end if;
  return null;
end $$;
create trigger keep_deposited after insert on cancellations for each row execute function keep_deposited();

-- In the books that are open already: where interest and fees of the government go.
insert into posting_map (organisation, effect, ledger) select l.organisation, 'statutoryInterest', l.id from ledgers l where l.code = '6530' and not l.is_group on conflict do nothing;
