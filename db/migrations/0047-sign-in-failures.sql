-- Wrong passwords count for an account and the address they come from: who guesses at another's password keeps himself out,
-- not him. Accounts that nobody has count alike, so that nothing shows who exists. Wrong codes count for the person alone
-- (address ''): only who knows the password comes so far. Only a digest of the account is kept.
create table sign_in_failures (
  account bytea not null, address text not null, failed int not null, until timestamptz not null,
  primary key (account, address)
);
alter table people drop column failed_count, drop column locked_until;
insert into global_tables values ('sign_in_failures', 'counted before anybody is signed in');
grant select, insert, update, delete on sign_in_failures to bahi_app;

-- One more failure; answers whether that was the one that closes the door until fifteen minutes later.
create function count_sign_in_failure(what bytea, place text, most int) returns boolean language sql set search_path = public as $$
  insert into sign_in_failures as f (account, address, failed, until) values (what, place, 1, now() + interval '15 minutes')
  on conflict (account, address) do update set
    failed = case when f.until < now() then 1 else least(f.failed + 1, most) end,
    until = case when f.until < now() or (f.failed < most and f.failed + 1 >= most) then now() + interval '15 minutes' else f.until end
  returning failed >= most
$$;
revoke all on function count_sign_in_failure(bytea, text, int) from public;
grant execute on function count_sign_in_failure(bytea, text, int) to bahi_app;
