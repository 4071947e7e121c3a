-- Limits of sign-in count for an account and an address together, and stand here, so that several processes count as one.
-- Others' wrong passwords never close the door to its owner where the owner has signed in before: only to addresses that are
-- new to the account do the wrong ones of all addresses, and of all accounts from one address, count too.
create table sign_in_places (
  person uuid not null references people on delete cascade, address text not null, at timestamptz not null default now(),
  primary key (person, address)
);
insert into global_tables values ('sign_in_places', 'asked before anybody is signed in');
grant select, insert, update on sign_in_places to bahi_app;

-- Takes one try before the password is looked at, so that of many at the same moment no more than allowed are looked at.
-- Answers the how-manieth it is from this address in fifteen minutes; 0: there are too many of others.
create function take_sign_in_try(what bytea, place text, whose uuid, most_of_account int, most_of_place int) returns int language plpgsql set search_path = public, pg_temp as $$
declare taken int;
begin
  -- without an address it is somebody who is signed in already
  if place <> '' and not exists (select from sign_in_places p where p.person = whose and p.address = place) and exists (
    select from sign_in_failures f
     where f.until > now()
       and ((f.account = what and f.address = 'everywhere' and f.failed >= most_of_account)
         or (f.account = '' and f.address = place and f.failed >= most_of_place)))
  then return 0; end if;
  insert into sign_in_failures as f (account, address, failed, until) values (what, place, 1, now() + interval '15 minutes')
  on conflict (account, address) do update set
    failed = case when f.until < now() then 1 else f.failed + 1 end,
    until = case when f.until < now() then now() + interval '15 minutes' else f.until end
  returning failed into taken;
  return taken;
end $$;
revoke all on function take_sign_in_try(bytea, text, uuid, int, int) from public;
grant execute on function take_sign_in_try(bytea, text, uuid, int, int) to bahi_app;
