-- Parties that are one: what the portal says of a GSTIN, who looks like whom, and the heir of a party that was merged.

-- What the portal has said of a GSTIN, and when: it is asked again after a day, and this stands in while it is away.
create table taxpayers (
  organisation int not null references organisations, gstin text not null, facts jsonb not null, asked_at timestamptz not null,
  primary key (organisation, gstin)
);
alter table taxpayers enable row level security;
alter table taxpayers force row level security;
create policy tenant on taxpayers to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on taxpayers to bahi_owner using (true) with check (true);
create trigger log_change after insert or update or delete on taxpayers for each row execute function log_change();
grant select, insert, update on taxpayers to bahi_app;

-- A merged party stays as a row, for posted documents name it and are never changed: it points to its heir, always to the
-- last one. What is open is a projection and moves; entries are read through these functions.
alter table parties add heir uuid, add foreign key (organisation, heir) references parties, add check (heir is null or (not active and heir <> id));
create index parties_heir on parties (organisation, heir) where heir is not null;

create function heir_of(org int, party uuid) returns uuid language sql stable as $$
  select coalesce((select p.heir from parties p where p.organisation = org and p.id = party), party)
$$;
-- A party with all that were merged into it, whichever of them is asked for.
create function party_family(org int, party uuid) returns uuid[] language sql stable as $$
  select array_agg(f.id) from (select heir_of(org, party) as id union select p.id from parties p where p.organisation = org and p.heir = heir_of(org, party)) f
$$;
grant execute on function heir_of(int, uuid), party_family(int, uuid) to bahi_app;

-- Nothing is posted on a merged party any more.
create or replace function party_facts(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(p), '[]') from (select id, name, category, state, country, gstin, pan, coalesce((body ->> 'microSmall')::boolean, false) as micro, credit_days, credit_limit from parties where organisation = org and id = any(ids) and heir is null) p
$$;
-- What a document comes from belongs to the heir: a return of the heir settles an invoice of the party that was merged.
do $$
declare
  name text := 'open_posting(int, uuid, uuid[], uuid[], uuid[], uuid[], date[], boolean[], uuid[], uuid[], uuid[], uuid[], uuid[], uuid[])';
  known text := pg_get_functiondef(name::regprocedure);
  written text := replace(known, $q$'date', d.date, 'party', d.party, 'exchangeRate'$q$, $q$'date', d.date, 'party', heir_of(org, d.party), 'exchangeRate'$q$);
begin
  if written = known then raise exception 'open_posting does not name the party of a source'; end if;
  execute written;
end $$;

-- A name without what says only how its holder is organised, and without signs: what is typed differently for the same firm.
create function party_key(name text) returns text language sql immutable as $$
  select trim(regexp_replace(regexp_replace(regexp_replace(lower(name), '[[:space:]!-/:-@\[-`{-~]+', ' ', 'g'), '\m(m s|ms|private|pvt|limited|ltd|llp|company|co|and|the)\M', ' ', 'g'), ' +', ' ', 'g'))
$$;
-- The last ten digits: with the code of the country or without, it is the same telephone.
create function phone_key(phone text) returns text language sql immutable as $$
  select case when length(d) >= 8 then right(d, 10) end from (select regexp_replace(phone, '\D', '', 'g') as d) x
$$;
create index parties_gstin on parties (organisation, gstin) where gstin is not null;
create index parties_pan on parties (organisation, pan) where pan is not null;
create index parties_phone on parties (organisation, phone_key(body ->> 'phone'));
create index parties_near on parties using gin (organisation, party_key(name) gin_trgm_ops);

-- Parties that may be the same as one that is typed or kept, and by what. With the owner's eyes, so that the index of
-- likeness can be used; the organisation is that of the transaction and no other.
create function near_parties(me uuid, said text, number text, tax_id text, called text) returns table (id uuid, why text, likeness real) language sql stable security definer set search_path = public as $$
  with here as (select nullif(current_setting('app.organisation', true), '')::int as org)
  select p.id, 'gstin', 1::real from here join parties p on p.organisation = here.org and p.gstin = nullif(number, '') and p.heir is null and p.id is distinct from me
  union all select p.id, 'pan', 1::real from here join parties p on p.organisation = here.org and p.pan = nullif(tax_id, '') and p.heir is null and p.id is distinct from me
  union all select p.id, 'phone', 1::real from here join parties p on p.organisation = here.org and phone_key(p.body ->> 'phone') = phone_key(called) and p.heir is null and p.id is distinct from me
  union all select p.id, 'name', similarity(party_key(p.name), party_key(said)) from here join parties p on p.organisation = here.org and party_key(p.name) % party_key(said) and p.heir is null and p.id is distinct from me
     where party_key(said) <> '' and similarity(party_key(p.name), party_key(said)) >= 0.6
$$;
revoke all on function near_parties(uuid, text, text, text, text) from public;
grant execute on function near_parties(uuid, text, text, text, text), party_key(text), phone_key(text) to bahi_app;
