-- What banks say of their accounts: statement lines as they were read, when an entry of the books went through the
-- bank, and what to make of lines that the books do not have yet. Entries themselves are never touched.

-- How the statements of one bank are read: which heading holds what.
create table bank_formats (
  organisation int not null references organisations,
  ledger uuid not null,
  format jsonb not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, ledger),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, by) references users
);
grant select, insert, update on bank_formats to bahi_app;

-- A line of a statement; above nothing: money came in. Alike lines of one day differ by their occurrence,
-- so that a statement that is read twice, or overlaps with another, adds nothing twice.
create table bank_lines (
  organisation int not null references organisations,
  id uuid not null,
  ledger uuid not null,
  date date not null,
  amount bigint not null check (amount <> 0),
  text text not null,
  reference text not null default '',
  balance bigint,
  digest bytea not null,
  occurrence int not null check (occurrence > 0),
  place int not null,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, ledger, digest, occurrence),
  unique (organisation, ledger, id),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, by) references users
);
create index bank_lines_date on bank_lines (organisation, ledger, date);
grant select, insert on bank_lines to bahi_app;

-- An entry on the ledger of a bank went through it on this day, by this line of a statement; without one the day
-- was typed.
create table bank_clearings (
  organisation int not null,
  document uuid not null,
  leg int not null,
  ledger uuid not null,
  bank_date date not null,
  line uuid,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, document, leg),
  foreign key (organisation, document, leg) references entries,
  foreign key (organisation, ledger, line) references bank_lines (organisation, ledger, id),
  foreign key (organisation, by) references users
);
create index bank_clearings_line on bank_clearings (organisation, line) where line is not null;
create index bank_clearings_ledger on bank_clearings (organisation, ledger, bank_date);
grant select, insert, delete on bank_clearings to bahi_app;

-- Lines whose text holds this become such a document.
create table bank_rules (
  organisation int not null references organisations,
  id uuid not null,
  ledger uuid,
  holds text not null check (holds <> ''),
  way text not null,
  party uuid,
  counter uuid,
  narration text not null default '',
  version int not null default 1,
  by uuid not null,
  at timestamptz not null default now(),
  -- Rules of a bank are asked in their order.
  place int not null default 0,
  primary key (organisation, id),
  foreign key (organisation, ledger) references ledgers,
  foreign key (organisation, counter) references ledgers,
  foreign key (organisation, party) references parties,
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on bank_rules to bahi_app;

-- What went through the bank happened: it is cancelled only after its clearing was taken back.
create function refuse_cleared() returns trigger
language plpgsql as $$
begin
  if exists (
    select from bank_clearings c
    where c.organisation = new.organisation and c.document = new.document
  ) then
    raise exception 'a document that went through the bank'
      using errcode = '23514', constraint = 'cancellations_cleared';
  end if;
  return new;
end
$$;
create trigger refuse_cleared before insert on cancellations for each row execute function refuse_cleared();
