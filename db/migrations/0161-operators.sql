-- The right of an operator is given and taken by an operator, told in the security log of every organisation that the
-- person works in; the last one stays.
create function give_operator(asking uuid, address text) returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
declare found_person uuid;
begin
  if not exists (select from people p where p.id = asking and p.operator) then raise exception 'not the operator' using errcode = 'insufficient_privilege'; end if;
  select p.id into found_person
    from people p
   where lower(p.email) = lower(address)
     and exists (select from users u where u.person = p.id and u.active and u.accepted_at is not null);
  if found_person is null then return null; end if;
  update people set operator = true where id = found_person and not operator;
  if found then perform log_security_of(found_person, 'operatorGiven', jsonb_build_object('by', asking)); end if;
  return found_person;
end $$;

-- Answers whether it was taken: not from the last one, who would be gone for good.
create function take_operator(asking uuid, whom uuid) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- of two who take each other's right at once, one comes second
  perform pg_advisory_xact_lock(62617);
  if not exists (select from people p where p.id = asking and p.operator) then raise exception 'not the operator' using errcode = 'insufficient_privilege'; end if;
  if not exists (
    select from people p
     where p.operator and p.id <> whom
       and exists (select from users u where u.person = p.id and u.active and u.accepted_at is not null))
  then return false; end if;
  update people set operator = false where id = whom and operator;
  if found then perform log_security_of(whom, 'operatorTaken', jsonb_build_object('by', asking)); end if;
  return true;
end $$;
revoke all on function give_operator(uuid, text), take_operator(uuid, uuid) from public;
grant execute on function give_operator(uuid, text), take_operator(uuid, uuid) to bahi_app;

-- Whoever founds an organisation by themselves has confirmed their address first: a link that was mailed there, for nobody yet.
alter table sign_in_links drop constraint sign_in_links_purpose_check;
alter table sign_in_links drop constraint sign_in_links_check;
alter table sign_in_links add column email text;
alter table sign_in_links add constraint sign_in_links_purpose_check check (purpose in ('invitation', 'password', 'setup', 'signUp'));
alter table sign_in_links add constraint sign_in_links_check check (
  (purpose in ('setup', 'signUp')) = (person is null)
  and (person is null) = (organisation is null)
  and (person is null) = ("user" is null)
  and (purpose = 'signUp') = (email is not null)
);
