-- The books of account: entries, and the totals of ledgers by day and month.

create table entries (
  organisation int not null,
  document uuid not null,
  leg int not null,
  date date not null,
  ledger uuid not null,
  party uuid,
  registration uuid not null,
  location uuid not null,
  cost_centre uuid,
  currency text,
  foreign_amount bigint,
  exchange_rate bigint,
  debit bigint not null default 0 check (debit >= 0),
  credit bigint not null default 0 check (credit >= 0),
  primary key (organisation, document, leg),
  foreign key (organisation, document) references documents,
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, party) references parties,
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, location) references locations,
  foreign key (organisation, cost_centre) references cost_centres,
  check ((debit = 0) <> (credit = 0))
);
create index entries_ledger on entries (organisation, ledger, date, document, leg) include (debit, credit);
create index entries_date on entries (organisation, date, document, leg);
create index entries_foreign
  on entries (organisation, ledger, date) include (location, registration, debit, credit, foreign_amount)
  where currency is not null;
grant select on entries to bahi_app;

-- Totals are kept with the entries that they sum, in slots, so that postings at the same moment need not wait for one
-- row.
create table ledger_day_totals (
  organisation int not null,
  ledger uuid not null,
  location uuid not null,
  day date not null,
  slot smallint not null,
  debit bigint not null,
  credit bigint not null,
  primary key (organisation, ledger, location, day, slot),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, location) references locations
) with (fillfactor = 50);
create index ledger_day_totals_day on ledger_day_totals (organisation, day);
grant select on ledger_day_totals to bahi_app;

create table ledger_month_totals (
  organisation int not null,
  ledger uuid not null,
  location uuid not null,
  month date not null,
  slot smallint not null,
  debit bigint not null,
  credit bigint not null,
  primary key (organisation, ledger, location, month, slot),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, location) references locations
) with (fillfactor = 50);
grant select on ledger_month_totals to bahi_app;

-- The entries of a document sum to nothing. Asked by statement, one check for a whole batch: a statement that adds
-- entries to a document brings its first leg, and there is but one, so all entries of a document come with that
-- statement, and what balances in it balances in the table.
create function entries_balance() returns trigger
language plpgsql as $$
declare
  bad record;
begin
  select document, sum(debit) - sum(credit) as gap, count(*) as legs into bad
  from added
  group by organisation, document
  having sum(debit) <> sum(credit) or count(*) < 2 or min(leg) <> 1
  limit 1;
  if found then
    raise exception 'document % has % legs and is out by % paise', bad.document, bad.legs, bad.gap
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger entries_balance after insert on entries
  referencing new table as added
  for each statement execute function entries_balance();
