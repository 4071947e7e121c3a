-- What concurrent postings could still slip through, and what the seals did not cover: source documents are locked while
-- what is left of them is counted, a cancellation frees what it settled, and every column of a posted row is digested.

drop function load_for_posting(int, uuid, uuid[], uuid[], uuid[], date[], uuid[], uuid[], uuid[]);

-- Prepares a posting: names organisation and user for this transaction and returns, as one document, known keys, the lock,
-- balances, source lines, open items, limits and the documents to be cancelled. Order of locks: period (share), source
-- documents, item balances, open items, parties with a limit; each sorted.
create function load_for_posting(
  org int, who uuid, keys uuid[], items uuid[], places uuid[], dates date[], sources uuid[], settled uuid[], parties uuid[], cancelled uuid[] default '{}'
) returns jsonb language plpgsql as $$
declare answer jsonb;
begin
  perform set_config('app.organisation', org::text, true), set_config('app.user', who::text, true);
  answer := jsonb_build_object(
    'keys', (select coalesce(jsonb_agg(jsonb_build_object('key', k.key, 'digest', encode(k.digest, 'hex'), 'answer', k.answer)), '[]') from idempotency_keys k where k.organisation = org and k."user" = who and k.key = any(keys)),
    'lockedThrough', (select l.locked_through from locks l where l.organisation = org for share));
  if cardinality(sources) + cardinality(cancelled) > 0 then
    -- posted rows cannot be locked for update by a role that may not update them; what is left of them is read after this
    perform pg_advisory_xact_lock(hashtextextended(s.id::text, org)) from (select distinct id from unnest(sources || cancelled) id order by id) s;
  end if;
  if cardinality(items) > 0 then
    insert into item_balances (organisation, item, location, quantity, value)
      select distinct org, i, p, 0, 0 from unnest(items, places) t(i, p) order by 2, 3 on conflict do nothing;
    answer := answer || jsonb_build_object('balances', (select jsonb_agg(b) from (
      select b.item, b.location, b.quantity, b.value, b.layers, b.last_date, w.first_date, w.final_date
        from item_balances b join (select t.i, t.p, min(t.d) as first_date, max(t.d) as final_date from unnest(items, places, dates) t(i, p, d) group by t.i, t.p) w on w.i = b.item and w.p = b.location
       where b.organisation = org order by b.item, b.location for update of b) b));
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
  if cardinality(cancelled) > 0 then
    -- read again under the lock: what was looked up before may have changed since
    answer := answer || jsonb_build_object('cancelling', (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'number', d.number,
        'followed', (select f.number from document_lines x join documents f on f.organisation = org and f.id = x.document
                      where x.organisation = org and x.source_document = d.id and f.reverses is null and not exists (select from cancellations c where c.organisation = org and c.document = f.id) limit 1),
        'costs', (select coalesce(jsonb_agg((select c.cost from movement_costs c where c.organisation = org and c.document = m.document and c.number = m.number order by c.revision desc limit 1) order by m.number), '[]')
                    from movements m where m.organisation = org and m.document = d.id))), '[]')
      from documents d where d.organisation = org and d.id = any(cancelled)));
  end if;
  if cardinality(settled) > 0 then
    -- with a document that is cancelled, what it settled or was settled by is opened again: locked in the same order
    answer := answer || jsonb_build_object('open', (select coalesce(jsonb_agg(o), '[]') from (
      select o.document, o.party, o.side, o.currency, o.open, d.number, d.exchange_rate, d.date from open_items o join documents d on d.organisation = org and d.id = o.document
       where o.organisation = org and (o.document = any(settled) or o.document in (
         select unnest(array[a.credit_document, a.invoice_document]) from allocations a where cardinality(cancelled) > 0 and a.organisation = org
            and (a.credit_document = any(cancelled) or a.invoice_document = any(cancelled) or a.cause = any(cancelled))))
       order by o.document for update of o) o));
  end if;
  if cardinality(parties) > 0 then
    -- only parties with a credit limit are locked: their limit is checked against what they owe at this moment.
    -- Not for update: a foreign key to the party must not wait.
    perform 1 from parties p where p.organisation = org and p.id = any(parties) and p.credit_limit is not null order by p.id for no key update;
    answer := answer || jsonb_build_object('owed', (select coalesce(jsonb_agg(jsonb_build_object('party', p.id, 'name', p.name, 'limit', p.credit_limit, 'owed',
      (select coalesce(sum(case o.side when 'receivable' then o.open else -o.open end), 0) from open_items o where o.organisation = org and o.party = p.id and o.open > 0 and o.side in ('receivable', 'customerCredit')))), '[]')
      from parties p where p.organisation = org and p.id = any(parties) and p.credit_limit is not null));
  end if;
  return answer;
end $$;
grant execute on function load_for_posting(int, uuid, uuid[], uuid[], uuid[], date[], uuid[], uuid[], uuid[], uuid[]) to bahi_app;

create index allocations_cause on allocations (organisation, cause);

-- A cancelled document settles nothing and is settled by nothing: each allocation it is part of, or caused, is taken back
-- by a row with the opposite amount, and what was settled is open again.
create function free_allocations() returns trigger language plpgsql as $$
begin
  with pairs as (
    select a.credit_document, a.invoice_document, sum(a.amount) as net,
           sum(a.amount) filter (where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)) as own
      from allocations a
     where a.organisation = new.organisation
       and (a.credit_document, a.invoice_document) in (select b.credit_document, b.invoice_document from allocations b
             where b.organisation = new.organisation and (b.cause = new.document or b.credit_document = new.document or b.invoice_document = new.document))
     group by 1, 2
  ), freed as (
    insert into allocations (organisation, id, credit_document, invoice_document, amount, date, cause, by)
      select new.organisation, gen_random_uuid(), credit_document, invoice_document, -least(net, own), (select d.date from documents d where d.organisation = new.organisation and d.id = new.reversal), new.reversal, (to_jsonb(new) ->> 'by')::uuid
        from pairs where least(net, own) > 0
    returning credit_document, invoice_document, amount
  )
  update open_items o set open = o.open + v.amount
    from (select document, sum(-amount) as amount from (select credit_document as document, amount from freed union all select invoice_document, amount from freed) u group by document) v
   where o.organisation = new.organisation and o.document = v.document;
  return null;
end $$;
create trigger free_allocations after insert on cancellations for each row execute function free_allocations();

-- What a posted document says, every column, in one fixed text: nulls keep their place, so that no value can move unseen.
create or replace function document_digest(org int, doc uuid) returns bytea language sql stable as $$
  select sha256(convert_to(
    coalesce((select jsonb_build_array(jsonb_build_array(id, kind, numbering, registration, location, to_location, financial_year, number, series, date, due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge),
        jsonb_build_array(currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, author, to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), body))::text
      from documents where organisation = org and id = doc), '')
    || coalesce((select string_agg(jsonb_build_array(line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line, body)::text, E'\n' order by line) from document_lines where organisation = org and document = doc), '')
    || coalesce((select string_agg(jsonb_build_array(leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit, credit)::text, E'\n' order by leg) from entries where organisation = org and document = doc), '')
    || coalesce((select string_agg(jsonb_build_array(number, line, date, sequence, item, location, quantity, stated_value, room, batches, serials)::text, E'\n' order by number) from movements where organisation = org and document = doc), '')
    -- costs that other documents revise later are sealed with those documents
    || coalesce((select string_agg(jsonb_build_array(document, number, revision, cost)::text, E'\n' order by document, number, revision) from movement_costs where organisation = org and cause = doc), ''), 'UTF8'))
$$;
create index movement_costs_cause on movement_costs (organisation, cause);

create or replace function log_digest(l edit_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(l.organisation, l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), l.xid::text, l.who, l.origin, l.action, l.relation, l.row_id, l.before, l.after)::text, 'UTF8')
    || case when l.relation = 'documents' then document_digest(l.organisation, l.row_id::uuid) else ''::bytea end)
$$;

-- Chains what finished transactions have logged, in the order of their ids, and says how many rows it sealed. A transaction
-- older than the oldest running one can write nothing more. In a database restored elsewhere the ids of transactions begin
-- anew: then what the old one left unsealed comes first.
create index seals_at on seals (at, sequence);
create or replace function seal_finished(most int default 5000) returns int language plpgsql as $$
declare
  line edit_log; last record; link bytea; sealed int := 0;
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  unborn xid8 := pg_snapshot_xmax(pg_current_snapshot());
  done xid8 := coalesce((select s.xid from seals s order by s.at desc, s.sequence desc limit 1), '0'::xid8);
  elsewhere boolean := done >= unborn;
begin
  if not pg_try_advisory_xact_lock(62614) then return 0; end if;
  if elsewhere then done := '0'::xid8; end if;
  for line in select l.* from edit_log l
     where ((l.xid >= done and l.xid < horizon) or (elsewhere and l.xid >= unborn)) and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id)
     order by l.xid < unborn, l.xid, l.id limit most loop
    select sequence, seal into last from seals where organisation = line.organisation order by sequence desc limit 1;
    link := log_digest(line);
    insert into seals (organisation, sequence, log, xid, digest, previous, seal)
    values (line.organisation, coalesce(last.sequence, 0) + 1, line.id, line.xid, link, last.seal, sha256(coalesce(last.seal, ''::bytea) || link));
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;
revoke all on function seal_finished(int) from public;
