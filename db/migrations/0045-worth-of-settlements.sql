-- What an allocation took off the account of the party in rupees, on the side of the due and on that of the credit. With both in
-- rupees it is the amount. In a foreign currency the last allocation takes what is left, so that what is settled in its own
-- currency is settled in rupees to the paisa, whatever the rates of the parts.
alter table allocations add column invoice_worth bigint, add column credit_worth bigint;

-- The rupees that still stand on the account of the party for an open item.
create function open_worth(org int, item open_items) returns bigint language sql stable as $$
  select case when item.currency = 'INR' then item.open else
    coalesce((select abs(sum(e.debit - e.credit)) from entries e where e.organisation = org and e.document = item.document and heir_of(org, e.party) = item.party and item.line in (0, e.leg)), 0)::bigint
    - coalesce((select sum(coalesce(a.invoice_worth, round(a.amount * d.exchange_rate / 1000000.0))) from allocations a join documents d on d.organisation = org and d.id = a.invoice_document
                 where a.organisation = org and a.invoice_document = item.document and a.invoice_line = item.line), 0)::bigint
    - coalesce((select sum(coalesce(a.credit_worth, round(a.amount * d.exchange_rate / 1000000.0))) from allocations a join documents d on d.organisation = org and d.id = a.credit_document
                 where a.organisation = org and a.credit_document = item.document and a.credit_line = item.line), 0)::bigint end
$$;
grant execute on function open_worth(int, open_items) to bahi_app;

-- The functions of posting as they are by now, but for the worth of what is settled.
do $$
declare
  changes text[][] := array[
    ['write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)',
     'invoice_document, invoice_line, amount, date, cause, by)
          select org, id, credit, "creditLine", invoice, "invoiceLine", amount, date, cause, author from jsonb_to_recordset(rest -> ''allocations'') x(',
     'invoice_document, invoice_line, amount, invoice_worth, credit_worth, date, cause, by)
          select org, id, credit, "creditLine", invoice, "invoiceLine", amount, "invoiceWorth", "creditWorth", date, cause, author from jsonb_to_recordset(rest -> ''allocations'') x("invoiceWorth" bigint, "creditWorth" bigint, '],
    ['open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[])',
     'd.exchange_rate, d.date from open_items o', 'd.exchange_rate, d.date, o.original, open_worth(org, o) as worth from open_items o']];
  known text; written text;
begin
  for n in 1 .. array_length(changes, 1) loop
    known := pg_get_functiondef(changes[n][1]::regprocedure);
    written := replace(known, changes[n][2], changes[n][3]);
    if written = known then raise exception '% does not hold what is to change: %', changes[n][1], changes[n][2]; end if;
    execute written;
  end loop;
end $$;

-- As before, with what was taken off the accounts: what is freed stands there again. A pair is freed as a whole, or by its share.
create or replace function free_allocations() returns trigger language plpgsql as $$
begin
  with pairs as (
    select a.credit_document, a.credit_line, a.invoice_document, a.invoice_line, sum(a.amount) as net,
           sum(a.amount) filter (where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)) as own,
           sum(a.invoice_worth) as invoice_worth, sum(a.credit_worth) as credit_worth,
           sum(a.invoice_worth) filter (where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)) as own_invoice_worth,
           sum(a.credit_worth) filter (where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)) as own_credit_worth
      from allocations a
     where a.organisation = new.organisation
       and (a.credit_document, a.invoice_document) in (select b.credit_document, b.invoice_document from allocations b
             where b.organisation = new.organisation and (b.cause = new.document or b.credit_document = new.document or b.invoice_document = new.document))
     group by 1, 2, 3, 4
  ), freed as (
    insert into allocations (organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, invoice_worth, credit_worth, date, cause, by)
      select new.organisation, gen_random_uuid(), credit_document, credit_line, invoice_document, invoice_line, -least(net, own),
             -case when net <= own then invoice_worth else own_invoice_worth end, -case when net <= own then credit_worth else own_credit_worth end,
             (select d.date from documents d where d.organisation = new.organisation and d.id = new.reversal), new.reversal, (to_jsonb(new) ->> 'by')::uuid
        from pairs where least(net, own) > 0
    returning credit_document, credit_line, invoice_document, invoice_line, amount
  )
  update open_items o set open = o.open + v.amount
    from (select document, line, sum(-amount) as amount from (select credit_document as document, credit_line as line, amount from freed union all select invoice_document, invoice_line, amount from freed) u group by document, line) v
   where o.organisation = new.organisation and o.document = v.document and o.line = v.line;
  return null;
end $$;

-- Value added tax abroad has a ledger of its own, in the books that are open already too.
insert into ledgers (organisation, id, code, name, "group", nature, role, schedule3, system)
  select g.organisation, gen_random_uuid(), '2264', 'Value added tax payable abroad', g.id, 'liability', 'vat_abroad', 'EL.4c', true from ledgers g
   where g.code = '2200' and g.is_group and not exists (select from ledgers l where l.organisation = g.organisation and upper(l.code) = '2264');
insert into posting_map (organisation, effect, ledger) select organisation, 'vatAbroad', id from ledgers where code = '2264' and not is_group on conflict do nothing;
