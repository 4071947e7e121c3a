-- The books have one door (ADR 43). Documents, lines, entries, movements and the ledgers' totals are written by write_documents
-- alone, under its owner's role, so the application needs no right to write one of them past its number, its totals and its proofs.
-- Policies of a role are proved by each statement inside; at the door the organisation is compared once. A posting from memory is
-- a transaction of its own and names its organisation itself.
do $$
declare
  known text := pg_get_functiondef('write_documents(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)'::regprocedure);
  guarded text := replace(known, '
  elsif cardinality(b) > 0 then', '
  elsif org is distinct from nullif(current_setting(''app.organisation'', true), '''')::int then
    raise exception ''another organisation'' using errcode = ''insufficient_privilege'';
  elsif cardinality(b) > 0 then');
begin
  if guarded = known then raise exception 'write_documents does not begin as expected'; end if;
  execute guarded;
end $$;
alter function write_documents(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)
  security definer set search_path = public;
revoke all on function write_documents(int, uuid, bigint, date, writing_shelf[], writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb) from public;
revoke insert on documents, document_lines, entries, movements from bahi_app;
revoke insert, update on ledger_day_totals, ledger_month_totals from bahi_app;
