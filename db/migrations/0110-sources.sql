-- What a document names is compared with it before it is posted: party, registration, place of supply, kind of tax, currency and
-- day of the documents that it is made from, item and unit of their lines, and who may see them. A return takes its part of every
-- amount of its source line, so what is left is counted amount by amount.

-- The value of a line in the currency of its document.
create function source_foreign(d documents, l document_lines) returns bigint language sql stable as $$
  select case when d.currency = 'INR' then l.value
              else coalesce((d.body -> 'foreignValues' ->> (l.line - 1))::bigint, round(l.value * 1000000.0 / d.exchange_rate)::bigint) end
$$;
-- Cess by quantity, in paise for one of the line's unit. Documents before this migration keep only what it came to.
create function source_cess_per_unit(d documents, l document_lines) returns bigint language sql stable as $$
  select coalesce((d.body -> 'cessPerUnits' ->> (l.line - 1))::bigint,
                  greatest(0, round((l.cess - round(l.taxable * coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) / 1000000.0)) * 1000000.0 / nullif(l.quantity, 0)))::bigint,
                  0)
$$;
-- The retail price that the tax of a line is inside of (rule 31D); null for a line taxed on its value.
create function source_retail_price(d documents, l document_lines) returns bigint language sql stable as $$
  select coalesce((d.body -> 'retailPrices' ->> (l.line - 1))::bigint,
                  case when l.item is not null and l.value <> l.taxable and l.quantity > 0 and l.cgst + l.sgst + l.igst > 0
                       then round((l.taxable + l.cgst + l.sgst + l.igst) * 1000000.0 / l.quantity)::bigint end)
$$;

-- Lines of documents that others are made from: their rates as they were, what was made of each by kind and amount, and what they
-- cost. Amounts in another currency come from the body where it keeps them, else from the rate of the document.
create or replace function source_lines(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(s), '[]')
    from (
      select l.document, l.line, l.item, l.ledger, l.hsn, l.unit, l.quantity, l.base_quantity, l.gst_rate, l.treatment,
             l.taxable, l.value, l.cgst, l.sgst, l.igst, l.cess,
             source_foreign(d, l) as foreign,
             coalesce((d.body -> 'cessRates' ->> (l.line - 1))::int, 0) as cess_rate,
             source_cess_per_unit(d, l) as cess_per_unit,
             source_retail_price(d, l) as retail_price,
             (select coalesce(json_agg(x), '[]')
                from (select t.kind, sum(u.quantity) as quantity, sum(u.base_quantity) as base_quantity,
                             sum(u.taxable) as taxable, sum(u.value) as value, sum(source_foreign(t, u)) as foreign,
                             sum(u.cgst) as cgst, sum(u.sgst) as sgst, sum(u.igst) as igst, sum(u.cess) as cess
                        from document_lines u
                        join documents t on t.organisation = org and t.id = u.document
                       where u.organisation = org
                         and u.source_document = l.document
                         and u.source_line = l.line
                         and t.reverses is null
                         and not exists (select from cancellations c where c.organisation = org and c.document = t.id)
                       group by t.kind) x) as used,
             (select coalesce(json_agg(json_build_object('quantity', m.quantity, 'cost',
                       (select c.cost
                          from movement_costs c
                         where c.organisation = org and c.document = m.document and c.number = m.number
                         order by c.revision desc
                         limit 1)) order by m.number), '[]')
                from movements m
               where m.organisation = org and m.document = l.document and m.line = l.line) as moved
        from document_lines l
        join documents d on d.organisation = org and d.id = l.document
       where l.organisation = org and l.document = any(ids)
    ) s
$$;

-- The documents themselves. Of a rounding that several documents took back, each took what stands on it; one that took back several
-- documents counts for the first of them.
create function source_documents(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object(
           'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
           'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
           'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
           'supply', coalesce(d.body ->> 'supply', 'none'), 'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false),
           'reverseCharge', d.reverse_charge, 'withPayment', d.supply_type in ('EXPWP', 'SEZWP'), 'roundOff', d.round_off,
           'rounded', (select coalesce(json_agg(json_build_object('kind', t.kind, 'roundOff', t.round_off)), '[]')
                         from document_links k
                         join documents t on t.organisation = org and t.id = k.target
                        where k.organisation = org
                          and k.source = d.id
                          and k.role = 'source'
                          and t.round_off <> 0
                          and not exists (select from document_links f
                                           where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < d.id)
                          and not exists (select from cancellations c where c.organisation = org and c.document = t.id)),
           'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id))), '[]')
    from documents d
   where d.organisation = org and d.id = any(ids)
$$;
grant execute on function source_documents(int, uuid[]), source_foreign(documents, document_lines),
  source_cess_per_unit(documents, document_lines), source_retail_price(documents, document_lines) to bahi_app;

-- Opens a posting: names organisation and user for this transaction, locks, and answers all that the decision needs.
create or replace function open_posting(
  org int, who uuid, asked_keys uuid[], key_users uuid[], shelf_items uuid[], shelf_places uuid[],
  shelf_dates date[], shelf_certain boolean[], source_ids uuid[], settled uuid[], party_ids uuid[],
  item_ids uuid[], ledger_ids uuid[], cancelled uuid[],
  out version bigint, out locked_through text, out keys json, out parties json, out items json, out takes json,
  out balances json, out sources json, out source_documents json, out cancelling json, out opened json,
  out owed json
) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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
    source_documents := source_documents(org, source_ids);
  end if;
  if cardinality(cancelled) > 0 then
    -- read again under the lock: what was looked up before may have changed since
    cancelling := (select json_agg(json_build_object('id', d.id, 'number', d.number,
        'followed', (select f.number from document_lines x join documents f on f.organisation = org and f.id = x.document
                      where x.organisation = org and x.source_document = d.id and f.reverses is null and not exists (select from cancellations c where c.organisation = org and c.document = f.id)
                     union all select f.number from document_links k join documents f on f.organisation = org and f.id = k.target
                      where k.organisation = org and k.source = d.id and k.role = 'order' and not exists (select from cancellations c where c.organisation = org and c.document = f.id) limit 1),
        'costs', (select coalesce(json_agg((select c.cost from movement_costs c where c.organisation = org and c.document = m.document and c.number = m.number order by c.revision desc limit 1) order by m.number), '[]')
                    from movements m where m.organisation = org and m.document = d.id)))
      from documents d where d.organisation = org and d.id = any(cancelled));
  end if;
  if cardinality(settled) > 0 then
    -- with a document that is cancelled, what it settled or was settled by is opened again: locked in the same order
    opened := (select json_agg(o) from (
      select o.document, o.line, o.party, o.side, o.currency, o.open, coalesce(o.reference, d.number) as number, d.exchange_rate, d.date, o.original, open_worth(org, o) as worth,
             d.kind, d.location, d.author
        from open_items o join documents d on d.organisation = org and d.id = o.document
       where o.organisation = org and (o.document = any(settled) or o.document in (
         select unnest(array[a.credit_document, a.invoice_document]) from allocations a where cardinality(cancelled) > 0 and a.organisation = org
            and (a.credit_document = any(cancelled) or a.invoice_document = any(cancelled) or a.cause = any(cancelled))))
       order by o.document, o.line for update of o) o);
  end if;
  if cardinality(party_ids) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment.
    -- Not for update: a foreign key to the party must not wait.
    limited := exists (select from parties p where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null);
    if limited then
      perform 1 from parties p where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null order by p.id for no key update;
      owed := (select json_agg(json_build_object('party', p.id, 'name', p.name, 'limit', p.credit_limit, 'owed',
        (select coalesce(sum(case o.side when 'receivable' then open_worth(org, o) else -open_worth(org, o) end), 0) from open_items o where o.organisation = org and o.party = p.id and o.open > 0 and o.side in ('receivable', 'customerCredit'))))
        from parties p where p.organisation = org and p.id = any(party_ids) and p.credit_limit is not null);
    end if;
    parties := party_facts(org, party_ids);
  end if;
end $$;
