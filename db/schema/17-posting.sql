-- Two functions alone write documents, lines, entries, movements and the totals of ledgers (ADR 43): write_documents
-- what people post, write_system_document what the product itself makes. They run with the rights of their owner. The
-- application has no right to insert into these tables, so it cannot write a document without its number and totals.
-- Each function first compares the organisation that it is called for with that of the transaction. A posting from
-- the cache (ADR 8) is a transaction of its own: for it write_documents sets the organisation itself.
--
-- Written elsewhere, under the triggers of their tables: allocations and open items when somebody settles later
-- (server/accounts/allocate.ts) or frees a settlement (free_allocations in 06-settlement.sql); later costs and stock
-- balances when goods are revalued (server/documents/stock/revaluation.ts); the numbers that a till gives without the
-- network (12-till.sql). server/kit/database/rebuild.ts, which an operator runs as the owner, makes the totals anew.

-- The rows of a posting as they come over the wire: the columns of their tables without the organisation. One
-- array of rows for each table: many arrays of columns would cost a tuple store each.
create type writing_document as (
  id uuid, author uuid, kind text, numbering text, gst_number boolean, registration uuid, location uuid,
  to_location uuid, financial_year text, series uuid, period text, prefix text, suffix text, padding int, start int,
  number text, date date, due_date date, party uuid, party_name text, party_gstin text, party_state text,
  category text, place_of_supply text, supply_type text, reverse_charge boolean, currency text,
  exchange_rate bigint, taxable bigint, cgst bigint, sgst bigint, igst bigint, cess bigint, tcs bigint, tds bigint,
  round_off bigint, total bigint, payable bigint, foreign_total bigint, reference text, reverses uuid, key uuid,
  digest text
);

create type writing_line as (
  document uuid, line int, item uuid, ledger uuid, party uuid, description text, hsn text, unit text,
  service boolean, quantity bigint, base_quantity bigint, rate bigint, treatment text, gst_rate int,
  discount bigint, taxable bigint, value bigint, cgst bigint, sgst bigint, igst bigint, cess bigint,
  source_document uuid, source_line int
);

create type writing_entry as (
  document uuid, leg int, date date, ledger uuid, party uuid, registration uuid, location uuid, cost_centre uuid,
  currency text, foreign_amount bigint, exchange_rate bigint, debit bigint, credit bigint
);

create type writing_movement as (
  document uuid, number int, line int, date date, item uuid, location uuid, quantity bigint, stated_value bigint,
  room uuid, cost bigint, batches jsonb, serials text[]
);

create type writing_balance as (
  item uuid, location uuid, quantity bigint, value bigint, layers text, last_date date
);

create type writing_open as (
  document uuid, party uuid, side text, date date, due_date date, currency text, original bigint, line int,
  reference text
);

-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision
-- needs. Balances are those of stocked items, and of any item where a cancellation puts back what was moved. Order
-- of locks: period (share), source documents, item balances, open items, parties with a limit; each sorted.
--
-- A key or a balance is looked up by all of its columns, however much the organisation has. A join from an array
-- may be planned as a walk through all rows of the organisation, which is cheap on the first day and is then kept;
-- a subquery with `offset 0` for each element, and `on conflict`, leave the planner no such choice. The same
-- statements are posted all day: they are planned once, not anew for each length of an array, and look up by their
-- index from the first row on.
create function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], balance_items uuid[], balance_places uuid[],
  balance_dates date[], balance_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[], item_ids uuid[],
  ledger_ids uuid[], cancelled uuid[], out version bigint, out locked_through text, out keys json, out parties json,
  out items json, out takes json, out balances json, out sources json, out source_documents json,
  out cancelling json, out opened json, out owed json
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
#variable_conflict use_column
declare
  limited boolean;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  locked_through := (
    select l.locked_through
    from locks l
    where l.organisation = org
    for share
  );
  -- after that lock: who changes how stock is kept holds it alone
  version := (select h.version from house_versions h where h.organisation = org);
  if cardinality(asked_keys) > 0 then
    keys := (
      select json_agg(json_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer))
      from unnest(asked_keys, key_users) t(key, whose),
        lateral (
          select i.key, i.digest, i.answer
          from idempotency_keys i
          where i.organisation = org and i."user" = t.whose and i.key = t.key
          offset 0
        ) k
    );
  end if;
  if cardinality(source_ids) + cardinality(cancelled) > 0 then
    -- posted rows cannot be locked for update by a role that may not update them; what is left of them is read
    -- after this
    perform pg_advisory_xact_lock(hashtextextended(s.id::text, org))
    from (
      -- a note takes of what the document that it corrects in the end has left
      select id
      from unnest(source_ids || cancelled) id
      union
      select r.document
      from document_lines l
      join documents d on d.organisation = org and d.id = l.document
      join note_kinds() k on k.kind = d.kind and not k.goods
      cross join lateral note_root(org, l.document, l.line) r
      where l.organisation = org and l.document = any(source_ids || cancelled)
      order by id
    ) s;
  end if;
  if cardinality(item_ids) > 0 then
    items := item_facts(org, item_ids);
  end if;
  if cardinality(ledger_ids) > 0 then
    takes := taking_ledgers(org, ledger_ids);
  end if;
  if cardinality(balance_items) > 0 then
    if exists (
      select from unnest(balance_items, balance_places) t(i, p)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
    ) then
      insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, t.i, t.p, 0, 0
      from unnest(balance_items, balance_places, balance_certain) t(i, p, sure)
      join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
      order by 2, 3
      on conflict do nothing;
    end if;
    -- locked one after the other, in the order of the stock balances
    balances := (
      select json_agg(b)
      from (
        select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date
        from unnest(balance_items, balance_places, balance_dates) t(i, p, d)
        group by t.i, t.p
        order by t.i, t.p
      ) w,
        lateral (
          select i.item, i.location, i.quantity, i.value, i.layers, i.last_date, w.first_date, w.final_date
          from item_balances i
          where i.organisation = org and i.item = w.i and i.location = w.p
          offset 0
          for update
        ) b
    );
  end if;
  if cardinality(source_ids) > 0 then
    sources := source_lines(org, source_ids);
    source_documents := source_documents(org, source_ids);
  end if;
  if cardinality(cancelled) > 0 then
    -- read again under the lock: what was looked up before may have changed since
    cancelling := (
      select json_agg(
        json_build_object(
          'id', d.id, 'number', d.number,
          'followed', (
            select f.number
            from document_lines x
            join documents f on f.organisation = org and f.id = x.document
            where x.organisation = org
              and x.source_document = d.id
              and f.reverses is null
              and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
            union all
            select f.number
            from document_links k
            join documents f on f.organisation = org and f.id = k.target
            where k.organisation = org
              and k.source = d.id
              and k.role = 'order'
              and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
            union all
            -- asked in a row of its own: as a condition it may be asked for every document
            select f.number
            from (select note_taken(org, d.id) as id offset 0) t
            join documents f on f.organisation = org and f.id = t.id
            limit 1
          ),
          'costs', (
            select coalesce(
              json_agg(
                (
                  select c.cost
                  from movement_costs c
                  where c.organisation = org and c.document = m.document and c.number = m.number
                  order by c.revision desc
                  limit 1
                )
                order by m.number
              ),
              '[]'
            )
            from movements m
            where m.organisation = org and m.document = d.id
          )
        )
      )
      from documents d
      where d.organisation = org and d.id = any(cancelled)
    );
  end if;
  if cardinality(settled) > 0 then
    -- with a document that is cancelled, what it settled or was settled by is opened again: locked in the same order
    opened := (
      select json_agg(o)
      from (
        select
          o.document, o.line, o.party, o.side, o.currency, o.open, coalesce(o.reference, d.number) as number,
          d.exchange_rate, d.date, o.original, open_worth(org, o) as worth, d.kind, d.location, d.author
        from open_items o
        join documents d on d.organisation = org and d.id = o.document
        where o.organisation = org
          and (
            o.document = any(settled)
            or o.document in (
              select unnest(array[a.credit_document, a.invoice_document])
              from allocations a
              where cardinality(cancelled) > 0
                and a.organisation = org
                and (
                  a.credit_document = any(cancelled)
                  or a.invoice_document = any(cancelled)
                  or a.cause = any(cancelled)
                )
            )
          )
        order by o.document, o.line
        for update of o
      ) o
    );
  end if;
  if cardinality(party_ids) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment.
    -- Not for update: a foreign key to the party must not wait.
    limited := exists (
      select from parties p
      where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
    );
    if limited then
      perform 1
      from parties p
      where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
      order by p.id
      for no key update;
      -- what is owed in another currency counts in the rupees on the account of the party
      owed := (
        select json_agg(
          json_build_object(
            'party', p.id, 'name', p.name, 'limit', p.credit_limit,
            'owed', (
              select coalesce(
                sum(case o.side when 'receivable' then open_worth(org, o) else -open_worth(org, o) end), 0
              )
              from open_items o
              where o.organisation = org
                and o.party = p.id
                and o.open > 0
                and o.side in ('receivable', 'customerCredit')
            )
          )
        )
        from parties p
        where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null
      );
    end if;
    parties := party_facts(org, party_ids);
  end if;
end
$$;
grant execute on function open_posting(
  int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]
) to bahi_app;

-- Writes decided documents. Returns id and number of each, in the order in which they were given.
--
-- Where `was` is null, the caller has locked and loaded with open_posting. Otherwise the documents were decided from
-- the cache (ADR 8), and `known_lock`, `known_version` and `was` are the values that they were decided from: the lock
-- of the period, the version of masters and settings, the stock balances. The call is then a transaction of its own
-- and sets organisation and user. Where a value is another one by now, nothing is written: for the lock or the version
-- no rows are returned, for a stock balance BR409 is raised.
--
-- `rest` has what only some documents have: revisions of cost, allocations, links, cancellations, tasks for the
-- portal, drafts to delete. The counters of numbers are locked last, because many postings wait for the same one.
--
-- Most transactions of a small business write one document, and then each statement here costs more than its rows
-- (docs/speed.md). So the number and the portal task of a single document are written without the loops over groups,
-- and settings are set by an assignment (`named := set_config(…)`), for which PL/pgSQL runs no query.
create function write_documents(
  org int, who uuid, known_version bigint, known_lock date, was writing_balance[], d writing_document[],
  bodies jsonb[], l writing_line[], e writing_entry[], m writing_movement[], b writing_balance[], o writing_open[],
  rest jsonb
) returns table (id uuid, number text)
language plpgsql security definer
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  lane smallint := (pg_backend_pid() % 8)::smallint;
  numbers text[] := array_fill(null::text, array[cardinality(d)]);
  x writing_document := d[1];
  digits text;
  bad text;
  named text;
  one record;
  first int;
  same int;
begin
  if org is distinct from coalesce(
    nullif(current_setting('app.organisation', true), '')::int, case when was is not null then org end
  ) then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  if was is not null then
    named := set_config('app.organisation', org::text, true);
    named := set_config('app.user', who::text, true);
    if known_lock is distinct from (
      select l.locked_through
      from locks l
      where l.organisation = org
      for share
    ) then
      return;
    end if;
    -- after that lock: who changes how stock is kept holds it alone
    if known_version is distinct from (select h.version from house_versions h where h.organisation = org) then
      return;
    end if;
    -- the stock balances are proved by the statement that changes them, locked in the order they come in
    if cardinality(was) > 0 then
      update item_balances t
      set
        quantity = p.quantity, value = p.value, layers = p.layers::bigint[],
        last_date = greatest(t.last_date, p.last_date)
      from unnest(was, b) p (
        known_item, known_location, known_quantity, known_value, known_layers, known_date, item, location, quantity,
        value, layers, last_date
      )
      where t.organisation = org
        and t.item = p.known_item
        and t.location = p.known_location
        and p.item = p.known_item
        and p.location = p.known_location
        and t.quantity = p.known_quantity
        and t.value = p.known_value
        and t.layers = p.known_layers::bigint[]
        and t.last_date is not distinct from p.known_date;
      get diagnostics same = row_count;
      if same <> cardinality(was) then
        raise exception 'a stock balance is not as it was cached' using errcode = 'BR409';
      end if;
    end if;
  elsif cardinality(b) > 0 then
    insert into item_balances as t (organisation, item, location, quantity, value, layers, last_date)
    select org, item, location, quantity, value, layers::bigint[], last_date
    from unnest(b)
    on conflict (organisation, item, location) do update
    set
      quantity = excluded.quantity, value = excluded.value, layers = excluded.layers,
      last_date = greatest(t.last_date, excluded.last_date);
  end if;
  if cardinality(e) > 0 then
    with sums as (
      select ledger, location, date, sum(debit) as debit, sum(credit) as credit
      from unnest(e)
      group by 1, 2, 3
      order by 1, 2, 3
    ), days as (
      insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
      select org, ledger, location, date, lane, debit, credit
      from sums
      on conflict (organisation, ledger, location, day, slot) do update
      set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
    )
    insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
    select org, ledger, location, date_trunc('month', date)::date, lane, sum(debit), sum(credit)
    from sums
    group by 2, 3, 4
    order by 2, 3, 4
    on conflict (organisation, ledger, location, month, slot) do update
    set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  end if;
  -- the numbers: the last locks, one for each series and period
  if cardinality(d) = 1 then
    if x.number is null then
      insert into series_counters as c (organisation, series, period, next)
      values (org, x.series, x.period, x.start + 1)
      on conflict (organisation, series, period) do update
      set next = c.next + 1
      returning next - 1 into first;
      digits := first::text;
    end if;
    numbers[1] := coalesce(x.number, x.prefix || lpad(digits, greatest(x.padding, length(digits)), '0') || x.suffix);
    if x.gst_number and upper(numbers[1]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$' then
      bad := numbers[1];
    end if;
  else
    for one in
      select
        series, period, number is null as wanted, min(start) as start, count(*)::int as count,
        array_agg(ordinality::int order by ordinality) as places, array_agg(number order by ordinality) as given,
        array_agg(prefix order by ordinality) as prefixes, array_agg(suffix order by ordinality) as suffixes,
        array_agg(padding order by ordinality) as paddings
      from unnest(d) with ordinality
      group by 1, 2, 3
      order by 1, 2, 3
    loop
      if one.wanted then
        insert into series_counters as c (organisation, series, period, next)
        values (org, one.series, one.period, one.start + one.count)
        on conflict (organisation, series, period) do update
        set next = c.next + one.count
        returning next - one.count into first;
      end if;
      for n in 1 .. one.count loop
        digits := (first + n - 1)::text;
        numbers[one.places[n]] := case
          when one.wanted
            then one.prefixes[n] || lpad(digits, greatest(one.paddings[n], length(digits)), '0') || one.suffixes[n]
          else one.given[n]
        end;
      end loop;
    end loop;
    select numbers[n] into bad
    from generate_subscripts(d, 1) n
    where d[n].gst_number and upper(numbers[n]) !~ '^[A-Z1-9][A-Z0-9/-]{0,15}$'
    limit 1;
  end if;
  -- rule 46: a number that its series has outgrown is not given
  if bad is not null then
    raise exception '%', bad using errcode = 'BR046';
  end if;
  insert into documents (
    organisation, id, kind, numbering, registration, location, to_location, financial_year, number, series, date,
    due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge,
    currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total,
    reference, reverses, author, body
  )
  select
    org, id, kind, numbering, registration, location, to_location, financial_year, numbers[ordinality],
    case when number is null then series end, date, due_date, party, party_name, party_gstin, party_state, category,
    place_of_supply, supply_type, reverse_charge, currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs,
    tds, round_off, total, payable, foreign_total, reference, reverses, author, bodies[ordinality]
  from unnest(d) with ordinality;
  if cardinality(l) > 0 then
    insert into document_lines (
      organisation, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity,
      rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line
    )
    select
      org, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate,
      treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line
    from unnest(l);
  end if;
  if cardinality(e) > 0 then
    insert into entries (
      organisation, document, leg, date, ledger, party, registration, location, cost_centre, currency,
      foreign_amount, exchange_rate, debit, credit
    )
    select
      org, document, leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount,
      exchange_rate, debit, credit
    from unnest(e);
  end if;
  if cardinality(m) > 0 then
    insert into movements (
      organisation, document, number, line, date, sequence, item, location, quantity, stated_value, room, batches,
      serials
    )
    select
      org, document, number, line, date, nextval('movement_sequence'), item, location, quantity, stated_value, room,
      batches, serials
    from unnest(m);
    insert into movement_costs (organisation, document, number, revision, cost, cause)
    select org, document, number, 0, cost, document
    from unnest(m);
  end if;
  if cardinality(o) > 0 then
    insert into open_items (
      organisation, document, party, side, date, due_date, currency, original, open, line, reference
    )
    select org, document, party, side, date, due_date, currency, original, original, line, reference
    from unnest(o);
  end if;
  insert into idempotency_keys (organisation, "user", key, digest, answer)
  select
    org, author, key, decode(digest, 'hex'),
    jsonb_build_object('id', id, 'number', numbers[ordinality], 'total', total)
  from unnest(d) with ordinality
  where key is not null;
  if rest is not null then
    if rest ? 'revisions' then
      insert into movement_costs (organisation, document, number, revision, cost, cause)
      select org, document, number, revision, cost, cause
      from jsonb_to_recordset(rest -> 'revisions') x(
        document uuid, number int, revision int, cost bigint, cause uuid
      );
    end if;
    if rest ? 'links' then
      insert into document_links (organisation, source, target, role)
      select distinct org, source, target, role
      from jsonb_to_recordset(rest -> 'links') x(source uuid, target uuid, role text);
    end if;
    -- these rows are logged one by one under the user of the transaction: each author in turn
    if rest ? 'tasks' then
      if cardinality(d) = 1 then
        named := set_config('app.user', x.author::text, true);
        insert into einvoices (organisation, document, state) values (org, x.id, 'queued');
        insert into outbox (organisation, task, payload, key)
        values (org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', x.id), x.id::text);
      else
        for one in
          select author, array_agg(document) as documents
          from jsonb_to_recordset(rest -> 'tasks') x(document uuid, author uuid)
          group by author
        loop
          perform set_config('app.user', one.author::text, true);
          with queued as (
            insert into einvoices (organisation, document, state)
            select org, document, 'queued'
            from unnest(one.documents) document
            returning document
          )
          insert into outbox (organisation, task, payload, key)
          select
            org, 'registerInvoice', jsonb_build_object('organisation', org, 'document', document), document::text
          from queued;
        end loop;
      end if;
    end if;
    if rest ? 'allocations' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into allocations (
          organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth,
          credit_worth, date, cause, by
        )
        select
          org, id, credit, "creditLine", invoice, "invoiceLine", amount, "invoiceWorth", "creditWorth", date, cause,
          author
        from jsonb_to_recordset(rest -> 'allocations') x(
          id uuid, credit uuid, "creditLine" int, invoice uuid, "invoiceLine" int, amount bigint,
          "invoiceWorth" bigint, "creditWorth" bigint, date date, cause uuid, author uuid
        )
        where author = one.author;
      end loop;
      update open_items i
      set open = i.open - v.amount
      from (
        select document, line, sum(amount) as amount
        from (
          select credit as document, "creditLine" as line, amount
          from jsonb_to_recordset(rest -> 'allocations') x(credit uuid, "creditLine" int, amount bigint)
          union all
          select invoice, "invoiceLine", amount
          from jsonb_to_recordset(rest -> 'allocations') x(invoice uuid, "invoiceLine" int, amount bigint)
        ) u
        group by document, line
      ) v
      where i.organisation = org and i.document = v.document and i.line = v.line;
    end if;
    if rest ? 'cancelled' then
      for one in select distinct author from unnest(d) loop
        perform set_config('app.user', one.author::text, true);
        insert into cancellations (organisation, document, reversal, reason, by)
        select org, document, reversal, reason, author
        from jsonb_to_recordset(rest -> 'cancelled') x(document uuid, reversal uuid, reason text, author uuid)
        where author = one.author;
      end loop;
      update open_items i
      set open = 0
      from jsonb_to_recordset(rest -> 'cancelled') x(document uuid)
      where i.organisation = org and i.document = x.document;
    end if;
    if rest ? 'drafts' then
      -- the version is compared by the statement that deletes: a draft that was changed or deleted meanwhile is not
      -- posted
      with gone as (
        delete from drafts t
        using jsonb_to_recordset(rest -> 'drafts') as x (id uuid, version int)
        where t.organisation = org and t.id = x.id and t.version = x.version
        returning t.id
      )
      select count(*) into same
      from gone;
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
  return query
    select x.id, numbers[x.ordinality]
    from unnest(d) with ordinality x
    order by x.ordinality;
end
$$;
revoke all on function write_documents(
  int, uuid, bigint, date, writing_balance[], writing_document[], jsonb[], writing_line[], writing_entry[],
  writing_movement[], writing_balance[], writing_open[], jsonb
) from public;
grant execute on function write_documents(
  int, uuid, bigint, date, writing_balance[], writing_document[], jsonb[], writing_line[], writing_entry[],
  writing_movement[], writing_balance[], writing_open[], jsonb
) to bahi_app;

-- Writes a document that the product itself makes (a revision of cost, a closing and what takes it back), with its
-- entries and totals, and returns its number. It has no tax; its entries have a day each, that of what they revise,
-- and name a party where they move its account to another ledger. A revision is written before its cause, whose link names it.
create function write_system_document(
  org int, who uuid, d_id uuid, d_kind text, d_numbering text, d_registration uuid, d_location uuid, d_year text,
  d_date date, d_series uuid, d_period text, d_prefix text, d_suffix text, d_padding int, d_start int,
  d_total bigint, d_body jsonb, d_reverses uuid, e_date date[], e_ledger uuid[], e_registration uuid[],
  e_location uuid[], e_cost_centre uuid[], e_debit bigint[], e_credit bigint[],
  e_party uuid[]
) returns text
language plpgsql security definer
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  lane smallint := (pg_backend_pid() % 8)::smallint;
  taken int;
  named text;
begin
  if org is distinct from nullif(current_setting('app.organisation', true), '')::int then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
  select org, e.ledger, e.location, e.date, lane, sum(e.debit), sum(e.credit)
  from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit)
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (organisation, ledger, location, day, slot) do update
  set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
  select org, e.ledger, e.location, date_trunc('month', e.date)::date, lane, sum(e.debit), sum(e.credit)
  from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit)
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (organisation, ledger, location, month, slot) do update
  set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into series_counters as c (organisation, series, period, next)
  values (org, d_series, d_period, d_start + 1)
  on conflict (organisation, series, period) do update
  set next = c.next + 1
  returning c.next - 1 into taken;
  named := d_prefix || lpad(taken::text, greatest(d_padding, length(taken::text)), '0') || d_suffix;
  insert into documents (
    organisation, id, kind, numbering, registration, location, financial_year, number, series, date, supply_type,
    taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, author, body, reverses
  )
  values
    (
      org, d_id, d_kind, d_numbering, d_registration, d_location, d_year, named, d_series, d_date, 'NONE', 0, 0, 0,
      0, 0, 0, 0, 0, d_total, d_total, d_total, who, d_body, d_reverses
    );
  insert into document_lines (
    organisation, document, line, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate,
    treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess
  )
  select org, d_id, n, ledger, party, '', '', '', true, 0, 0, 0, 'taxable', 0, 0, 0, debit, 0, 0, 0, 0
  from unnest(e_ledger, e_party, e_debit) with ordinality x(ledger, party, debit, n);
  insert into entries (
    organisation, document, leg, date, ledger, party, registration, location, cost_centre, debit, credit
  )
  select org, d_id, n, date, ledger, party, registration, location, cost_centre, debit, credit
  from unnest(
    e_date, e_ledger, e_party, e_registration, e_location, e_cost_centre, e_debit, e_credit
  ) with ordinality x(
    date, ledger, party, registration, location, cost_centre, debit, credit, n
  );
  return named;
end
$$;
revoke all on function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[], uuid[]
) from public;
grant execute on function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[], uuid[]
) to bahi_app;
