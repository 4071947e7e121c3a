-- Screens on which levels can be granted and that roles were given already. A screen of a later release is none of them:
-- the start gives it once to every role that has full rights on everything else, and adds it here.
create table offered_screens (
  screen int primary key,
  offered_at timestamptz not null default now()
);
insert into global_tables values ('offered_screens', 'of the installation');
grant select on offered_screens to bahi_app;
