-- A document may open more than one item: each line of an opening balance, or of a journal, that stands on the account of a
-- party is due, or to be used, by itself, under the number and dates of the bill it was. Line 0 is the document as a whole.
alter table open_items add column line int not null default 0 check (line >= 0), add column reference text, drop constraint open_items_pkey, add primary key (organisation, document, line);
alter table allocations add column credit_line int not null default 0, add column invoice_line int not null default 0;
alter type writing_open add attribute line int, add attribute reference text;

-- The functions of posting as they are by now, but for the lines of open items.
do $$
declare
  changes text[][] := array[
    ['write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)',
     'due_date, currency, original, open) select org, document, party, side, date, due_date, currency, original, original from unnest(o)',
     'due_date, currency, original, open, line, reference) select org, document, party, side, date, due_date, currency, original, original, line, reference from unnest(o)'],
    ['write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)',
     'insert into allocations (organisation, id, credit_document, invoice_document, amount, date, cause, by)
          select org, id, credit, invoice, amount, date, cause, author from jsonb_to_recordset(rest -> ''allocations'') x(id uuid, credit uuid, invoice uuid, amount bigint,',
     'insert into allocations (organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, date, cause, by)
          select org, id, credit, "creditLine", invoice, "invoiceLine", amount, date, cause, author from jsonb_to_recordset(rest -> ''allocations'') x(id uuid, credit uuid, "creditLine" int, invoice uuid, "invoiceLine" int, amount bigint,'],
    ['write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)',
     'from (select document, sum(amount) as amount from (select credit as document, amount from jsonb_to_recordset(rest -> ''allocations'') x(credit uuid, amount bigint) union all select invoice, amount from jsonb_to_recordset(rest -> ''allocations'') x(invoice uuid, amount bigint)) u group by document) v
       where i.organisation = org and i.document = v.document;',
     'from (select document, line, sum(amount) as amount from (select credit as document, "creditLine" as line, amount from jsonb_to_recordset(rest -> ''allocations'') x(credit uuid, "creditLine" int, amount bigint) union all select invoice, "invoiceLine", amount from jsonb_to_recordset(rest -> ''allocations'') x(invoice uuid, "invoiceLine" int, amount bigint)) u group by document, line) v
       where i.organisation = org and i.document = v.document and i.line = v.line;'],
    ['open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[])',
     'select o.document, o.party, o.side, o.currency, o.open, d.number, d.exchange_rate, d.date from open_items o',
     'select o.document, o.line, o.party, o.side, o.currency, o.open, coalesce(o.reference, d.number) as number, d.exchange_rate, d.date from open_items o'],
    ['open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[])',
     'order by o.document for update of o', 'order by o.document, o.line for update of o']];
  known text; written text;
begin
  for n in 1 .. array_length(changes, 1) loop
    known := pg_get_functiondef(changes[n][1]::regprocedure);
    written := replace(known, changes[n][2], changes[n][3]);
    if written = known then raise exception '% does not hold what is to change: %', changes[n][1], changes[n][2]; end if;
    execute written;
  end loop;
end $$;

-- As before, line by line.
create or replace function free_allocations() returns trigger language plpgsql as $$
begin
  with pairs as (
    select a.credit_document, a.credit_line, a.invoice_document, a.invoice_line, sum(a.amount) as net,
           sum(a.amount) filter (where a.cause = new.document or new.document in (a.credit_document, a.invoice_document)) as own
      from allocations a
     where a.organisation = new.organisation
       and (a.credit_document, a.invoice_document) in (select b.credit_document, b.invoice_document from allocations b
             where b.organisation = new.organisation and (b.cause = new.document or b.credit_document = new.document or b.invoice_document = new.document))
     group by 1, 2, 3, 4
  ), freed as (
    insert into allocations (organisation, id, credit_document, credit_line, invoice_document, invoice_line, amount, date, cause, by)
      select new.organisation, gen_random_uuid(), credit_document, credit_line, invoice_document, invoice_line, -least(net, own), (select d.date from documents d where d.organisation = new.organisation and d.id = new.reversal), new.reversal, (to_jsonb(new) ->> 'by')::uuid
        from pairs where least(net, own) > 0
    returning credit_document, credit_line, invoice_document, invoice_line, amount
  )
  update open_items o set open = o.open + v.amount
    from (select document, line, sum(-amount) as amount from (select credit_document as document, credit_line as line, amount from freed union all select invoice_document, invoice_line, amount from freed) u group by document, line) v
   where o.organisation = new.organisation and o.document = v.document and o.line = v.line;
  return null;
end $$;
