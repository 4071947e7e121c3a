-- Posting looks up a key or a shelf by all of its columns, however much the organisation has. A join from an array may be
-- planned as a walk through all rows of the organisation, which is cheap on the first day and is then kept; a subquery with
-- `offset 0` for each element, and `on conflict`, leave the planner no such choice.

-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision needs. Shelves
-- are those of stocked items, and of any item where a cancellation puts back what was moved. Order of locks: period (share),
-- source documents, item balances, open items, parties with a limit; each sorted.
create or replace function open_posting(
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
    keys := (select json_agg(json_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer)) from unnest(asked_keys, key_users) t(key, whose),
      lateral (select i.key, i.digest, i.answer from idempotency_keys i where i.organisation = org and i."user" = t.whose and i.key = t.key offset 0) k);
  end if;
  if cardinality(source_ids) + cardinality(cancelled) > 0 then
    -- posted rows cannot be locked for update by a role that may not update them; what is left of them is read after this
    perform pg_advisory_xact_lock(hashtextextended(s.id::text, org)) from (select distinct id from unnest(source_ids || cancelled) id order by id) s;
  end if;
  if cardinality(item_ids) > 0 then items := item_facts(org, item_ids); end if;
  if cardinality(ledger_ids) > 0 then takes := taking_ledgers(org, ledger_ids); end if;
  if cardinality(shelf_items) > 0 then
    if exists (select from unnest(shelf_items, shelf_places) t(i, p) where not exists (select from item_balances b where b.organisation = org and b.item = t.i and b.location = t.p offset 0)) then
      insert into item_balances (organisation, item, location, quantity, value)
        select distinct org, t.i, t.p, 0, 0 from unnest(shelf_items, shelf_places, shelf_certain) t(i, p, sure) join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
         where not exists (select from item_balances b where b.organisation = org and b.item = t.i and b.location = t.p offset 0) order by 2, 3 on conflict do nothing;
    end if;
    -- locked one after the other, in the order of the shelves
    balances := (select json_agg(b) from (select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date from unnest(shelf_items, shelf_places, shelf_dates) t(i, p, d) group by t.i, t.p order by t.i, t.p) w,
      lateral (select i.item, i.location, i.quantity, i.value, i.layers, i.last_date, w.first_date, w.final_date from item_balances i where i.organisation = org and i.item = w.i and i.location = w.p offset 0 for update) b);
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

-- As before, but for the shelves.
create or replace function write_documents(org int, d writing_document[], bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_shelf[], o writing_open[], rest jsonb)
returns table (id uuid, number text) language plpgsql as $$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint; numbers text[]; bad text; one record;
begin
  if cardinality(b) > 0 then
    insert into item_balances as t (organisation, item, location, quantity, value, layers, last_date) select org, item, location, quantity, value, layers::bigint[], last_date from unnest(b)
      on conflict (organisation, item, location) do update set quantity = excluded.quantity, value = excluded.value, layers = excluded.layers, last_date = greatest(t.last_date, excluded.last_date);
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
-- The same statements are posted all day: planned once, not anew for each length of an array.
alter function open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]) set plan_cache_mode = force_generic_plan;
alter function write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb) set plan_cache_mode = force_generic_plan;
