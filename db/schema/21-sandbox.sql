-- The government portals, pretended: what the stand-in remembers, shared by all processes. It belongs to no
-- organisation, the product never reads it, and the application role cannot: only the owner's pool is handed to the
-- stand-in.
create schema sandbox;

create sequence sandbox.acknowledgements start 112610000000001;

create sequence sandbox.way_numbers start 271000000001;

create table sandbox.keys (
  kid text primary key,
  purpose text not null check (purpose in ('login', 'signing')),
  private_key text not null,
  public_key text not null,
  place int generated always as identity -- the last one signs; older ones stay published
);

create table sandbox.logins (
  token text primary key,
  client text not null,
  user_name text not null,
  gstin text not null,
  session_key bytea not null,
  expires_at timestamptz not null,
  unique (client, user_name, gstin)
);

create table sandbox.synced (
  gstin text primary key
);

create table sandbox.invoices (
  irn text primary key,
  gstin text not null, -- the supplier
  caller text not null, -- the supplier, or the e-commerce operator that filed
  financial_year text not null,
  type text not null,
  number text not null, -- in capitals: abc and ABC are one number
  ack_no bigint not null unique,
  acked_at timestamptz not null,
  cancelled_at timestamptz,
  cancel_reason text,
  cancel_remarks text,
  payload jsonb not null,
  signed_invoice text not null,
  signed_qr text not null,
  unique (gstin, financial_year, type, number)
);

create table sandbox.way_bills (
  number bigint primary key,
  irn text references sandbox.invoices,
  generator text not null,
  doc_type text not null,
  doc_number text not null,
  financial_year text not null,
  transporter text,
  made_at timestamptz not null,
  distance int not null,
  part_b_at timestamptz,
  part_b_by text,
  valid_until timestamptz,
  extended int not null default 0,
  rejected_at timestamptz,
  cancelled_at timestamptz,
  body jsonb not null
);
create unique index way_bills_document
  on sandbox.way_bills (generator, doc_type, financial_year, doc_number)
  where cancelled_at is null;
create unique index way_bills_irn on sandbox.way_bills (irn) where cancelled_at is null;

create table sandbox.way_vehicles (
  number bigint not null references sandbox.way_bills on delete cascade,
  place int not null,
  entered_at timestamptz not null,
  entered_by text not null,
  details jsonb not null,
  primary key (number, place)
);

create table sandbox.faults (
  id int generated always as identity primary key,
  mode text not null,
  operations text[] not null,
  gstin text,
  remaining int, -- null: until it is taken back
  options jsonb not null default '{}'
);

create table sandbox.requests (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operation text not null,
  gstin text not null,
  fault text,
  answer text -- ok, a code, or null while it is held
);
