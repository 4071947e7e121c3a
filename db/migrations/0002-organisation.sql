-- The organisation, its people and its masters. Every table starts with the organisation in its keys, so that
-- the schema can be distributed by it, and row-level security is forced on all of them (see 0004).
create table organisations (
  organisation int generated always as identity primary key,
  code text not null unique,
  name text not null,
  body jsonb not null default '{}',
  settings jsonb not null default '{}',   -- the general configuration
  version int not null default 1,
  created_at timestamptz not null default now()
);

create table users (
  organisation int not null references organisations,
  id uuid not null,
  person uuid not null references people,
  email text not null,
  name text not null,
  limits jsonb not null default '{}',
  last_sign_in timestamptz,
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id),
  unique (organisation, person)
);
create index users_person on users (person);

create table roles (
  organisation int not null references organisations, id uuid not null, name text not null, type_name text not null default '',
  version int not null default 1, active boolean not null default true,
  primary key (organisation, id)
);
create unique index roles_name on roles (organisation, lower(name));
create table role_grants (
  organisation int not null, role uuid not null, screen int not null, level int not null check (level in (5000, 5001, 5002, 5003)),
  primary key (organisation, role, screen), foreign key (organisation, role) references roles on delete cascade
);
create table user_roles (
  organisation int not null, "user" uuid not null, role uuid not null,
  primary key (organisation, "user", role),
  foreign key (organisation, "user") references users, foreign key (organisation, role) references roles
);

create table registrations (
  organisation int not null references organisations, id uuid not null, gstin text, state text not null, legal_name text not null,
  trade_name text not null default '', kind text not null, body jsonb not null default '{}',
  version int not null default 1, active boolean not null default true,
  primary key (organisation, id)
);
create unique index registrations_gstin on registrations (organisation, gstin) where gstin is not null;

create table locations (
  organisation int not null references organisations, id uuid not null, code text not null, name text not null, registration uuid not null,
  is_tax boolean not null default true, is_physical boolean not null default true, is_transit boolean not null default false,
  body jsonb not null default '{}', version int not null default 1, active boolean not null default true,
  primary key (organisation, id), foreign key (organisation, registration) references registrations
);
create unique index locations_code on locations (organisation, upper(code));
create table user_locations (
  organisation int not null, "user" uuid not null, location uuid not null,
  primary key (organisation, "user", location),
  foreign key (organisation, "user") references users, foreign key (organisation, location) references locations
);

create table ledgers (
  organisation int not null references organisations, id uuid not null, code text not null, name text not null,
  "group" uuid, is_group boolean not null default false,
  nature text not null check (nature in ('asset', 'liability', 'equity', 'income', 'expense')),
  role text, schedule3 text, is_bank boolean not null default false, system boolean not null default false,
  body jsonb not null default '{}', version int not null default 1, active boolean not null default true,
  primary key (organisation, id), foreign key (organisation, "group") references ledgers
);
create unique index ledgers_code on ledgers (organisation, upper(code));
create table posting_map (
  organisation int not null references organisations, effect text not null, ledger uuid not null, version int not null default 1,
  primary key (organisation, effect), foreign key (organisation, ledger) references ledgers
);

create table parties (
  organisation int not null references organisations, id uuid not null, code text not null, name text not null,
  side text not null check (side in ('customer', 'supplier', 'both')),
  category text not null, gstin text, pan text, state text not null, country text not null default 'IN', currency text not null default 'INR',
  credit_limit bigint, credit_days int not null default 0, search text not null,
  body jsonb not null default '{}', version int not null default 1, active boolean not null default true,
  primary key (organisation, id)
);
create unique index parties_code on parties (organisation, upper(code));
create index parties_name on parties (organisation, lower(name), id);
create index parties_search on parties using gin (organisation, search gin_trgm_ops);

create table items (
  organisation int not null references organisations, id uuid not null, sku text not null, name text not null,
  service boolean not null, stocked boolean not null, hsn text not null, unit text not null,
  treatment text not null, gst_rate int not null, cess_rate int not null default 0, cess_per_unit bigint not null default 0, retail_price bigint,
  sale_rate bigint, purchase_rate bigint, income_ledger uuid, expense_ledger uuid, credit_blocked boolean not null default false, scrap boolean not null default false,
  barcode text, search text not null,
  body jsonb not null default '{}', version int not null default 1, active boolean not null default true,
  primary key (organisation, id),
  foreign key (organisation, income_ledger) references ledgers, foreign key (organisation, expense_ledger) references ledgers
);
create unique index items_sku on items (organisation, upper(sku));
create unique index items_barcode on items (organisation, barcode) where barcode is not null;
create index items_name on items (organisation, lower(name), id);
create index items_search on items using gin (organisation, search gin_trgm_ops);

-- Masters that no engine joins; their shape is checked by the contract.
create table masters (
  organisation int not null references organisations, master text not null, id uuid not null, code text not null, name text not null,
  body jsonb not null default '{}', version int not null default 1, active boolean not null default true,
  primary key (organisation, id)
);
create unique index masters_code on masters (organisation, master, upper(code));
create index masters_name on masters (organisation, master, lower(name), id);

create table number_series (
  organisation int not null references organisations, id uuid not null, name text not null, kind text not null, registration uuid not null, location uuid,
  prefix text not null, suffix text not null default '', padding int not null default 4, start int not null default 1, reset text not null default 'year',
  version int not null default 1, active boolean not null default true,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations, foreign key (organisation, location) references locations
);
create index number_series_kind on number_series (organisation, registration, kind);
-- The row that posting locks last. One per series and period.
create table series_counters (
  organisation int not null, series uuid not null, period text not null, next int not null,
  primary key (organisation, series, period), foreign key (organisation, series) references number_series
) with (fillfactor = 50);

create table locks (
  organisation int not null references organisations, locked_through date, reason text not null default '', by uuid, at timestamptz not null default now(),
  primary key (organisation)
);

create table credentials (
  organisation int not null, registration uuid not null, client_id text not null, user_name text not null, secret bytea not null,
  set_at timestamptz not null default now(), last_ok timestamptz, last_error text, version int not null default 1,
  primary key (organisation, registration), foreign key (organisation, registration) references registrations
);
create table notifications (
  organisation int not null references organisations, id uuid not null, "user" uuid, message text not null, link text, action_type int,
  at timestamptz not null default now(), dismissed_at timestamptz,
  primary key (organisation, id)
);
create table files (
  organisation int not null references organisations, digest text not null, bytes bytea not null, type text not null, name text not null, at timestamptz not null default now(),
  primary key (organisation, digest)
);
