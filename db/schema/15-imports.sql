-- What comes in from files: an import, the pieces of its file while it is read, its rows, and how columns were mapped. An
-- import writes records by the code that a form goes through, so each of them is in the edit log; these tables say how far it is.

create table imports (
  organisation int not null references organisations,
  id uuid not null,
  master text not null,
  name text not null,
  pasted boolean not null default false,
  state text not null default 'receiving'
    check (
      state in (
        'receiving', 'reading', 'mapping', 'checking', 'checked', 'importing', 'paused', 'done', 'cancelled', 'failed',
        'undoing', 'undone'
      )
    ),
  version int not null default 1,
  size bigint not null check (size >= 0),
  heading_row int not null default 0,
  headings text[] not null default '{}',
  -- the target of each column, or null where it means nothing
  columns jsonb not null default '[]',
  -- whether the columns are as they were mapped before
  remembered boolean not null default false,
  existing text not null default 'keep' check (existing in ('keep', 'change')),
  rows int not null default 0,
  -- the last row that is done in the state it is in: after a kill the next piece begins behind it
  at_row int not null default 0,
  problem jsonb,
  by uuid not null,
  at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  ended_at timestamptz,
  -- why documents are posted in spite of warnings that need a reason
  reason text,
  primary key (organisation, id),
  foreign key (organisation, by) references users
);
create index imports_at on imports (organisation, at, id);
create index imports_working on imports (touched_at) where state in ('reading', 'checking', 'importing', 'undoing');
grant select, insert, update on imports to bahi_app;

-- A file as it was sent, until its rows are read.
create table import_pieces (
  organisation int not null,
  import uuid not null,
  part int not null check (part > 0),
  bytes bytea not null,
  primary key (organisation, import, part),
  foreign key (organisation, import) references imports on delete cascade
);
grant select, insert, delete on import_pieces to bahi_app;

-- Rows by their number in the file. `before`: what a record was that the row has changed.
create table import_rows (
  organisation int not null,
  import uuid not null,
  row int not null check (row > 0),
  cells text[] not null,
  mended boolean not null default false,
  outcome text
    check (outcome in ('add', 'change', 'same', 'kept', 'refused', 'added', 'changed', 'undone', 'stays')),
  problems jsonb not null default '[]',
  record text,
  record_version int,
  before jsonb,
  primary key (organisation, import, row),
  foreign key (organisation, import) references imports on delete cascade
);
create index import_rows_outcome on import_rows (organisation, import, outcome, row);
create index import_rows_record on import_rows (organisation, record) where outcome = 'undone';
grant select, insert, update, delete on import_rows to bahi_app;

-- What the columns of a file with these headings meant when it was imported last.
create table import_mappings (
  organisation int not null references organisations,
  master text not null,
  headings text not null,
  columns jsonb not null,
  primary key (organisation, master, headings)
);
grant select, insert, update on import_mappings to bahi_app;
