-- What was said to the portals and answered can be forged past the triggers, as can which documents a cost revision is
-- of: the edit log keeps both from now on, of requests and answers the digest. What is there at this moment is logged
-- as it is found.
-- A record as the log keeps it. What stands in `secret` is sealed under the master key with a number used once, so
-- that its digest tells nothing, not even whether two secrets are the same. What was said to a portal and answered is
-- long and is kept in its own table: the log has its digest. `search` follows from other columns.
create or replace function logged_record(record jsonb) returns jsonb
language sql immutable as $$
  select case
    when record ?| array['secret', 'request', 'response']
      then (record - array['secret', 'request', 'response', 'search']) || (
        select jsonb_object_agg(
          name || '_digest', encode(sha256(convert_to(record ->> name, 'UTF8')), 'hex')
        )
        from unnest(array['secret', 'request', 'response']) name
        where record ? name
      )
    else record - 'search'
  end
$$;

create or replace function log_change() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  old_row jsonb;
  new_row jsonb;
  one jsonb;
begin
  if tg_op <> 'INSERT' then
    old_row := to_jsonb(old);
    old_row := logged_record(old_row);
  end if;
  if tg_op <> 'DELETE' then
    new_row := to_jsonb(new);
    new_row := logged_record(new_row);
  end if;
  if old_row is not distinct from new_row then
    return null;
  end if;
  one := coalesce(new_row, old_row);
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  values
    (
      (one ->> 'organisation')::int, log_user(), log_origin(), lower(tg_op), tg_table_name,
      coalesce(
        one ->> 'id', one ->> 'document', one ->> 'target', one ->> 'effect', one ->> 'role', one ->> 'user', one ->> 'registration',
        one ->> 'organisation'
      ),
      old_row, new_row
    );
  return null;
end
$$;

create trigger log_change after insert on einvoice_attempts for each row execute function log_change();
create trigger log_change after insert on eway_attempts for each row execute function log_change();
create trigger log_change_new after insert on document_links
  for each row
  when (new.role = 'revision')
  execute function log_change();

insert into edit_log (organisation, origin, action, relation, row_id, after)
select organisation, log_origin(), 'insert', 'einvoice_attempts', document::text, logged_record(to_jsonb(a))
from einvoice_attempts a
order by organisation, document, attempt;
insert into edit_log (organisation, origin, action, relation, row_id, after)
select organisation, log_origin(), 'insert', 'eway_attempts', document::text, logged_record(to_jsonb(a))
from eway_attempts a
order by organisation, document, bill, attempt;
insert into edit_log (organisation, origin, action, relation, row_id, after)
select organisation, log_origin(), 'insert', 'document_links', target::text, to_jsonb(k)
from document_links k
where role = 'revision'
order by organisation, target, source;
