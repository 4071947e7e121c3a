-- A bank account or a cash box may be kept in another currency: what moves it moves so much of that currency too. What stands
-- on it is money that is there, so it is brought to the rate of a day on the ledger itself and stays so (AS 11), while open
-- balances of parties are restated beside their accounts and taken back.
alter table ledgers add column currency text check (currency ~ '^[A-Z]{3}$' and currency <> 'INR');
create index entries_foreign on entries (organisation, ledger, date) include (location, registration, debit, credit, foreign_amount) where currency is not null;

-- Every posting knows them with what else it knows of the house.
do $$
declare known text := pg_get_functiondef('house_facts(int)'::regprocedure); made text;
begin
  made := replace(known, '''transit'',', '''currencies'', (select coalesce(json_object_agg(id, currency), ''{}'') from ledgers where organisation = org and currency is not null), ''transit'',');
  if made = known then raise exception 'house_facts does not read the transit as expected'; end if;
  execute made;
end $$;
-- What changes on a ledger is known to every posting already; a new one is, when it has a currency.
create constraint trigger ledger_in_a_currency after insert on ledgers deferrable initially deferred for each row when (new.currency is not null) execute function masters_changed();

-- What stays has no document that takes it back.
alter table exchange_revaluations alter column reversal drop not null;
create table exchange_revaluation_money (
  organisation int not null, revaluation uuid not null, ledger uuid not null, currency text not null, balance bigint not null, worth bigint not null, rate bigint, difference bigint not null,
  primary key (organisation, revaluation, ledger), foreign key (organisation, revaluation) references exchange_revaluations, foreign key (organisation, ledger) references ledgers
);
create trigger log_change after insert or update or delete on exchange_revaluation_money for each row execute function log_change();
alter table exchange_revaluation_money enable row level security;
alter table exchange_revaluation_money force row level security;
create policy tenant on exchange_revaluation_money to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on exchange_revaluation_money to bahi_owner using (true) with check (true);
grant select, insert on exchange_revaluation_money to bahi_app;
