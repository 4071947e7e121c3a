-- One shape for every kind of document, so that a new kind needs no migration. What an engine, a report or a
-- return reads is a column; what is only shown or printed is in body. Posted rows are written once.
create table drafts (
  organisation int not null references organisations, id uuid not null, kind text not null, body jsonb not null, author uuid not null,
  version int not null default 1, updated_at timestamptz not null default now(),
  primary key (organisation, id)
);
create index drafts_kind on drafts (organisation, kind, updated_at desc, id desc);

create table documents (
  organisation int not null references organisations, id uuid not null, kind text not null, numbering text not null,
  registration uuid not null, location uuid not null, to_location uuid,
  financial_year text not null, number text not null, series uuid,
  date date not null, due_date date,
  party uuid, party_name text not null default '', party_gstin text, party_state text, category text,
  place_of_supply text, supply_type text not null, reverse_charge boolean not null default false,
  currency text not null default 'INR', exchange_rate bigint not null default 1000000,
  taxable bigint not null, cgst bigint not null, sgst bigint not null, igst bigint not null, cess bigint not null,
  tcs bigint not null, tds bigint not null, round_off bigint not null, total bigint not null, payable bigint not null, foreign_total bigint not null,
  reference text, reverses uuid, author uuid not null, posted_at timestamptz not null default now(),
  body jsonb not null,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations, foreign key (organisation, location) references locations,
  foreign key (organisation, party) references parties, foreign key (organisation, reverses) references documents
);
-- Rule 46(b), and the portal since June 2025: unique in the year for a GSTIN, without case.
create unique index documents_number on documents (organisation, registration, financial_year, numbering, upper(number));
create unique index documents_reversal on documents (organisation, reverses) where reverses is not null;
create index documents_list on documents (organisation, kind, date desc, id desc);
create index documents_return on documents (organisation, registration, date);
create index documents_party on documents (organisation, party, date desc, id desc);

create table document_lines (
  organisation int not null, document uuid not null, line int not null, item uuid, ledger uuid, party uuid,
  description text not null, hsn text not null, unit text not null, service boolean not null,
  quantity bigint not null, base_quantity bigint not null, rate bigint not null, treatment text not null, gst_rate int not null,
  discount bigint not null, taxable bigint not null, value bigint not null, cgst bigint not null, sgst bigint not null, igst bigint not null, cess bigint not null,
  source_document uuid, source_line int, body jsonb not null default '{}',
  primary key (organisation, document, line),
  foreign key (organisation, document) references documents, foreign key (organisation, item) references items,
  foreign key (organisation, source_document, source_line) references document_lines
);
create index document_lines_source on document_lines (organisation, source_document, source_line) where source_document is not null;
create index document_lines_item on document_lines (organisation, item) where item is not null;

create table entries (
  organisation int not null, document uuid not null, leg int not null, date date not null, ledger uuid not null, party uuid,
  registration uuid not null, location uuid not null, cost_centre uuid,
  currency text, foreign_amount bigint, exchange_rate bigint,
  debit bigint not null default 0 check (debit >= 0), credit bigint not null default 0 check (credit >= 0),
  primary key (organisation, document, leg),
  foreign key (organisation, document) references documents, foreign key (organisation, ledger) references ledgers, foreign key (organisation, party) references parties,
  check ((debit = 0) <> (credit = 0))
);
create index entries_ledger on entries (organisation, ledger, date, document, leg) include (debit, credit);
create index entries_date on entries (organisation, date, document, leg);

create table movements (
  organisation int not null, document uuid not null, number int not null, line int not null, date date not null, sequence bigint not null,
  item uuid not null, location uuid not null, quantity bigint not null check (quantity <> 0),
  stated_value bigint, room uuid, batches jsonb, serials text[],
  primary key (organisation, document, number),
  foreign key (organisation, document) references documents, foreign key (organisation, item) references items, foreign key (organisation, location) references locations
);
create index movements_item on movements (organisation, item, location, date, sequence);
-- Cost of a movement, negative out; the highest revision counts. A back-dated movement adds revisions to later ones.
create table movement_costs (
  organisation int not null, document uuid not null, number int not null, revision int not null, cost bigint not null, cause uuid not null,
  primary key (organisation, document, number, revision), foreign key (organisation, document, number) references movements
);

create table document_links (
  organisation int not null, source uuid not null, target uuid not null, role text not null default 'source',
  primary key (organisation, source, target, role), foreign key (organisation, source) references documents, foreign key (organisation, target) references documents
);
create table cancellations (
  organisation int not null, document uuid not null, reversal uuid not null, reason text not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, document), unique (organisation, reversal),
  foreign key (organisation, document) references documents, foreign key (organisation, reversal) references documents
);
-- So much of a credit settles so much of an invoice. Taking it back is a row with the opposite amount.
create table allocations (
  organisation int not null, id uuid not null, credit_document uuid not null, invoice_document uuid not null, amount bigint not null check (amount <> 0),
  date date not null, cause uuid not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, id),
  foreign key (organisation, credit_document) references documents, foreign key (organisation, invoice_document) references documents
);
create index allocations_credit on allocations (organisation, credit_document);
create index allocations_invoice on allocations (organisation, invoice_document);
create table later_facts (
  organisation int not null, document uuid not null, number int not null, fact text not null, body jsonb not null, by uuid not null, at timestamptz not null default now(),
  primary key (organisation, document, number), foreign key (organisation, document) references documents
);

create table einvoices (
  organisation int not null, document uuid not null, state text not null, irn text, ack_no text, ack_date text, signed_invoice text, signed_qr text,
  error_code text, error text, attempts int not null default 0, cancelled_at timestamptz, cancel_reason text, version int not null default 1, updated_at timestamptz not null default now(),
  primary key (organisation, document), foreign key (organisation, document) references documents
);
create unique index einvoices_irn on einvoices (organisation, irn) where irn is not null;
create index einvoices_state on einvoices (organisation, state, document);
create table einvoice_attempts (
  organisation int not null, document uuid not null, attempt int not null, at timestamptz not null default now(), what text not null, outcome text not null, code text, message text, request text, response text,
  primary key (organisation, document, attempt), foreign key (organisation, document) references documents
);

-- Projections: kept in the posting transaction, rebuilt by the invariants' command, never a second truth.
create table open_items (
  organisation int not null, document uuid not null, party uuid not null, side text not null, date date not null, due_date date, currency text not null, original bigint not null, open bigint not null check (open >= 0 and open <= original),
  primary key (organisation, document), foreign key (organisation, document) references documents, foreign key (organisation, party) references parties
);
create index open_items_party on open_items (organisation, party, side, date) where open > 0;
create table item_balances (
  organisation int not null, item uuid not null, location uuid not null, quantity bigint not null, value bigint not null,
  layers bigint[] not null default '{}',  -- FIFO: quantity and value in turn, oldest first
  last_date date, check (quantity <> 0 or value = 0),
  primary key (organisation, item, location), foreign key (organisation, item) references items, foreign key (organisation, location) references locations
) with (fillfactor = 70);
create table ledger_day_totals (
  organisation int not null, ledger uuid not null, location uuid not null, day date not null, slot smallint not null, debit bigint not null, credit bigint not null,
  primary key (organisation, ledger, location, day, slot), foreign key (organisation, ledger) references ledgers
) with (fillfactor = 50);
create index ledger_day_totals_day on ledger_day_totals (organisation, day);
create table ledger_month_totals (
  organisation int not null, ledger uuid not null, location uuid not null, month date not null, slot smallint not null, debit bigint not null, credit bigint not null,
  primary key (organisation, ledger, location, month, slot), foreign key (organisation, ledger) references ledgers
) with (fillfactor = 50);

create table idempotency_keys (
  organisation int not null references organisations, "user" uuid not null, key uuid not null, digest bytea not null, answer jsonb not null, at timestamptz not null default now(),
  primary key (organisation, "user", key)
);
