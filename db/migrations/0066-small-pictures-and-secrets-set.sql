-- Small pictures of items for lists and pickers, made when a picture is kept; and of secrets, how often each was set to
-- another one and who did it, so that a form can say that somebody else has changed one: nothing of what it is.

-- By the picture they are of. Not in the log: they say nothing that the picture does not.
create table thumbnails (
  organisation int not null, digest text not null, bytes bytea not null,
  primary key (organisation, digest), foreign key (organisation, digest) references files on delete cascade
);
alter table thumbnails enable row level security;
alter table thumbnails force row level security;
create policy tenant on thumbnails to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on thumbnails to bahi_owner using (true) with check (true);
grant select, insert on thumbnails to bahi_app;

alter table credentials add column marks jsonb not null default '{}', add column set_by uuid, add foreign key (organisation, set_by) references users;
alter table payment_gateways add column marks jsonb not null default '{}', add column set_by uuid, add foreign key (organisation, set_by) references users;
