-- A release that brings a kind of document gives every registration a number series for it: without one nothing of the kind
-- could be posted in an organisation that was founded before.
insert into global_tables (name, why) values ('offered_kinds', 'of the installation');
-- Kinds of documents that registrations have number series for. A kind of a later release is none of them: the start adds
-- a series of it to every registration once, and adds it here.
create table offered_kinds (
  kind text primary key,
  offered_at timestamptz not null default now()
);
grant select on offered_kinds to bahi_app;
