-- Posting in two calls of one transaction: the first locks and loads what the decision needs, the second writes what was
-- decided, from typed arrays. Order of locks: period (share), item balances sorted, open items sorted, totals sorted, series last.

-- Prepares a posting: names organisation and user for this transaction and returns, as one document,
-- known keys, the lock, balances (locked), later movements, source lines, open items (locked).
create function load_for_posting(
  org int, who uuid, keys uuid[], items uuid[], places uuid[], dates date[], sources uuid[], settled uuid[], parties uuid[]
) returns jsonb language plpgsql as $$
declare answer jsonb;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  answer := jsonb_build_object(
    'keys', (select coalesce(jsonb_agg(jsonb_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer)), '[]') from idempotency_keys k where k.organisation = org and k."user" = who and k.key = any(keys)),
    'lockedThrough', (select l.locked_through from locks l where l.organisation = org for share));
  if cardinality(items) > 0 then
    insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, i, p, 0, 0 from unnest(items, places) t(i, p) order by 2, 3 on conflict do nothing;
    answer := answer || jsonb_build_object('balances', (select jsonb_agg(b) from (
      select b.item, b.location, b.quantity, b.value, b.layers, b.last_date,
             (select min(d) from unnest(items, places, dates) t(i, p, d) where t.i = b.item and t.p = b.location) as first_date
        from item_balances b where b.organisation = org and (b.item, b.location) in (select i, p from unnest(items, places) t(i, p))
       order by b.item, b.location for update of b) b));
  end if;
  if cardinality(sources) > 0 then
    answer := answer || jsonb_build_object('sources', (select coalesce(jsonb_agg(s), '[]') from (
      select l.document, l.line, l.item, l.quantity, l.taxable, l.gst_rate, l.treatment, l.base_quantity,
             (select coalesce(jsonb_agg(jsonb_build_object('kind', x.kind, 'quantity', x.quantity, 'taxable', x.taxable)), '[]') from (
                select d.kind, sum(u.quantity) as quantity, sum(u.taxable) as taxable from document_lines u join documents d on d.organisation = org and d.id = u.document
                 where u.organisation = org and u.source_document = l.document and u.source_line = l.line and d.reverses is null
                   and not exists (select from cancellations c where c.organisation = org and c.document = d.id) group by d.kind) x) as used,
             (select coalesce(jsonb_agg(jsonb_build_object('quantity', m.quantity, 'cost', (select c.cost from movement_costs c where c.organisation = org and c.document = m.document and c.number = m.number order by c.revision desc limit 1)) order by m.number), '[]')
                from movements m where m.organisation = org and m.document = l.document and m.line = l.line) as moved
        from document_lines l where l.organisation = org and l.document = any(sources)) s),
      'sourceDocuments', (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', d.party, 'exchangeRate', d.exchange_rate,
              'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id))), '[]') from documents d where d.organisation = org and d.id = any(sources)));
  end if;
  if cardinality(settled) > 0 then
    answer := answer || jsonb_build_object('open', (select coalesce(jsonb_agg(o), '[]') from (
      select o.document, o.party, o.side, o.currency, o.open, d.number, d.exchange_rate, d.date from open_items o join documents d on d.organisation = org and d.id = o.document
       where o.organisation = org and o.document = any(settled) order by o.document for update of o) o));
  end if;
  if cardinality(parties) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment
    perform 1 from parties p where p.organisation = org and p.id = any(parties) and p.credit_limit is not null order by p.id for update;
    answer := answer || jsonb_build_object('owed', (select coalesce(jsonb_agg(jsonb_build_object('party', p.id, 'name', p.name, 'limit', p.credit_limit, 'owed',
      (select coalesce(sum(case o.side when 'receivable' then o.open else -o.open end), 0) from open_items o where o.organisation = org and o.party = p.id and o.open > 0 and o.side in ('receivable', 'customerCredit')))), '[]')
      from parties p where p.organisation = org and p.id = any(parties) and p.credit_limit is not null));
  end if;
  return answer;
end $$;

-- Movements of one item at one location from a day on, in date order, with their latest cost; for back-dated postings.
create function movements_since(org int, what uuid, place uuid, since date)
returns table (document uuid, number int, date date, quantity bigint, stated_value bigint, cost bigint, revision int, kind text, reversed boolean) language sql stable as $$
  select m.document, m.number, m.date, m.quantity, m.stated_value, c.cost, c.revision, d.kind, d.reverses is not null
    from movements m join documents d on d.organisation = m.organisation and d.id = m.document
    join lateral (select c.cost, c.revision from movement_costs c where c.organisation = m.organisation and c.document = m.document and c.number = m.number order by c.revision desc limit 1) c on true
   where m.organisation = org and m.item = what and m.location = place and m.date >= since order by m.date, m.sequence
$$;

create sequence movement_sequence;
grant usage on sequence movement_sequence to bahi_app;

-- Writes decided documents. Every array of a table has one element a row; *_doc is the place of its document in d_id.
-- What few documents have (revisions of cost, open items, allocations, links, cancellations) comes in `rest`.
-- Numbers are taken last of all locks, in the order of the documents. Returns id and number of each.
create function write_documents(
  org int, who uuid,
  d_id uuid[], d_kind text[], d_numbering text[], d_registration uuid[], d_location uuid[], d_to_location uuid[], d_year text[], d_series uuid[], d_period text[], d_prefix text[], d_suffix text[], d_padding int[], d_start int[], d_number text[],
  d_date date[], d_due date[], d_party uuid[], d_party_name text[], d_party_gstin text[], d_party_state text[], d_category text[], d_place text[], d_supply_type text[], d_reverse_charge boolean[], d_currency text[], d_exchange_rate bigint[],
  d_taxable bigint[], d_cgst bigint[], d_sgst bigint[], d_igst bigint[], d_cess bigint[], d_tcs bigint[], d_tds bigint[], d_round_off bigint[], d_total bigint[], d_payable bigint[], d_foreign_total bigint[], d_reference text[], d_reverses uuid[], d_body jsonb[],
  d_draft boolean[], d_key uuid[], d_digest bytea[], d_task text[],
  l_doc int[], l_line int[], l_item uuid[], l_ledger uuid[], l_party uuid[], l_description text[], l_hsn text[], l_unit text[], l_service boolean[], l_quantity bigint[], l_base bigint[], l_rate bigint[], l_treatment text[], l_gst_rate int[], l_discount bigint[], l_taxable bigint[], l_value bigint[], l_cgst bigint[], l_sgst bigint[], l_igst bigint[], l_cess bigint[], l_source uuid[], l_source_line int[],
  e_doc int[], e_leg int[], e_ledger uuid[], e_party uuid[], e_cost_centre uuid[], e_currency text[], e_foreign bigint[], e_rate bigint[], e_debit bigint[], e_credit bigint[],
  m_doc int[], m_number int[], m_line int[], m_item uuid[], m_location uuid[], m_quantity bigint[], m_stated bigint[], m_cost bigint[], m_room uuid[],
  b_item uuid[], b_location uuid[], b_quantity bigint[], b_value bigint[], b_layers text[], b_last date[],
  rest jsonb
) returns table (id uuid, number text) language plpgsql as $$
#variable_conflict use_column
declare lane smallint := (pg_backend_pid() % 8)::smallint;
begin
  if cardinality(b_item) > 0 then
    update item_balances b set quantity = v.quantity, value = v.value, layers = v.layers::bigint[], last_date = greatest(b.last_date, v.last)
      from unnest(b_item, b_location, b_quantity, b_value, b_layers, b_last) v(item, location, quantity, value, layers, last)
     where b.organisation = org and b.item = v.item and b.location = v.location;
  end if;
  if cardinality(e_doc) > 0 then
    insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
      select org, e.ledger, d_location[e.doc], d_date[e.doc], lane, sum(e.debit), sum(e.credit) from unnest(e_doc, e_ledger, e_debit, e_credit) e(doc, ledger, debit, credit) group by 2, 3, 4 order by 2, 3, 4
      on conflict (organisation, ledger, location, day, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
    insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
      select org, e.ledger, d_location[e.doc], date_trunc('month', d_date[e.doc])::date, lane, sum(e.debit), sum(e.credit) from unnest(e_doc, e_ledger, e_debit, e_credit) e(doc, ledger, debit, credit) group by 2, 3, 4 order by 2, 3, 4
      on conflict (organisation, ledger, location, month, slot) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  end if;

  -- the number: the last lock
  with wanted as (
    select n, d_series[n] as series, d_period[n] as period, row_number() over (partition by d_series[n], d_period[n] order by n) as rank
      from generate_subscripts(d_id, 1) n where d_number[n] is null
  ), counts as (
    select series, period, count(*)::int as count, min(d_start[n]) as start from wanted group by series, period order by series, period
  ), taken as (
    insert into series_counters as c (organisation, series, period, next) select org, series, period, start + count from counts
    on conflict (organisation, series, period) do update set next = c.next + (excluded.next - (select start from counts where counts.series = excluded.series and counts.period = excluded.period))
    returning c.series, c.period, c.next
  )
  select array_agg(coalesce(d_number[n], d_prefix[n] || lpad((t.next - k.count + w.rank - 1)::text, greatest(d_padding[n], length((t.next - k.count + w.rank - 1)::text)), '0') || d_suffix[n]) order by n) into d_number
    from generate_subscripts(d_id, 1) n left join wanted w using (n)
    left join counts k on k.series = w.series and k.period = w.period left join taken t on t.series = w.series and t.period = w.period;

  insert into documents (organisation, id, kind, numbering, registration, location, to_location, financial_year, number, series, date, due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge,
      currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, author, body)
    select org, v.* from (select id, kind, numbering, registration, location, to_location, year, number, series, date, due, party, party_name, party_gstin, party_state, category, place, supply_type, reverse_charge, currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, who, body
      from unnest(d_id, d_kind, d_numbering, d_registration, d_location, d_to_location, d_year, d_number, d_series, d_date, d_due, d_party, d_party_name, d_party_gstin, d_party_state, d_category, d_place, d_supply_type, d_reverse_charge, d_currency, d_exchange_rate, d_taxable, d_cgst, d_sgst, d_igst, d_cess, d_tcs, d_tds, d_round_off, d_total, d_payable, d_foreign_total, d_reference, d_reverses, d_body)
        x(id, kind, numbering, registration, location, to_location, year, number, series, date, due, party, party_name, party_gstin, party_state, category, place, supply_type, reverse_charge, currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, body)) v;
  if cardinality(l_doc) > 0 then
    insert into document_lines (organisation, document, line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line)
      select org, d_id[doc], line, item, ledger, party, description, hsn, unit, service, quantity, base, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source, source_line
        from unnest(l_doc, l_line, l_item, l_ledger, l_party, l_description, l_hsn, l_unit, l_service, l_quantity, l_base, l_rate, l_treatment, l_gst_rate, l_discount, l_taxable, l_value, l_cgst, l_sgst, l_igst, l_cess, l_source, l_source_line)
          x(doc, line, item, ledger, party, description, hsn, unit, service, quantity, base, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source, source_line);
  end if;
  if cardinality(e_doc) > 0 then
    insert into entries (organisation, document, leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit, credit)
      select org, d_id[doc], leg, d_date[doc], ledger, party, d_registration[doc], d_location[doc], cost_centre, currency, foreign_amount, rate, debit, credit
        from unnest(e_doc, e_leg, e_ledger, e_party, e_cost_centre, e_currency, e_foreign, e_rate, e_debit, e_credit) x(doc, leg, ledger, party, cost_centre, currency, foreign_amount, rate, debit, credit);
  end if;
  if cardinality(m_doc) > 0 then
    insert into movements (organisation, document, number, line, date, sequence, item, location, quantity, stated_value, room)
      select org, d_id[doc], number, line, d_date[doc], nextval('movement_sequence'), item, location, quantity, stated, room from unnest(m_doc, m_number, m_line, m_item, m_location, m_quantity, m_stated, m_room) x(doc, number, line, item, location, quantity, stated, room);
    insert into movement_costs (organisation, document, number, revision, cost, cause) select org, d_id[doc], number, 0, cost, d_id[doc] from unnest(m_doc, m_number, m_cost) x(doc, number, cost);
  end if;
  if rest ? 'revisions' then
    insert into movement_costs (organisation, document, number, revision, cost, cause) select org, document, number, revision, cost, d_id[doc] from jsonb_to_recordset(rest -> 'revisions') x(document uuid, number int, revision int, cost bigint, doc int);
  end if;
  if rest ? 'open' then
    insert into open_items (organisation, document, party, side, date, due_date, currency, original, open)
      select org, d_id[doc], party, side, d_date[doc], due, currency, original, original from jsonb_to_recordset(rest -> 'open') x(doc int, party uuid, side text, due date, currency text, original bigint);
  end if;
  if rest ? 'allocations' then
    insert into allocations (organisation, id, credit_document, invoice_document, amount, date, cause, by)
      select org, id, credit, invoice, amount, date, d_id[doc], who from jsonb_to_recordset(rest -> 'allocations') x(doc int, id uuid, credit uuid, invoice uuid, amount bigint, date date);
    update open_items o set open = o.open - v.amount
      from (select document, sum(amount) as amount from (select credit as document, amount from jsonb_to_recordset(rest -> 'allocations') x(credit uuid, amount bigint) union all select invoice, amount from jsonb_to_recordset(rest -> 'allocations') x(invoice uuid, amount bigint)) u group by document) v
     where o.organisation = org and o.document = v.document;
  end if;
  if rest ? 'links' then
    insert into document_links (organisation, source, target, role) select distinct org, source, d_id[doc], role from jsonb_to_recordset(rest -> 'links') x(doc int, source uuid, role text);
  end if;
  if rest ? 'cancelled' then
    insert into cancellations (organisation, document, reversal, reason, by) select org, document, d_id[doc], reason, who from jsonb_to_recordset(rest -> 'cancelled') x(doc int, document uuid, reason text);
    update open_items o set open = 0 from jsonb_to_recordset(rest -> 'cancelled') x(document uuid) where o.organisation = org and o.document = x.document;
  end if;
  delete from drafts where organisation = org and id in (select d_id[n] from generate_subscripts(d_id, 1) n where d_draft[n]);
  insert into einvoices (organisation, document, state) select org, d_id[n], 'queued' from generate_subscripts(d_id, 1) n where d_task[n] = 'registerInvoice';
  insert into outbox (organisation, task, payload, key) select org, d_task[n], jsonb_build_object('organisation', org, 'document', d_id[n]), d_id[n]::text from generate_subscripts(d_id, 1) n where d_task[n] is not null;
  insert into idempotency_keys (organisation, "user", key, digest, answer)
    select org, who, d_key[n], d_digest[n], jsonb_build_object('id', d_id[n], 'number', d_number[n], 'total', d_total[n]) from generate_subscripts(d_id, 1) n where d_key[n] is not null;
  return query select d_id[n], d_number[n] from generate_subscripts(d_id, 1) n;
end $$;
grant execute on function load_for_posting(int, uuid, uuid[], uuid[], uuid[], date[], uuid[], uuid[], uuid[]) to bahi_app;
