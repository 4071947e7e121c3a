-- Whoever may sign in, by what, and as what is held in step with the edit log, and so is every secret: the log keeps a digest of
-- it, never the secret, and the verifier compares the digest of what is there now with the last one that was logged (ADR 61).

-- A record as the log keeps it. What stands in `secret` is sealed under the master key with a number used once, so that its digest
-- tells nothing, not even whether two secrets are the same. `search` follows from other columns.
create function logged_record(record jsonb) returns jsonb language sql immutable as $$
  select case when record ? 'secret'
              then (record - 'secret' - 'search')
                   || jsonb_build_object('secret_digest', encode(sha256(convert_to(record ->> 'secret', 'UTF8')), 'hex'))
              else record - 'search' end
$$;

-- Before and after of every change of a row that may change; of a secret its digest.
create or replace function log_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  old_row jsonb;
  new_row jsonb;
  one jsonb;
begin
  if tg_op <> 'INSERT' then old_row := to_jsonb(old); old_row := logged_record(old_row); end if;
  if tg_op <> 'DELETE' then new_row := to_jsonb(new); new_row := logged_record(new_row); end if;
  if old_row is not distinct from new_row then return null; end if;
  one := coalesce(new_row, old_row);
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  values ((one ->> 'organisation')::int, log_user(), log_origin(), lower(tg_op), tg_table_name,
          coalesce(one ->> 'id', one ->> 'document', one ->> 'effect', one ->> 'role', one ->> 'user', one ->> 'registration', one ->> 'organisation'), old_row, new_row);
  return null;
end $$;

-- A recovery code has fifty bits, and the log is exported: a digest of it alone could be tried out until it fits. With a salt that
-- stays in the database nobody can who has the log alone. A salt that is changed changes every digest.
alter table people add column log_salt uuid not null default gen_random_uuid();

create function salted_digest(salt uuid, secret text) returns text language sql immutable as $$
  select encode(sha256(convert_to(salt::text || secret, 'UTF8')), 'hex')
$$;

-- Who a person is, and what opens the door to them. What moves at each sign-in, and what they chose for themselves, is left out.
create function person_record(p people) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'person', p.id,
    'email', p.email,
    'name', p.name,
    'operator', p.operator,
    'password_digest', salted_digest(p.log_salt, p.password_hash),
    'second_factor_digest', salted_digest(p.log_salt, encode(p.totp_secret, 'hex')),
    'issuer_digest', salted_digest(p.log_salt, p.issuer || ' ' || p.subject))
$$;

create function recovery_code_record(r recovery_codes) returns jsonb language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_object(
           'person', r.person,
           'code_digest', salted_digest(p.log_salt, encode(r.digest, 'hex')),
           'used', r.used_at is not null)
    from people p
   where p.id = r.person
$$;

-- One record in the log of every organisation that names the person: a person belongs to none, and each proves its own log.
create function log_of_person(asked uuid, what text, relation text, was jsonb, now_is jsonb) returns void
language sql set search_path = public, pg_temp as $$
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  select u.organisation, case when u.organisation = nullif(current_setting('app.organisation', true), '')::int then log_user() end,
         log_origin(), what, relation, u.id::text, was, now_is
    from users u
   where u.person = asked
   order by u.organisation
$$;
revoke all on function log_of_person(uuid, text, text, jsonb, jsonb) from public;

create function log_change_of_person() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was jsonb := person_record(old);
  now_is jsonb := person_record(new);
begin
  if was is distinct from now_is then perform log_of_person(new.id, 'update', 'people', was, now_is); end if;
  return null;
end $$;
create trigger log_change_of_person after update on people for each row execute function log_change_of_person();

create function log_change_of_recovery_code() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  whose uuid := case when tg_op = 'DELETE' then old.person else new.person end;
  was jsonb;
  now_is jsonb;
begin
  -- who joins an organisation meanwhile is waited for: their codes are told there by one of the two
  perform from people where id = whose for no key update;
  if tg_op <> 'INSERT' then was := recovery_code_record(old); end if;
  if tg_op <> 'DELETE' then now_is := recovery_code_record(new); end if;
  if was is distinct from now_is then perform log_of_person(whose, lower(tg_op), 'recovery_codes', was, now_is); end if;
  return null;
end $$;
create trigger log_change_of_person after insert or update or delete on recovery_codes
  for each row execute function log_change_of_recovery_code();

-- The log of an organisation begins with a person when they are named in it.
create function log_person() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into edit_log (organisation, who, origin, action, relation, row_id, before)
    select old.organisation, log_user(), log_origin(), 'delete', r.relation, old.id::text, r.record
      from (select 'people' as relation, person_record(p) as record from people p where p.id = old.person
            union all
            select 'recovery_codes', recovery_code_record(c) from recovery_codes c where c.person = old.person) r;
  end if;
  if tg_op <> 'DELETE' then
    -- who changes the person at the same moment is waited for, or waits and then tells it here as well
    perform from people where id = new.person for share;
    insert into edit_log (organisation, who, origin, action, relation, row_id, after)
    select new.organisation, log_user(), log_origin(), 'insert', r.relation, new.id::text, r.record
      from (select 'people' as relation, person_record(p) as record from people p where p.id = new.person
            union all
            select 'recovery_codes', recovery_code_record(c) from recovery_codes c where c.person = new.person) r;
  end if;
  return null;
end $$;
create trigger log_person after insert or delete on users for each row execute function log_person();
create trigger log_person_of_another after update of person on users for each row
  when (old.person is distinct from new.person) execute function log_person();

-- What is there already gets its first record now.
insert into edit_log (organisation, origin, action, relation, row_id, after)
select u.organisation, log_origin(), 'insert', 'people', u.id::text, person_record(p)
  from users u
  join people p on p.id = u.person
 order by u.organisation, u.id;
insert into edit_log (organisation, origin, action, relation, row_id, after)
select u.organisation, log_origin(), 'insert', 'recovery_codes', u.id::text, recovery_code_record(c)
  from users u
  join recovery_codes c on c.person = u.person
 order by u.organisation, u.id;
insert into edit_log (organisation, origin, action, relation, row_id, after)
select u.organisation, log_origin(), 'operatorGiven', 'security', u.id::text, '{"by": "the version that began to log it"}'
  from users u
  join people p on p.id = u.person and p.operator
 where (select l.action
          from edit_log l
          join users o on o.organisation = l.organisation and o.id::text = l.row_id
         where l.relation = 'security' and l.action in ('operatorGiven', 'operatorTaken') and o.person = p.id
         order by l.id desc
         limit 1) is distinct from 'operatorGiven';
insert into edit_log (organisation, origin, action, relation, row_id, before, after)
select organisation, log_origin(), 'update', relation, coalesce(record ->> 'id', record ->> 'registration', record ->> 'organisation'),
       record - 'secret', logged_record(record)
  from (select organisation, 'credentials' as relation, to_jsonb(c) as record from credentials c
        union all
        select organisation, 'payment_gateways', to_jsonb(g) from payment_gateways g
        union all
        select organisation, 'payment_links', to_jsonb(l) from payment_links l) r;

-- The security log tells of people too.
drop index edit_log_security;
create index edit_log_security on edit_log (organisation, id) where relation in (
  'security', 'users', 'roles', 'role_grants', 'user_roles', 'user_locations', 'groups', 'group_roles', 'group_members',
  'group_locations', 'credentials', 'locks', 'organisations', 'people');
