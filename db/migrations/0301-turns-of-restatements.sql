-- A restatement at the rates of a day looks at what was restated before and posts several journals, each in a transaction of its
-- own. Several people who do so at the same moment would restate the same balances. So each restatement has a turn: all who saw
-- the same books try to post the same first journal, and the key of documents lets one of them.
create table exchange_revaluation_turns (
  organisation int not null references organisations,
  turn int not null,
  journal uuid not null,
  done_at timestamptz,
  primary key (organisation, turn),
  unique (organisation, journal)
);
create trigger log_change after insert or update or delete on exchange_revaluation_turns
  for each row execute function log_change();
alter table exchange_revaluation_turns enable row level security;
alter table exchange_revaluation_turns force row level security;
create policy tenant on exchange_revaluation_turns to bahi_app
  using (organisation = (select nullif(current_setting('app.organisation', true), '')::int))
  with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on exchange_revaluation_turns to bahi_owner using (true) with check (true);
grant select, insert, update on exchange_revaluation_turns to bahi_app;
