-- Foreign keys, keys and shelves are looked up by their index from the first row on: a plan that was made for a small table
-- would be kept while it grows. And movements are written with their parts, which the function of 0018 left out again.
do $$
declare
  known text := pg_get_functiondef('write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb)'::regprocedure);
begin
  if position('stated_value, room, batches, serials' in known) = 0 then execute replace(known, 'stated_value, room', 'stated_value, room, batches, serials'); end if;
end $$;
alter function open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[]) set enable_seqscan = off;
alter function write_documents(int, writing_document[], jsonb[], writing_line[], writing_entry[], writing_movement[], writing_shelf[], writing_open[], jsonb) set enable_seqscan = off;
