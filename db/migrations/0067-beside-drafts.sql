-- What people write and put beside a document may begin with its draft. A draft and the document that it becomes have one id,
-- so everything stays where it is when the draft is posted. A draft that is given up takes it along: nobody could see it any
-- more. No foreign key names two tables, so a trigger holds that the draft or the document is there, and keeps the draft from
-- going meanwhile.
alter table document_comments drop constraint document_comments_organisation_document_fkey;
alter table document_files drop constraint document_files_organisation_document_fkey;

create function beside_something() returns trigger language plpgsql as $$
begin
  -- first the draft, under lock: what waits for its posting finds the document afterwards
  perform from drafts where organisation = new.organisation and id = new.document for key share;
  if not found and not exists (select from documents where organisation = new.organisation and id = new.document) then
    raise exception 'there is no document %', new.document using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger beside_something before insert or update of organisation, document on document_comments for each row execute function beside_something();
create trigger beside_something before insert or update of organisation, document on document_files for each row execute function beside_something();

-- The draft that was posted is a document by now. Bytes that nothing names any more go too, unless somebody is about to name them.
create function draft_given_up() returns trigger language plpgsql security definer set search_path = public as $$
declare gone text[];
begin
  if exists (select from documents where organisation = old.organisation and id = old.id) then return null; end if;
  delete from document_comments where organisation = old.organisation and document = old.id;
  with taken as (delete from document_files where organisation = old.organisation and document = old.id returning digest) select array_agg(distinct digest) into gone from taken;
  if gone is not null then
    begin
      delete from files f where f.organisation = old.organisation and f.digest = any(gone)
         and not exists (select from document_files d where d.organisation = f.organisation and d.digest = f.digest)
         and not exists (select from mail_papers p where p.organisation = f.organisation and p.digest = f.digest)
         and not exists (select from item_pictures i where i.organisation = f.organisation and i.digest = f.digest)
         and not exists (select from organisations o where o.organisation = f.organisation and o.body ->> 'logo' = f.digest);
    exception when foreign_key_violation then null;
    end;
  end if;
  return null;
end $$;
create trigger draft_given_up after delete on drafts for each row execute function draft_given_up();
