-- Posting is one function: what was decided from memory is proved by it, what was loaded under lock is taken as it is. The arrays
-- of a batch are not handed on from one function to another, totals are summed up once, a number costs one statement for each
-- series, and the portal's job goes in with the row that it is about.
drop function post_remembered(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb);
drop function write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb);

-- Writes decided documents and returns id and number of each, in their order. With `was`, the shelves as they were remembered,
-- it is a transaction of its own: it names organisation and user, and writes nothing when the lock of the period, the version of
-- the house (no rows are returned) or a shelf (BR409) is not what the documents were decided from. Without it the caller has
-- opened the posting. What few documents have (revisions of cost, allocations, links, cancellations, jobs, their drafts) comes
-- in `rest`. Numbers are taken last of all locks.
create function write_documents(org int, who uuid, known_version bigint, known_lock date, was writing_shelf[], d writing_document[], bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[], rest jsonb)
returns table (id uuid, number text) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint; numbers text[] := array_fill(null::text, array[cardinality(d)]); digits text; bad text; one record; first int; same int;
begin
  if was is not null then
    perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
    if known_lock is distinct from (select l.locked_through from locks l where l.organisation = org for share) then return; end if;
    -- after that lock: who changes how stock is kept holds it alone
    if known_version is distinct from (select h.version from house_versions h where h.organisation = org) then return; end if;
    -- the shelves are proved by the statement that changes them, locked in the order they come in
    if cardinality(was) > 0 then
      update item_balances t set quantity = p.quantity, value = p.value, layers = p.layers::bigint[], last_date = greatest(t.last_date, p.last_date)
        from unnest(was, b) p (known_item, known_location, known_quantity, known_value, known_layers, known_date, item, location, quantity, value, layers, last_date)
       where t.organisation = org and t.item = p.known_item and t.location = p.known_location and p.item = p.known_item and p.location = p.known_location
         and t.quantity = p.known_quantity and t.value = p.known_value and t.layers = p.known_layers::bigint[] and t.last_date is not distinct from p.known_date;
      get diagnostics same = row_count;
      if same <> cardinality(was) then raise exception 'a shelf is not as it was remembered' using errcode = 'BR409'; end if;
    end if;
  elsif cardinality(b) > 0 then
    insert into item_balances as t (organisation, item, location, quantity, value, layers, last_date) select org, item, location, quantity, value, layers::bigint[], last_date from unnest(b)
      on conflict (organisation, item, location) do update set quantity = excluded.quantity, value = excluded.value, layers = excluded.layers, last_date = greatest(t.last_date, excluded.last_date);
  end if;
  if cardinality(e) > 0 then
    with sums as (
      select ledger, location, date, sum(debit) as debit, sum(credit) as credit from unnest(e) group by 1, 2, 3 order by 1, 2, 3
    ), days as (
      insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit) select org, ledger, location, date, lane, debit, credit from sums
        on conflict (organisation, ledger, location, day, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
    )
    insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
      select org, ledger, location, date_trunc('month', date)::date, lane, sum(debit), sum(credit) from sums group by 2, 3, 4 order by 2, 3, 4
      on conflict (organisation, ledger, location, month, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  end if;

  -- the numbers: the last locks, one for each series and period
  for one in
    select series, period, number is null as wanted, min(start) as start, count(*)::int as count, array_agg(ordinality::int order by ordinality) as places, array_agg(number order by ordinality) as given,
           array_agg(prefix order by ordinality) as prefixes, array_agg(suffix order by ordinality) as suffixes, array_agg(padding order by ordinality) as paddings
      from unnest(d) with ordinality group by 1, 2, 3 order by 1, 2, 3
  loop
    if one.wanted then
      insert into series_counters as c (organisation, series, period, next) values (org, one.series, one.period, one.start + one.count)
        on conflict (organisation, series, period) do update set next = c.next + one.count returning next - one.count into first;
    end if;
    for n in 1 .. one.count loop
      digits := (first + n - 1)::text;
      numbers[one.places[n]] := case when one.wanted then one.prefixes[n] || lpad(digits, greatest(one.paddings[n], length(digits)), '0') || one.suffixes[n] else one.given[n] end;
    end loop;
  end loop;
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
    insert into movements (organisation, document, number, line, date, sequence, item, location, quantity, stated_value, room, batches, serials)
      select org, document, number, line, date, nextval('movement_sequence'), item, location, quantity, stated_value, room, batches, serials from unnest(m);
    insert into movement_costs (organisation, document, number, revision, cost, cause) select org, document, number, 0, cost, document from unnest(m);
  end if;
  if cardinality(o) > 0 then
    insert into open_items (organisation, document, party, side, date, due_date, currency, original, open, line, reference) select org, document, party, side, date, due_date, currency, original, original, line, reference from unnest(o);
  end if;
  insert into idempotency_keys (organisation, "user", key, digest, answer)
    select org, author, key, decode(digest, 'hex'), jsonb_build_object('id', id, 'number', numbers[ordinality], 'total', total) from unnest(d) with ordinality where key is not null;
  if rest is not null then
    if rest ? 'revisions' then
      insert into movement_costs (organisation, document, number, revision, cost, cause) select org, document, number, revision, cost, cause from jsonb_to_recordset(rest -> 'revisions') x(document uuid, number int, revision int, cost bigint, cause uuid);
    end if;
    if rest ? 'links' then
      insert into document_links (organisation, source, target, role) select distinct org, source, target, role from jsonb_to_recordset(rest -> 'links') x(source uuid, target uuid, role text);
    end if;
    -- these rows are logged one by one under the user of the transaction: each author in turn
    if rest ? 'tasks' then
      for one in select author, array_agg(document) as documents from jsonb_to_recordset(rest -> 'tasks') x(document uuid, author uuid) group by author loop
        perform set_config('app.user', one.author::text, true);
        with queued as (insert into einvoices (organisation, document, state) select org, document, 'queued' from unnest(one.documents) document returning document)
        insert into outbox (organisation, task, payload, key) select org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', document), document::text from queued;
      end loop;
    end if;
    if rest ? 'allocations' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into allocations (organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth, credit_worth, date, cause, by)
          select org, id, credit, "creditLine", invoice, "invoiceLine", amount, "invoiceWorth", "creditWorth", date, cause, author
            from jsonb_to_recordset(rest -> 'allocations') x(id uuid, credit uuid, "creditLine" int, invoice uuid, "invoiceLine" int, amount bigint, "invoiceWorth" bigint, "creditWorth" bigint, date date, cause uuid, author uuid) where author = one.author;
      end loop;
      update open_items i set open = i.open - v.amount
        from (select document, line, sum(amount) as amount from (select credit as document, "creditLine" as line, amount from jsonb_to_recordset(rest -> 'allocations') x(credit uuid, "creditLine" int, amount bigint) union all select invoice, "invoiceLine", amount from jsonb_to_recordset(rest -> 'allocations') x(invoice uuid, "invoiceLine" int, amount bigint)) u group by document, line) v
       where i.organisation = org and i.document = v.document and i.line = v.line;
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
  end if;
  return query select x.id, numbers[x.ordinality] from unnest(d) with ordinality x order by x.ordinality;
end $$;
grant execute on function write_documents(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb) to bahi_app;

-- A statement that adds entries to a document brings its first leg, and there is but one: all entries of a document come with
-- that statement, so what balances in it balances in the table.
create or replace function entries_balance() returns trigger language plpgsql as $$
declare bad record;
begin
  select document, sum(debit) - sum(credit) as gap, count(*) as legs into bad
    from added group by organisation, document having sum(debit) <> sum(credit) or count(*) < 2 or min(leg) <> 1 limit 1;
  if found then raise exception 'document % has % legs and is out by % paise', bad.document, bad.legs, bad.gap using errcode = 'check_violation'; end if;
  return null;
end $$;

-- A document causes the first costs of its own movements, found by their key; only later ones are looked up by what caused them.
alter table movement_costs add constraint movement_costs_first check (revision > 0 or cause = document);
drop index movement_costs_cause;
create index movement_costs_cause on movement_costs (organisation, cause) where revision > 0;
create or replace function document_text(org int, doc uuid) returns text language sql stable as $$
  select coalesce((select json_build_array(json_build_array(id, kind, numbering, registration, location, to_location, financial_year, number, series, date, due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge),
        json_build_array(currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, author, to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), body))::text
      from documents where organisation = org and id = doc), '')
    || coalesce((select string_agg(json_build_array(line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line, body)::text, E'\n' order by line) from document_lines where organisation = org and document = doc), '')
    || coalesce((select string_agg(json_build_array(leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit, credit)::text, E'\n' order by leg) from entries where organisation = org and document = doc), '')
    || coalesce((select string_agg(json_build_array(number, line, date, sequence, item, location, quantity, stated_value, room, batches, to_jsonb(serials))::text, E'\n' order by number) from movements where organisation = org and document = doc), '')
    -- costs that other documents revise later are sealed with those documents
    || coalesce((select string_agg(json_build_array(document, number, revision, cost)::text, E'\n' order by document, number, revision) from (
        select * from movement_costs where organisation = org and document = doc and revision = 0
        union all select * from movement_costs where organisation = org and cause = doc and revision > 0) c), '')
$$;

-- The sealer begins where the last seal was made (seals_at); nothing looks for a seal by its transaction any more.
drop index seals_xid;

-- The seal before is asked for once in a row of an organisation's log rows, and not for each.
create or replace function seal_finished(most int default 5000) returns int language plpgsql as $$
declare
  line record; last record; sealed int := 0; known int;
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  unborn xid8 := pg_snapshot_xmax(pg_current_snapshot());
  done xid8 := coalesce((select s.xid from seals s order by s.at desc, s.sequence desc limit 1), '0'::xid8);
  elsewhere boolean := done >= unborn;
begin
  if not pg_try_advisory_xact_lock(62614) then return 0; end if;
  if elsewhere then done := '0'::xid8; end if;
  for line in select l.organisation, l.id, l.xid, log_digest(l) as link from edit_log l
     where ((l.xid >= done and l.xid < horizon) or (elsewhere and l.xid >= unborn)) and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id)
     order by l.xid < unborn, l.xid, l.id limit most loop
    if line.organisation is distinct from known then
      select s.sequence, s.seal into last from seals s where s.organisation = line.organisation order by s.sequence desc limit 1;
      known := line.organisation;
    end if;
    insert into seals as s (organisation, sequence, log, xid, digest, previous, seal)
    values (line.organisation, coalesce(last.sequence, 0) + 1, line.id, line.xid, line.link, last.seal, sha256(coalesce(last.seal, ''::bytea) || line.link)) returning s.sequence, s.seal into last;
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;
