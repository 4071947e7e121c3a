-- Approval of documents. The rules are settings of the organisation. A draft that its author has sent for approval is locked: it is
-- withdrawn, rejected with a comment, or posted by somebody else, and what was posted so has a row of its own that says who
-- approved it. The locks stand here too, so that there is no way round the calls.
alter table drafts
  add column submitted_at timestamptz, add column rejected_at timestamptz, add column rejected_by uuid, add column rejection text not null default '',
  add foreign key (organisation, rejected_by) references users,
  add constraint drafts_state check (submitted_at is null or rejected_at is null),
  add constraint drafts_rejected check ((rejected_at is null) = (rejected_by is null) and (rejected_at is null) = (rejection = '')),
  add constraint drafts_own_rejection check (rejected_by <> author);
create index drafts_waiting on drafts (organisation, kind, submitted_at) where submitted_at is not null;

-- Written in the transaction that posts, before its document: that comes at the end of it.
create table approvals (
  organisation int not null, document uuid not null, submitted_by uuid not null, submitted_at timestamptz not null, approved_by uuid not null, at timestamptz not null default clock_timestamp(),
  primary key (organisation, document), foreign key (organisation, document) references documents deferrable initially deferred,
  foreign key (organisation, submitted_by) references users, foreign key (organisation, approved_by) references users,
  constraint approvals_own check (approved_by <> submitted_by)
);
create trigger written_once before update or delete or truncate on approvals for each statement execute function written_once();
create trigger log_change after insert on approvals for each row execute function log_change();
alter table approvals enable row level security;
alter table approvals force row level security;
create policy tenant on approvals to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on approvals to bahi_owner using (true) with check (true);
grant select, insert on approvals to bahi_app;

-- What is approved was sent for approval by its author, and is held until it is posted.
create function approval_of_draft() returns trigger language plpgsql as $$
begin
  perform from drafts where organisation = new.organisation and id = new.document and author = new.submitted_by and submitted_at = new.submitted_at for update;
  if not found then raise exception 'this draft does not wait for approval' using errcode = 'check_violation', constraint = 'approvals_of_draft'; end if;
  return new;
end $$;
create trigger approval_of_draft before insert on approvals for each row execute function approval_of_draft();

-- While it waits nothing of it changes but that it waits; it goes only when it is posted with its approval.
create function draft_waits() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.organisation, new.id, new.kind, new.author, new.body) is not distinct from (old.organisation, old.id, old.kind, old.author, old.body) then return new; end if;
  elsif exists (select from approvals where organisation = old.organisation and document = old.id) then return old;
  end if;
  raise exception 'this draft waits for approval' using errcode = 'check_violation', constraint = 'drafts_waiting';
end $$;
create trigger draft_waits before update or delete on drafts for each row when (old.submitted_at is not null) execute function draft_waits();

-- Who sent what for approval, withdrew or rejected it is told by the edit log; what is typed in between is not.
create trigger log_change after update on drafts for each row
  when (old.submitted_at is distinct from new.submitted_at or old.rejected_at is distinct from new.rejected_at) execute function log_change();
