-- Whether a note was taken back was asked for every document of the books when one was cancelled, as long as the planner
-- knew too little of them: it is asked once.
-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision
-- needs. Balances are those of stocked items, and of any item where a cancellation puts back what was moved. Order
-- of locks: period (share), source documents, item balances, open items, parties with a limit; each sorted.
--
-- A key or a balance is looked up by all of its columns, however much the organisation has. A join from an array
-- may be planned as a walk through all rows of the organisation, which is cheap on the first day and is then kept;
-- a subquery with `offset 0` for each element, and `on conflict`, leave the planner no such choice. The same
-- statements are posted all day: they are planned once, not anew for each length of an array, and look up by their
-- index from the first row on.
create or replace function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], shelf_items uuid[], shelf_places uuid[],
  shelf_dates date[], shelf_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[], item_ids uuid[],
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
  if cardinality(shelf_items) > 0 then
    if exists (
      select from unnest(shelf_items, shelf_places) t(i, p)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
    ) then
      insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, t.i, t.p, 0, 0
      from unnest(shelf_items, shelf_places, shelf_certain) t(i, p, sure)
      join items x on x.organisation = org and x.id = t.i and (x.stocked or t.sure)
      where not exists (
        select from item_balances b
        where b.organisation = org and b.item = t.i and b.location = t.p
        offset 0
      )
      order by 2, 3
      on conflict do nothing;
    end if;
    -- locked one after the other, in the order of the shelves
    balances := (
      select json_agg(b)
      from (
        select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date
        from unnest(shelf_items, shelf_places, shelf_dates) t(i, p, d)
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
