-- Mails of documents. The row is written with its job; a relay sends it, and what was sent is kept with its papers.
create table mails (
  organisation int not null references organisations, id uuid not null,
  recipients text[] not null check (cardinality(recipients) > 0), copies text[] not null default '{}', subject text not null, message text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts int not null default 0, error text, sent_at timestamptz,
  claimed_until timestamptz,              -- while somebody sends it nobody else does; a process that died gives it free by time
  replaced_by uuid,                       -- sent again by hand: this one is not tried any more
  by uuid not null, at timestamptz not null default now(),
  primary key (organisation, id), foreign key (organisation, by) references users, foreign key (organisation, replaced_by) references mails,
  check ((state = 'sent') = (sent_at is not null))
);
-- The documents of a mail in the order of its attachments. The paper is made when the mail is sent, and kept as it was sent.
create table mail_papers (
  organisation int not null, mail uuid not null, place int not null, document uuid not null, name text not null, digest text,
  primary key (organisation, mail, place), unique (organisation, mail, document),
  foreign key (organisation, mail) references mails, foreign key (organisation, document) references documents, foreign key (organisation, digest) references files
);
create index mail_papers_document on mail_papers (organisation, document);

create trigger log_change after insert or update or delete on mails for each row execute function log_change();
create trigger log_change after insert or update or delete on mail_papers for each row execute function log_change();
do $$
declare name text;
begin
  foreach name in array array['mails', 'mail_papers'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to bahi_app using (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int)) with check (organisation = (select nullif(current_setting(''app.organisation'', true), '''')::int))', name);
    execute format('create policy sweep on %I to bahi_owner using (true) with check (true)', name);
  end loop;
end $$;
grant select, insert, update on mails, mail_papers to bahi_app;
