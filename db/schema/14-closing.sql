-- Closing a year, and restating balances in other currencies at the rate of a day.

-- A year that has ended is closed by one document of the product, which can be taken back for a reason as long as no
-- later year is closed. `document` is empty when the year had neither income nor expense.
create table year_closings (
  organisation int not null references organisations,
  year text not null check (year ~ '^\d{4}-\d{2}$'),
  attempt int not null,
  closed_through date not null,
  profit bigint not null,
  document uuid,
  locked_before date,
  by uuid not null,
  at timestamptz not null default now(),
  reopened_by uuid,
  reopened_at timestamptz,
  reopen_reason text,
  reversal uuid,
  primary key (organisation, year, attempt),
  foreign key (organisation, document) references documents,
  foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users,
  foreign key (organisation, reopened_by) references users,
  check ((reopened_at is null) = (reopened_by is null) and (reopened_at is null) = (reopen_reason is null))
);
create unique index year_closings_closed on year_closings (organisation, year) where reopened_at is null;
create index year_closings_document on year_closings (organisation, closed_through);
grant select, insert, update on year_closings to bahi_app;

-- Open foreign balances brought to the rate of a day: the journal, the one that takes it back on the next day, and
-- what it was worked out from, document by document.
create table exchange_revaluations (
  organisation int not null references organisations,
  id uuid not null,
  as_of date not null,
  location uuid not null,
  journal uuid not null,
  reversal uuid, -- none for money in another currency: what is restated on its own ledger stays
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, journal),
  unique (organisation, reversal),
  foreign key (organisation, location) references locations,
  foreign key (organisation, journal) references documents,
  foreign key (organisation, reversal) references documents,
  foreign key (organisation, by) references users
);
grant select, insert on exchange_revaluations to bahi_app;

create table exchange_revaluation_lines (
  organisation int not null,
  revaluation uuid not null,
  document uuid not null,
  line int not null,
  currency text not null,
  open bigint not null,
  worth bigint not null,
  rate bigint not null,
  difference bigint not null,
  primary key (organisation, revaluation, document, line),
  foreign key (organisation, revaluation) references exchange_revaluations,
  foreign key (organisation, document) references documents
);
grant select, insert on exchange_revaluation_lines to bahi_app;

create table exchange_revaluation_money (
  organisation int not null,
  revaluation uuid not null,
  ledger uuid not null,
  currency text not null,
  balance bigint not null,
  worth bigint not null,
  rate bigint,
  difference bigint not null,
  primary key (organisation, revaluation, ledger),
  foreign key (organisation, revaluation) references exchange_revaluations,
  foreign key (organisation, ledger) references ledgers
);
grant select, insert on exchange_revaluation_money to bahi_app;

-- A restatement at the rates of a day looks at what was restated before and posts several journals, each in a
-- transaction of its own. Several people who do so at the same moment would restate the same balances. So each
-- restatement has a turn: all who saw the same books try to post the same first journal, and the key of documents
-- lets one of them.
create table exchange_revaluation_turns (
  organisation int not null references organisations,
  turn int not null,
  journal uuid not null,
  done_at timestamptz,
  primary key (organisation, turn),
  unique (organisation, journal)
);
grant select, insert, update on exchange_revaluation_turns to bahi_app;
