-- Posting in two round trips: everything a posting looks up is answered together with its locks, and what it writes comes as
-- arrays of rows. Many arrays of columns cost a tuple store each, which was a third of a posting's time.

-- What changes seldom in an organisation (settings, posting map, places, series) is kept by each server process. This number
-- tells it, inside the posting's own transaction, whether what it keeps is still so.
create table house_versions (organisation int primary key references organisations, version bigint not null);
insert into house_versions select organisation, 1 from organisations;
alter table house_versions enable row level security;
alter table house_versions force row level security;
create policy tenant on house_versions to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on house_versions to bahi_owner using (true) with check (true);
grant select on house_versions to bahi_app;

create function house_changed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into house_versions as h (organisation, version) values (case when tg_op = 'DELETE' then old.organisation else new.organisation end, 1)
    on conflict (organisation) do update set version = h.version + 1;
  return null;
end $$;
do $$
declare name text;
begin
  foreach name in array array['organisations', 'posting_map', 'registrations', 'locations', 'number_series'] loop
    execute format('create trigger house_changed after insert or update or delete on %I for each row execute function house_changed()', name);
  end loop;
end $$;

-- One snapshot of it all with its number. Names the organisation for this transaction.
create function house_facts(org int) returns table (version bigint, house json) language plpgsql as $$
begin
  perform set_config('app.organisation', org::text, true);
  return query select v.version, json_build_object(
      'settings', o.settings,
      'ledgers', (select json_object_agg(effect, ledger) from posting_map where organisation = org),
      'transit', (select id from locations where organisation = org and is_transit limit 1),
      'registrations', (select coalesce(json_agg(r), '[]') from (select id, state, kind, gstin, coalesce((body ->> 'einvoice')::boolean, false) as einvoice, nullif(body ->> 'einvoiceFrom', '') as "einvoiceFrom", active from registrations where organisation = org) r),
      'locations', (select coalesce(json_agg(l), '[]') from (select id, code, name, registration, active from locations where organisation = org) l),
      'series', (select coalesce(json_agg(s), '[]') from (select id, kind, registration, location, prefix, suffix, padding, start, reset from number_series where organisation = org and active order by location nulls last, id) s))
    from organisations o join house_versions v on v.organisation = org where o.organisation = org;
end $$;

drop function posting_facts(int, uuid, text, uuid, uuid, uuid, uuid, uuid, uuid[], uuid[]);
drop function item_facts(int, uuid[]);
drop function party_facts(int, uuid);
drop function series_facts(int, text, uuid, uuid);

-- Items as posting sees them, with the units they can be counted in. Unknown and foreign ids are left out alike.
create function item_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(i), '[]') from (
    select i.id, i.sku, i.name, i.service, i.stocked, i.hsn, i.unit, i.treatment, i.gst_rate, i.cess_rate, i.cess_per_unit, i.retail_price, i.sale_rate, i.purchase_rate, i.income_ledger, i.expense_ledger, i.credit_blocked, i.scrap,
           (select json_agg(json_build_object('from', m.body ->> 'from', 'to', m.body ->> 'to', 'factor', m.body ->> 'factor')) from masters m
             where m.organisation = org and m.master = 'unitConversion' and m.active and i.unit in (m.body ->> 'from', m.body ->> 'to') and coalesce(m.body ->> 'item', '') in ('', i.id::text)) as conversions
      from items i where i.organisation = org and i.id = any(ids)) i
$$;
create function party_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(p), '[]') from (select id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro, credit_days, credit_limit from parties where organisation = org and id = any(ids)) p
$$;
-- Of these ledgers, those that take entries.
create function taking_ledgers(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(id), '[]') from ledgers where organisation = org and id = any(ids) and active and not is_group
$$;
-- Lines of documents that others are made from, with what was already made from each and what they cost.
create function source_lines(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(s), '[]') from (
    select l.document, l.line, l.item, l.quantity, l.taxable, l.gst_rate, l.treatment, l.base_quantity,
           (select coalesce(json_agg(json_build_object('kind', x.kind, 'quantity', x.quantity, 'taxable', x.taxable)), '[]') from (
              select d.kind, sum(u.quantity) as quantity, sum(u.taxable) as taxable from document_lines u join documents d on d.organisation = org and d.id = u.document
               where u.organisation = org and u.source_document = l.document and u.source_line = l.line and d.reverses is null
                 and not exists (select from cancellations c where c.organisation = org and c.document = d.id) group by d.kind) x) as used,
           (select coalesce(json_agg(json_build_object('quantity', m.quantity, 'cost', (select c.cost from movement_costs c where c.organisation = org and c.document = m.document and c.number = m.number order by c.revision desc limit 1)) order by m.number), '[]')
              from movements m where m.organisation = org and m.document = l.document and m.line = l.line) as moved
      from document_lines l where l.organisation = org and l.document = any(ids)) s
$$;

-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision needs. Shelves
-- are those of stocked items, and of any item where a cancellation puts back what was moved. Order of locks: period (share),
-- source documents, item balances, open items, parties with a limit; each sorted.
drop function load_for_posting(int, uuid, uuid[], uuid[], uuid[], date[], uuid[], uuid[], uuid[], uuid[]);
create function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], shelf_items uuid[], shelf_places uuid[], shelf_dates date[], shelf_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[], item_ids uuid[], ledger_ids uuid[], cancelled uuid[],
  out version bigint, out locked_through text, out keys json, out parties json, out items json, out takes json, out balances json, out sources json, out source_documents json, out cancelling json, out opened json, out owed json
) language plpgsql as $$
#variable_conflict use_column
declare limited boolean;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  locked_through := (select l.locked_through from locks l where l.organisation = org for share);
  -- after that lock: who changes how stock is kept holds it alone
  version := (select h.version from house_versions h where h.organisation = org);
  if cardinality(asked_keys) > 0 then
    keys := (select json_agg(json_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer)) from unnest(asked_keys, key_users) t(key, whose) join idempotency_keys k on k.organisation = org and k."user" = t.whose and k.key = t.key);
  end if;
  if cardinality(source_ids) + cardinality(cancelled) > 0 then
    -- posted rows cannot be locked for update by a role that may not update them; what is left of them is read after this
    perform pg_advisory_xact_lock(hashtextextended(s.id::text, org)) from (select distinct id from unnest(source_ids || cancelled) id order by id) s;
  end if;
  if cardinality(item_ids) > 0 then items := item_facts(org, item_ids); end if;
  if cardinality(ledger_ids) > 0 then takes := taking_ledgers(org, ledger_ids); end if;
  if cardinality(shelf_items) > 0 then
    insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, t.i, t.p, 0, 0 from unnest(shelf_items, shelf_places, shelf_certain) t(i, p, sure) join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
       where not exists (select from item_balances b where b.organisation = org and b.item = t.i and b.location = t.p) order by 2, 3 on conflict do nothing;
    balances := (select json_agg(b) from (
      select b.item, b.location, b.quantity, b.value, b.layers, b.last_date, w.first_date, w.final_date
        from (select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date from unnest(shelf_items, shelf_places, shelf_dates) t(i, p, d) group by t.i, t.p) w join item_balances b on b.organisation = org and b.item = w.i and b.location = w.p
       order by b.item, b.location for update of b) b);
  end if;
  if cardinality(source_ids) > 0 then
    sources := source_lines(org, source_ids);
    source_documents := (select json_agg(json_build_object('id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', d.party, 'exchangeRate', d.exchange_rate,
      'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id))) from documents d where d.organisation = org and d.id = any(source_ids));
  end if;
  if cardinality(cancelled) > 0 then
    -- read again under the lock: what was looked up before may have changed since
    cancelling := (select json_agg(json_build_object('id', d.id, 'number', d.number,
        'followed', (select f.number from document_lines x join documents f on f.organisation = org and f.id = x.document
                      where x.organisation = org and x.source_document = d.id and f.reverses is null and not exists (select from cancellations c where c.organisation = org and c.document = f.id) limit 1),
        'costs', (select coalesce(json_agg((select c.cost from movement_costs c where c.organisation = org and c.document = m.document and c.number = m.number order by c.revision desc limit 1) order by m.number), '[]')
                    from movements m where m.organisation = org and m.document = d.id)))
      from documents d where d.organisation = org and d.id = any(cancelled));
  end if;
  if cardinality(settled) > 0 then
    -- with a document that is cancelled, what it settled or was settled by is opened again: locked in the same order
    opened := (select json_agg(o) from (
      select o.document, o.party, o.side, o.currency, o.open, d.number, d.exchange_rate, d.date from open_items o join documents d on d.organisation = org and d.id = o.document
       where o.organisation = org and (o.document = any(settled) or o.document in (
         select unnest(array[a.credit_document, a.invoice_document]) from allocations a where cardinality(cancelled) > 0 and a.organisation = org
            and (a.credit_document = any(cancelled) or a.invoice_document = any(cancelled) or a.cause = any(cancelled))))
       order by o.document for update of o) o);
  end if;
  if cardinality(party_ids) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment.
    -- Not for update: a foreign key to the party must not wait.
    limited := exists (select from parties p where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null);
    if limited then
      perform 1 from parties p where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null order by p.id for no key update;
      owed := (select json_agg(json_build_object('party', p.id, 'name', p.name, 'limit', p.credit_limit, 'owed',
        (select coalesce(sum(case o.side when 'receivable' then o.open else -o.open end), 0) from open_items o where o.organisation = org and o.party = p.id and o.open > 0 and o.side in ('receivable', 'customerCredit'))))
        from parties p where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null);
    end if;
    parties := party_facts(org, party_ids);
  end if;
end $$;

-- The rows of a posting as they come over the wire: the columns of their tables without the organisation.
create type writing_document as (
  id uuid, author uuid, kind text, numbering text, gst_number boolean, registration uuid, location uuid, to_location uuid, financial_year text, series uuid, period text, prefix text, suffix text, padding int, start int, number text,
  date date, due_date date, party uuid, party_name text, party_gstin text, party_state text, category text, place_of_supply text, supply_type text, reverse_charge boolean, currency text, exchange_rate bigint,
  taxable bigint, cgst bigint, sgst bigint, igst bigint, cess bigint, tcs bigint, tds bigint, round_off bigint, total bigint, payable bigint, foreign_total bigint, reference text, reverses uuid, key uuid, digest text);
create type writing_line as (
  document uuid, line int, item uuid, ledger uuid, party uuid, description text, hsn text, unit text, service boolean, quantity bigint, base_quantity bigint, rate bigint, treatment text, gst_rate int,
  discount bigint, taxable bigint, value bigint, cgst bigint, sgst bigint, igst bigint, cess bigint, source_document uuid, source_line int);
create type writing_entry as (document uuid, leg int, date date, ledger uuid, party uuid, registration uuid, location uuid, cost_centre uuid, currency text, foreign_amount bigint, exchange_rate bigint, debit bigint, credit bigint);
create type writing_movement as (document uuid, number int, line int, date date, item uuid, location uuid, quantity bigint, stated_value bigint, room uuid, cost bigint);
create type writing_shelf as (item uuid, location uuid, quantity bigint, value bigint, layers text, last_date date);
create type writing_open as (document uuid, party uuid, side text, date date, due_date date, currency text, original bigint);

-- A posted document names its author in the log: posts of several users go in one transaction. Nobody is named where the
-- application has named nobody.
create or replace function log_posted() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id) select organisation, case when log_user() is not null then author end, log_origin(), 'post', 'documents', id::text from added;
  return null;
end $$;

-- Writes decided documents. What few documents have (revisions of cost, allocations, links, cancellations, jobs, their drafts)
-- comes in `rest`. Numbers are taken last of all locks, in the order of the documents. Returns id and number of each.
drop function write_documents(
  int, uuid,
  uuid[], text[], text[], uuid[], uuid[], uuid[], text[], uuid[], text[], text[], text[], int[], int[], text[],
  date[], date[], uuid[], text[], text[], text[], text[], text[], text[], boolean[], text[], bigint[],
  bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], text[], uuid[], jsonb[],
  boolean[], uuid[], bytea[], text[],
  int[], int[], uuid[], uuid[], uuid[], text[], text[], text[], boolean[], bigint[], bigint[], bigint[], text[], int[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], uuid[], int[],
  int[], int[], uuid[], uuid[], uuid[], text[], bigint[], bigint[], bigint[], bigint[],
  int[], int[], int[], uuid[], uuid[], bigint[], bigint[], bigint[], uuid[],
  uuid[], uuid[], bigint[], bigint[], text[], date[],
  jsonb);
create function write_documents(org int, d writing_document[], bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[], rest jsonb)
returns table (id uuid, number text) language plpgsql as $$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint; numbers text[]; bad text; one record;
begin
  if cardinality(b) > 0 then
    update item_balances t set quantity = v.quantity, value = v.value, layers = v.layers::bigint[], last_date = greatest(t.last_date, v.last_date)
      from unnest(b) v where t.organisation = org and t.item = v.item and t.location = v.location;
  end if;
  if cardinality(e) > 0 then
    insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
      select org, ledger, location, date, lane, sum(debit), sum(credit) from unnest(e) group by 2, 3, 4 order by 2, 3, 4
      on conflict (organisation, ledger, location, day, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
    insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
      select org, ledger, location, date_trunc('month', date)::date, lane, sum(debit), sum(credit) from unnest(e) group by 2, 3, 4 order by 2, 3, 4
      on conflict (organisation, ledger, location, month, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  end if;

  -- the number: the last lock
  with wanted as (
    select ordinality as n, series, period, start, prefix, suffix, padding, number, row_number() over (partition by series, period, number is null order by ordinality) as rank from unnest(d) with ordinality
  ), counts as (
    select series, period, count(*)::int as count, min(start) as start from wanted where number is null group by series, period order by series, period
  ), taken as (
    insert into series_counters as c (organisation, series, period, next) select org, series, period, start + count from counts
    on conflict (organisation, series, period) do update set next = c.next + (excluded.next - (select start from counts where counts.series = excluded.series and counts.period = excluded.period))
    returning c.series, c.period, c.next
  )
  select array_agg(coalesce(w.number, w.prefix || lpad((t.next - k.count + w.rank - 1)::text, greatest(w.padding, length((t.next - k.count + w.rank - 1)::text)), '0') || w.suffix) order by w.n) into numbers
    from wanted w left join counts k on w.number is null and k.series = w.series and k.period = w.period left join taken t on t.series = k.series and t.period = k.period;
  -- rule 46: a number that its series has outgrown is not given
  select numbers[n] into bad from generate_subscripts(d, 1) n where d[n].gst_number and upper(numbers[n]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$' limit 1;
  if found then raise exception '%', bad using errcode = 'BR046'; end if;

  insert into documents (organisation, id, kind, numbering, registration, location, to_location, financial_year, number, series, date, due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge,
      currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, author, body)
    select org, id, kind, numbering, registration, location, to_location, financial_year, numbers[ordinality], case when number is null then series end, date, due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge,
      currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, author, bodies[ordinality]
      from unnest(d) with ordinality;
  if cardinality(l) > 0 then
    insert into document_lines (organisation, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line)
      select org, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line from unnest(l);
  end if;
  if cardinality(e) > 0 then
    insert into entries (organisation, document, leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit, credit)
      select org, document, leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit, credit from unnest(e);
  end if;
  if cardinality(m) > 0 then
    insert into movements (organisation, document, number, line, date, sequence, item, location, quantity, stated_value, room)
      select org, document, number, line, date, nextval('movement_sequence'), item, location, quantity, stated_value, room from unnest(m);
    insert into movement_costs (organisation, document, number, revision, cost, cause) select org, document, number, 0, cost, document from unnest(m);
  end if;
  if cardinality(o) > 0 then
    insert into open_items (organisation, document, party, side, date, due_date, currency, original, open) select org, document, party, side, date, due_date, currency, original, original from unnest(o);
  end if;
  insert into idempotency_keys (organisation, "user", key, digest, answer)
    select org, d[n].author, d[n].key, decode(d[n].digest, 'hex'), jsonb_build_object('id', d[n].id, 'number', numbers[n], 'total', d[n].total) from generate_subscripts(d, 1) n where d[n].key is not null;
  if rest is not null then
    if rest ? 'revisions' then
      insert into movement_costs (organisation, document, number, revision, cost, cause) select org, document, number, revision, cost, cause from jsonb_to_recordset(rest -> 'revisions') x(document uuid, number int, revision int, cost bigint, cause uuid);
    end if;
    if rest ? 'links' then
      insert into document_links (organisation, source, target, role) select distinct org, source, target, role from jsonb_to_recordset(rest -> 'links') x(source uuid, target uuid, role text);
    end if;
    -- these rows are logged one by one under the user of the transaction: each author in turn
    for one in select distinct author from unnest(d) loop
      perform set_config('app.user', one.author::text, true);
      if rest ? 'allocations' then
        insert into allocations (organisation, id, credit_document, invoice_document, amount, date, cause, by)
          select org, id, credit, invoice, amount, date, cause, author from jsonb_to_recordset(rest -> 'allocations') x(id uuid, credit uuid, invoice uuid, amount bigint, date date, cause uuid, author uuid) where author = one.author;
      end if;
      if rest ? 'tasks' then
        insert into einvoices (organisation, document, state) select org, document, 'queued' from jsonb_to_recordset(rest -> 'tasks') x(document uuid, task text, author uuid) where author = one.author and task = 'registerInvoice';
      end if;
    end loop;
    if rest ? 'allocations' then
      update open_items i set open = i.open - v.amount
        from (select document, sum(amount) as amount from (select credit as document, amount from jsonb_to_recordset(rest -> 'allocations') x(credit uuid, amount bigint) union all select invoice, amount from jsonb_to_recordset(rest -> 'allocations') x(invoice uuid, amount bigint)) u group by document) v
       where i.organisation = org and i.document = v.document;
    end if;
    if rest ? 'cancelled' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into cancellations (organisation, document, reversal, reason, by) select org, document, reversal, reason, author from jsonb_to_recordset(rest -> 'cancelled') x(document uuid, reversal uuid, reason text, author uuid) where author = one.author;
      end loop;
      update open_items i set open = 0 from jsonb_to_recordset(rest -> 'cancelled') x(document uuid) where i.organisation = org and i.document = x.document;
    end if;
    if rest ? 'drafts' then
      delete from drafts t using jsonb_array_elements_text(rest -> 'drafts') x(id) where t.organisation = org and t.id = x.id::uuid;
    end if;
    if rest ? 'tasks' then
      insert into outbox (organisation, task, payload, key) select org, task, jsonb_build_object('organisation', org, 'document', document), document::text from jsonb_to_recordset(rest -> 'tasks') x(document uuid, task text);
    end if;
  end if;
  return query select x.id, numbers[x.ordinality] from unnest(d) with ordinality x order by x.ordinality;
end $$;
grant execute on function house_facts(int), item_facts(int, uuid[]), party_facts(int, uuid[]), taking_ledgers(int, uuid[]), source_lines(int, uuid[]),
  open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]),
  write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb) to bahi_app;
