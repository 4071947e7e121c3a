-- A draft is posted in the version that was read: the posting deletes it by id and version in one statement and fails when none
-- is there. Who saves or deletes it at the same moment comes first or second; the one that comes second is refused.
create or replace function write_documents(org integer, who uuid, known_version bigint, known_lock date, was writing_shelf[], d writing_document[], bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[], rest jsonb)
 RETURNS TABLE(id uuid, number text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET search_path TO 'public', 'pg_temp'
as $function$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint; numbers text[] := array_fill(null::text, array[cardinality(d)]); x writing_document := d[1]; digits text; bad text; named text; one record; first int; same int;
begin
  if org is distinct from coalesce(nullif(current_setting('app.organisation', true), '')::int, case when was is not null then org end) then raise exception 'another organisation' using errcode = 'insufficient_privilege'; end if;
  if was is not null then
    named := set_config('app.organisation', org::text, true);
    named := set_config('app.user', who::text, true);
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
  if cardinality(d) = 1 then
    if x.number is null then
      insert into series_counters as c (organisation, series, period, next) values (org, x.series, x.period, x.start + 1)
        on conflict (organisation, series, period) do update set next = c.next + 1 returning next - 1 into first;
      digits := first::text;
    end if;
    numbers[1] := coalesce(x.number, x.prefix || lpad(digits, greatest(x.padding, length(digits)), '0') || x.suffix);
    if x.gst_number and upper(numbers[1]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$' then bad := numbers[1]; end if;
  else
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
    select numbers[n] into bad from generate_subscripts(d, 1) n where d[n].gst_number and upper(numbers[n]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$' limit 1;
  end if;
  -- rule 46: a number that its series has outgrown is not given
  if bad is not null then raise exception '%', bad using errcode = 'BR046'; end if;

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
      if cardinality(d) = 1 then
        named := set_config('app.user', x.author::text, true);
        insert into einvoices (organisation, document, state) values (org, x.id, 'queued');
        insert into outbox (organisation, task, payload, key) values (org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', x.id), x.id::text);
      else
        for one in select author, array_agg(document) as documents from jsonb_to_recordset(rest -> 'tasks') x(document uuid, author uuid) group by author loop
          perform set_config('app.user', one.author::text, true);
          with queued as (insert into einvoices (organisation, document, state) select org, document, 'queued' from unnest(one.documents) document returning document)
          insert into outbox (organisation, task, payload, key) select org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', document), document::text from queued;
        end loop;
      end if;
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
      -- the version is compared by the statement that deletes: a draft that was changed or deleted meanwhile is not posted
      with gone as (
        delete from drafts t
         using jsonb_to_recordset(rest -> 'drafts') as x (id uuid, version int)
         where t.organisation = org
           and t.id = x.id
           and t.version = x.version
        returning t.id
      )
      select count(*) into same from gone;
      if same <> jsonb_array_length(rest -> 'drafts') then
        raise exception 'a draft is not as it was read' using errcode = 'BR130';
      end if;
    end if;
    if rest ? 'undrafted' then
      perform pg_advisory_xact_lock(hashtextextended('draft ' || x.id, org))
         from jsonb_array_elements_text(rest -> 'undrafted') as x (id)
        order by x.id;
      if exists (
        select from drafts t
          join jsonb_array_elements_text(rest -> 'undrafted') as x (id) on x.id::uuid = t.id
         where t.organisation = org
      ) then
        raise exception 'a draft was kept under this id' using errcode = 'BR130';
      end if;
    end if;
  end if;
  return query select x.id, numbers[x.ordinality] from unnest(d) with ordinality x order by x.ordinality;
end $function$;
