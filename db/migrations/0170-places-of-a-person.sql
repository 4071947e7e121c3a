-- Where somebody chose to work, in each organisation: remembered for the person, not for one browser. Nothing chosen, or null: all.
create table chosen_places (
  organisation int not null references organisations, "user" uuid not null, tax_location uuid, physical_location uuid,
  primary key (organisation, "user"), foreign key (organisation, "user") references users,
  foreign key (organisation, tax_location) references locations, foreign key (organisation, physical_location) references locations
);
create trigger log_change after insert or update or delete on chosen_places for each row execute function log_change();
alter table chosen_places enable row level security;
alter table chosen_places force row level security;
create policy tenant on chosen_places to bahi_app
  using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
  with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on chosen_places to bahi_owner using (true) with check (true);
grant select, insert, update, delete on chosen_places to bahi_app;
