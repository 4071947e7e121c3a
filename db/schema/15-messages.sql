-- What goes out: jobs for the outside world, and mails.

-- A job for the outside world, written in the posting transaction and handed to the job library after the commit.
create table outbox (
  id bigint generated always as identity primary key,
  organisation int not null,
  task text not null,
  payload jsonb not null,
  key text,
  created_at timestamptz not null default now(),
  handed_at timestamptz
);
create index outbox_waiting on outbox (id) where handed_at is null;
create index outbox_age on outbox (handed_at) where handed_at is not null;
grant select, insert on outbox to bahi_app;

-- Mails of documents. The row is written with its job; a relay sends it, and what was sent is kept with its papers.
create table mails (
  organisation int not null references organisations,
  id uuid not null,
  recipients text[] not null check (cardinality(recipients) > 0),
  copies text[] not null default '{}',
  subject text not null,
  message text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts int not null default 0,
  error text,
  sent_at timestamptz,
  claimed_until timestamptz, -- while somebody sends it nobody else does; a process that died gives it free by time
  replaced_by uuid, -- sent again by hand: this one is not tried any more
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  foreign key (organisation, by) references users,
  foreign key (organisation, replaced_by) references mails,
  check ((state = 'sent') = (sent_at is not null))
);
grant select, insert, update on mails to bahi_app;

-- The documents of a mail in the order of its attachments. The paper is made when the mail is sent, and kept as it
-- was sent. A certificate of tax goes by mail as well: it is no document, its paper is made when it is asked for
-- and kept from then on.
create table mail_papers (
  organisation int not null,
  mail uuid not null,
  place int not null,
  document uuid,
  name text not null,
  digest text,
  certificate uuid,
  primary key (organisation, mail, place),
  unique (organisation, mail, document),
  foreign key (organisation, mail) references mails,
  foreign key (organisation, document) references documents,
  foreign key (organisation, digest) references files,
  foreign key (organisation, certificate) references tax_certificates,
  constraint mail_papers_of
    check ((document is null) <> (certificate is null) and (certificate is null or digest is not null))
);
create index mail_papers_document on mail_papers (organisation, document);
create index mail_papers_certificate on mail_papers (organisation, certificate) where certificate is not null;
grant select, insert, update on mail_papers to bahi_app;
