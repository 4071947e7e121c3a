-- A draft that waits for approval names its items and its party, and these may change meanwhile. So it keeps the figures that
-- it was sent with, and is posted with the same ones or not at all: `figures` holds its amounts in paise by their names, and
-- `digest`, the SHA-256 of all that they come from. What was approved keeps them too. What waits already was sent without:
-- nothing is known of it, and it is sent again.
alter table drafts add column figures jsonb;
update drafts set figures = '{}' where submitted_at is not null;
alter table drafts add constraint drafts_figures check ((submitted_at is null) = (figures is null));
alter table approvals add column figures jsonb;

-- While it waits nothing of it changes but that it waits; it goes only when it is posted with its approval.
create or replace function draft_waits() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.organisation, new.id, new.kind, new.author, new.body)
         is not distinct from (old.organisation, old.id, old.kind, old.author, old.body)
       and (new.submitted_at is null or new.figures is not distinct from old.figures) then
      return new;
    end if;
  elsif exists (select from approvals where organisation = old.organisation and document = old.id) then
    return old;
  end if;
  raise exception 'this draft waits for approval' using errcode = 'check_violation', constraint = 'drafts_waiting';
end $$;

-- What is approved was sent for approval by its author, with these figures, and is held until it is posted.
create or replace function approval_of_draft() returns trigger language plpgsql as $$
begin
  perform
     from drafts
    where organisation = new.organisation
      and id = new.document
      and author = new.submitted_by
      and submitted_at = new.submitted_at
      and figures = new.figures
      for update;
  if not found then
    raise exception 'this draft does not wait for approval'
      using errcode = 'check_violation', constraint = 'approvals_of_draft';
  end if;
  return new;
end $$;
