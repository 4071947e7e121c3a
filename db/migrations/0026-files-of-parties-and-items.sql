-- Files of a customer, a supplier or an item. A file is taken away for a reader, its bytes stay.
create table record_files (
  organisation int not null,
  record uuid not null,
  number int not null,
  digest text not null,
  name text not null,
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  removed_by uuid,
  removed_at timestamptz,
  primary key (organisation, record, number),
  foreign key (organisation, digest) references files,
  foreign key (organisation, by) references users,
  foreign key (organisation, removed_by) references users
);
grant select, insert, update on record_files to bahi_app;

-- No foreign key names two tables: a trigger holds that the party or the item is there. Neither is ever deleted.
create function beside_record() returns trigger
language plpgsql as $$
begin
  if not exists (select from parties where organisation = new.organisation and id = new.record)
    and not exists (select from items where organisation = new.organisation and id = new.record)
  then
    raise exception 'there is no record %', new.record using errcode = 'foreign_key_violation';
  end if;
  return new;
end
$$;
create trigger beside_record before insert or update of organisation, record on record_files
  for each row execute function beside_record();

create trigger log_change after insert or update or delete on record_files
  for each row execute function log_change();
alter table record_files enable row level security;
alter table record_files force row level security;
create policy tenant on record_files to bahi_app
using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on record_files to bahi_owner using (true) with check (true);

-- A file that a record has stays when a draft that had it too is deleted.
create or replace function draft_given_up() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  gone text[];
begin
  if exists (select from documents where organisation = old.organisation and id = old.id) then
    return null;
  end if;
  delete from document_comments
  where organisation = old.organisation and document = old.id;
  with taken as (
    delete from document_files
    where organisation = old.organisation and document = old.id
    returning digest
  )
  select array_agg(distinct digest) into gone
  from taken;
  if gone is not null then
    begin
      delete from files f
      where f.organisation = old.organisation
        and f.digest = any(gone)
        and not exists (
          select from document_files d
          where d.organisation = f.organisation and d.digest = f.digest
        )
        and not exists (select from record_files r where r.organisation = f.organisation and r.digest = f.digest)
        and not exists (select from mail_papers p where p.organisation = f.organisation and p.digest = f.digest)
        and not exists (
          select from item_pictures i
          where i.organisation = f.organisation and i.digest = f.digest
        )
        and not exists (
          select from organisations o
          where o.organisation = f.organisation and o.body ->> 'logo' = f.digest
        );
    exception
      when foreign_key_violation then
        null;
    end;
  end if;
  return null;
end
$$;
