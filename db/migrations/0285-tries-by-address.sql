-- A try to sign in is counted for an account and the address that it comes from, and nobody else's wrong passwords or codes close
-- an account: what many addresses get wrong together is told to the next try, which then waits before it is looked at, and has
-- fewer tries. Where the person has signed in before, nothing of that counts.
drop function take_sign_in_try(bytea, text, uuid, int, int);

-- Takes one try before anything is looked at, so that of many at the same moment no more than allowed are looked at.
-- `taken` is the how-manieth it is from this address; 0: this address has got too many accounts wrong. `elsewhere` is how many
-- were wrong from everywhere in fifteen minutes; 0 where the person has signed in before.
create function take_sign_in_try(what bytea, place text, whose uuid, most_of_place int, out taken int, out elsewhere int)
language plpgsql set search_path = public, pg_temp as $$
begin
  elsewhere := 0;
  -- without an address it is somebody who is signed in already
  if place <> '' and not exists (select from sign_in_places p where p.person = whose and p.address = place) then
    if exists (
      select from sign_in_failures f
       where f.account = ''
         and f.address = place
         and f.until > now()
         and f.failed >= most_of_place)
    then
      taken := 0;
      return;
    end if;
    select coalesce(max(f.failed), 0)
      into elsewhere
      from sign_in_failures f
     where f.account = what
       and f.address = 'everywhere'
       and f.until > now();
  end if;
  insert into sign_in_failures as f (account, address, failed, until)
  values (what, place, 1, now() + interval '15 minutes')
  on conflict (account, address) do update set
    failed = case when f.until < now() then 1 else f.failed + 1 end,
    until = case when f.until < now() then now() + interval '15 minutes' else f.until end
  returning failed into taken;
end $$;
revoke all on function take_sign_in_try(bytea, text, uuid, int) from public;
grant execute on function take_sign_in_try(bytea, text, uuid, int) to bahi_app;
