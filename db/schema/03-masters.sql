-- Ledgers, parties, items and the other masters, and the number series of documents.

create table ledgers (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  "group" uuid,
  is_group boolean not null default false,
  nature text not null check (nature in ('asset', 'liability', 'equity', 'income', 'expense')),
  role text,
  schedule3 text,
  is_bank boolean not null default false,
  system boolean not null default false,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  -- A bank account or a cash box may be kept in another currency: what moves it moves so much of that currency too.
  -- Its balance is money that is there, so it is brought to the rate of a day on the ledger itself and stays
  -- so (AS 11), while open balances of parties are restated beside their accounts and taken back.
  currency text check (currency ~ '^[A-Z]{3}$' and currency <> 'INR'),
  -- What is usually bought on it: the HSN or SAC of its lines, where they have none of their own.
  hsn text check (hsn ~ '^([0-9]{4}|[0-9]{6}|[0-9]{8})$'),
  -- No input tax of its lines is credited (section 17(5) of the CGST Act), unless a line says otherwise.
  credit_blocked boolean not null default false,
  primary key (organisation, id),
  foreign key (organisation, "group") references ledgers
);
create unique index ledgers_code on ledgers (organisation, upper(code));
grant select, insert, update on ledgers to bahi_app;

-- The ledger on which each effect of a posting is booked.
create table posting_map (
  organisation int not null references organisations,
  effect text not null,
  ledger uuid not null,
  version int not null default 1,
  primary key (organisation, effect),
  foreign key (organisation, ledger) references ledgers
);
grant select, insert, update on posting_map to bahi_app;

-- Cost centres are a master: an entry names one that exists, in its own organisation (ADR 53). A document may name
-- one for all its entries, a line one of its own.
create table cost_centres (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  parent uuid,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id),
  foreign key (organisation, parent) references cost_centres,
  check (parent <> id)
);
create unique index cost_centres_code on cost_centres (organisation, upper(code));
create index cost_centres_name on cost_centres (organisation, lower(name), id);
grant select, insert, update on cost_centres to bahi_app;

-- A name without what says only how its holder is organised, and without signs: what is typed differently for the
-- same firm.
create function party_key(name text) returns text
language sql immutable as $$
  select trim(
    regexp_replace(
      regexp_replace(
        regexp_replace(lower(name), '[[:space:]!-/:-@\[-`{-~]+', ' ', 'g'),
        '\m(m s|ms|private|pvt|limited|ltd|llp|company|co|and|the)\M', ' ', 'g'
      ),
      ' +', ' ', 'g'
    )
  )
$$;
grant execute on function party_key(text) to bahi_app;

-- The last ten digits: with the code of the country or without, it is the same telephone.
create function phone_key(phone text) returns text
language sql immutable as $$
  select case when length(d) >= 8 then right(d, 10) end
  from (select regexp_replace(phone, '\D', '', 'g') as d) x
$$;
grant execute on function phone_key(text) to bahi_app;

-- A number as it is compared, of a supplier's document or an SKU: without case, signs and what cannot be seen.
create function bare_number(number text) returns text
language sql immutable as $$
  select upper(regexp_replace(normalize(number, nfkc), '[^[:alnum:]]', '', 'g'))
$$;
grant execute on function bare_number(text) to bahi_app;

-- The words of a text, in small letters and without signs.
create function search_words(said text) returns text[]
language sql immutable parallel safe as $$
  select array_remove(string_to_array(regexp_replace(lower(said), '[[:space:]!-/:-@\[-`{-~]+', ' ', 'g'), ' '), '')
$$;
grant execute on function search_words(text) to bahi_app;

-- The keys by which a search finds a text, of any script and in a database of any locale (ADR 86): of each word how it
-- begins, the whole word with a space after it, and the word without one of its letters with a hyphen before it. Words
-- that differ by one typing error (a letter too many, too few or wrong, two letters exchanged) share such a key. A word
-- with digits is a number, in which an error means another one.
create function search_keys(said text) returns text[]
language plpgsql immutable parallel safe
set search_path = public, pg_temp as $$
declare
  keys text[] := '{}';
  word text;
  letters int;
begin
  foreach word in array search_words(said) loop
    letters := least(length(word), 24);
    word := left(word, letters);
    keys := keys || (word || ' ');
    for n in 2..letters loop
      keys := keys || left(word, n);
    end loop;
    continue when letters < 3 or word ~ '[0-9]';
    for n in 1..letters loop
      keys := keys || ('-' || left(word, n - 1) || substr(word, n + 1));
    end loop;
  end loop;
  return keys;
end
$$;
grant execute on function search_keys(text) to bahi_app;

-- The keys of which a text has one when it has a word that begins so, or one that differs by one typing error.
create function near_keys(word text) returns text[]
language sql immutable parallel safe as $$
  select
    array[word]
      || case when length(word) >= 3 and word !~ '[0-9]' then array['-' || word] else '{}' end
      || array(
        select unnest(array['-' || w.less, w.less || ' '])
        from (
          select left(word, n - 1) || substr(word, n + 1) as less
          from generate_series(1, length(word)) n
          where length(word) >= 4 and word !~ '[0-9]'
        ) w
      )
$$;
grant execute on function near_keys(text) to bahi_app;

create table parties (
  organisation int not null references organisations,
  id uuid not null,
  code text not null,
  name text not null,
  side text not null check (side in ('customer', 'supplier', 'both')),
  category text not null,
  gstin text,
  pan text,
  state text not null,
  country text not null default 'IN',
  currency text not null default 'INR',
  credit_limit bigint,
  credit_days int not null default 0,
  search text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  -- A merged party stays as a row, for posted documents name it and are never changed: it points to the party that
  -- it was merged into, always to the last one. What is open is a projection and moves; entries are read through
  -- surviving_party and party_family (ADR 19).
  merged_into uuid,
  primary key (organisation, id),
  foreign key (organisation, merged_into) references parties,
  check (merged_into is null or (not active and merged_into <> id))
);
create unique index parties_code on parties (organisation, upper(code));
create index parties_name on parties (organisation, lower(name), id);
create index parties_search on parties using gin (organisation, search gin_trgm_ops);
create index parties_merged_into on parties (organisation, merged_into) where merged_into is not null;
create index parties_gstin on parties (organisation, gstin) where gstin is not null;
create index parties_pan on parties (organisation, pan) where pan is not null;
create index parties_phone on parties (organisation, phone_key(body ->> 'phone'));
create index parties_words on parties using gin (organisation, search_keys(search));
create index parties_near on parties using gin (organisation, party_key(name) gin_trgm_ops);
grant select, insert, update on parties to bahi_app;

-- What the portal has said of a GSTIN, and when: it is asked again after a day, and this stands in while it is away.
create table taxpayers (
  organisation int not null references organisations,
  gstin text not null,
  facts jsonb not null,
  asked_at timestamptz not null,
  primary key (organisation, gstin)
);
grant select, insert, update on taxpayers to bahi_app;

create table items (
  organisation int not null references organisations,
  id uuid not null,
  sku text not null,
  name text not null,
  service boolean not null,
  stocked boolean not null,
  hsn text not null,
  unit text not null,
  treatment text not null,
  gst_rate int not null,
  cess_rate int not null default 0,
  cess_per_unit bigint not null default 0,
  retail_price bigint,
  sale_rate bigint,
  purchase_rate bigint,
  income_ledger uuid,
  expense_ledger uuid,
  credit_blocked boolean not null default false,
  scrap boolean not null default false,
  barcode text,
  search text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  -- An item that has attributes is a template: no document names it, each combination of its values is an item of
  -- its own that is bought, sold and counted as any other. What the variants share stands on each of them and
  -- follows the template, so that nothing that reads items has to know of templates.
  is_template boolean not null default false,
  template uuid,
  variant jsonb,
  primary key (organisation, id),
  foreign key (organisation, income_ledger) references ledgers,
  foreign key (organisation, expense_ledger) references ledgers,
  foreign key (organisation, template) references items,
  check (template is null or not is_template),
  check ((template is null) = (variant is null))
);
create unique index items_sku on items (organisation, upper(sku));
create unique index items_barcode on items (organisation, barcode) where barcode is not null;
create index items_name on items (organisation, lower(name), id);
create index items_search on items using gin (organisation, search gin_trgm_ops);
create index items_words on items using gin (organisation, search_keys(search));
create index items_bare_sku on items (organisation, bare_number(sku) collate "C");
-- the value of each attribute, by the attribute's id
create unique index items_variant on items (organisation, template, variant) where template is not null;
grant select, insert, update on items to bahi_app;

-- Every code that a scanner may read, each once in the organisation: the main one of an item, kept in step with its
-- row, and as many others as it has, each for a unit (the code on a box of 12).
create table item_barcodes (
  organisation int not null references organisations,
  id uuid not null default gen_random_uuid(),
  item uuid not null,
  barcode text not null,
  unit text, -- none: the item's own
  main boolean not null default false,
  primary key (organisation, id),
  foreign key (organisation, item) references items,
  check (not (main and unit is not null))
);
create unique index item_barcodes_barcode on item_barcodes (organisation, barcode);
create unique index item_barcodes_main on item_barcodes (organisation, item) where main;
create index item_barcodes_item on item_barcodes (organisation, item);
grant select, insert, update, delete on item_barcodes to bahi_app;

-- The next number of our own range: one that was given is not given again, whatever became of its item.
create table barcode_counters (
  organisation int not null references organisations,
  next bigint not null,
  primary key (organisation)
);
grant select, insert, update on barcode_counters to bahi_app;

-- Pictures of an item in their order; the bytes are a file of the organisation, drawn anew when it came.
create table item_pictures (
  organisation int not null references organisations,
  id uuid not null,
  item uuid not null,
  place int not null,
  digest text not null,
  name text not null,
  primary key (organisation, id),
  foreign key (organisation, item) references items,
  foreign key (organisation, digest) references files
);
create unique index item_pictures_once on item_pictures (organisation, item, digest);
grant select, insert, update, delete on item_pictures to bahi_app;

-- Masters that no engine joins; their shape is checked by the contract.
create table masters (
  organisation int not null references organisations,
  master text not null,
  id uuid not null,
  code text not null,
  name text not null,
  body jsonb not null default '{}',
  version int not null default 1,
  active boolean not null default true,
  primary key (organisation, id)
);
create unique index masters_code on masters (organisation, master, upper(code));
create index masters_name on masters (organisation, master, lower(name), id);
grant select, insert, update, delete on masters to bahi_app;

-- What a currency was worth on a day: by the books (reference rate, or what the bank gave), or as customs notified
-- it.
create table exchange_rates (
  organisation int not null references organisations,
  id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'INR'),
  date date not null,
  purpose text not null check (purpose in ('book', 'customs')),
  rate bigint not null check (rate > 0),
  source text not null check (source <> ''),
  version int not null default 1,
  by uuid not null,
  at timestamptz not null default now(),
  primary key (organisation, id),
  unique (organisation, currency, purpose, date),
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on exchange_rates to bahi_app;

create table number_series (
  organisation int not null references organisations,
  id uuid not null,
  name text not null,
  kind text not null,
  registration uuid not null,
  location uuid,
  prefix text not null,
  suffix text not null default '',
  padding int not null default 4,
  start int not null default 1,
  reset text not null default 'year',
  version int not null default 1,
  active boolean not null default true,
  -- A till has a series of numbers of its own. One browser holds its session and goes on with them without the
  -- network; what it gave comes in one after the other. A number that was given and whose bill is not in the books
  -- stays to be seen: not yet received, refused with the reason, or void.
  till uuid,
  primary key (organisation, id),
  foreign key (organisation, registration) references registrations,
  foreign key (organisation, location) references locations,
  foreign key (organisation, till) references masters (organisation, id)
);
create index number_series_kind on number_series (organisation, registration, kind);
create index number_series_till on number_series (organisation, till) where till is not null;
grant select, insert, update, delete on number_series to bahi_app;

-- The row that posting locks last. One per series and period.
create table series_counters (
  organisation int not null,
  series uuid not null,
  period text not null,
  next int not null,
  primary key (organisation, series, period),
  foreign key (organisation, series) references number_series
) with (fillfactor = 50);
grant select, insert, update on series_counters to bahi_app;

-- Money moves on cash, bank, clearing and undeposited-funds ledgers only: one rule, for pickers, for rules of banks
-- and for every document that names where money goes.
create function is_money(is_bank boolean, role text) returns boolean
language sql immutable parallel safe as $$
  select is_bank or coalesce(role in ('cash', 'bank', 'clearing'), false)
$$;
grant execute on function is_money(boolean, text) to bahi_app;

-- The profit of the current year is worked out: its ledger takes no entries.
create function is_computed(role text) returns boolean
language sql immutable parallel safe as $$
  select coalesce(role = 'current_year_profit', false)
$$;
grant execute on function is_computed(text) to bahi_app;

-- What posting knows of money: the ids of its ledgers, those that are retired too.
create function money_ledgers(org int) returns json
language sql stable as $$
  select coalesce(json_agg(id), '[]')
  from ledgers
  where organisation = org and not is_group and is_money(is_bank, role)
$$;
grant execute on function money_ledgers(int) to bahi_app;

-- The party that a party was merged into; one that was not merged is its own.
create function surviving_party(org int, party uuid) returns uuid
language sql stable as $$
  select coalesce((select p.merged_into from parties p where p.organisation = org and p.id = party), party)
$$;
grant execute on function surviving_party(int, uuid) to bahi_app;

-- A party with all that were merged into it, whichever of them is asked for. It is found by keys: under row-level
-- security no index is looked up by what a function or a coalesce gives (they might tell of rows that are hidden),
-- so that the family of one party would be sought among all parties.
create function party_family(org int, party uuid) returns uuid[]
language sql stable as $$
  with head as materialized (
    select coalesce(
      (select p.merged_into from parties p where p.organisation = org and p.id = party_family.party), party_family.party
    ) as id
  )
  select array_agg(f.id)
  from (
    select id
    from head
    union
    select p.id
    from head
    join parties p on p.organisation = org and p.merged_into = head.id
  ) f
$$;
grant execute on function party_family(int, uuid) to bahi_app;

-- Parties that may be the same as one that is typed or kept, and by what. With the owner's rights, so that the index
-- of likeness can be used; the organisation is that of the transaction and no other.
create function near_parties(me uuid, said text, number text, tax_id text, called text)
returns table (id uuid, why text, likeness real)
language sql stable security definer
set search_path = public, pg_temp as $$
  with here as (
    select nullif(current_setting('app.organisation', true), '')::int as org
  )
  select p.id, 'gstin', 1::real
  from here
  join parties p on p.organisation = here.org and p.gstin = nullif(number, '') and p.merged_into is null
    and p.id is distinct from me
  union all
  select p.id, 'pan', 1::real
  from here
  join parties p on p.organisation = here.org and p.pan = nullif(tax_id, '') and p.merged_into is null
    and p.id is distinct from me
  union all
  select p.id, 'phone', 1::real
  from here
  join parties p on p.organisation = here.org and phone_key(p.body ->> 'phone') = phone_key(called)
    and p.merged_into is null
    and p.id is distinct from me
  union all
  select p.id, 'name', similarity(party_key(p.name), party_key(said))
  from here
  join parties p on p.organisation = here.org and party_key(p.name) % party_key(said) and p.merged_into is null
    and p.id is distinct from me
  where party_key(said) <> '' and similarity(party_key(p.name), party_key(said)) >= 0.6
$$;
revoke all on function near_parties(uuid, text, text, text, text) from public;
grant execute on function near_parties(uuid, text, text, text, text) to bahi_app;

-- Parties or items that a text may mean, by their words: named or beginning so, having words that begin so; where few are
-- found, also words with a typing error each, and the text inside of words; where none is found, what is most like it.
-- The last two know Latin letters and digits alone. At most so many of each. With the owner's rights, so that the
-- indexes can be used; the organisation is that of the transaction and no other.
create function found_by_words(relation regclass, said text, most int) returns uuid[]
language plpgsql stable security definer
set search_path = public, pg_temp
set enable_seqscan = off as $$
declare
  org constant int := nullif(current_setting('app.organisation', true), '')::int;
  typed constant text := lower(trim(said));
  words constant text[] := array(select left(w, 24) from unnest(search_words(said)) w where length(w) >= 2);
  enough constant int := 5;
  ids uuid[];
  more uuid[];
  each text;
begin
  if relation not in ('parties'::regclass, 'items'::regclass) or typed = '' then
    return '{}';
  end if;
  execute format(
    'select array(select id from %s where organisation = $1 and lower(name) >= $2 and lower(name) < $3
     order by lower(name), id limit $4)',
    relation
  )
  into ids
  using org, typed, typed || chr(1114109), most;
  if cardinality(words) > 0 then
    execute format(
      'select array(select id from %s where organisation = $1 and search_keys(search) @> $2 limit $3)', relation
    )
    into more
    using org, words, most;
    ids := ids || more;
    if cardinality(ids) < enough then
      select string_agg(format('search_keys(search) && %L::text[]', near_keys(w)), ' and ') into each
      from unnest(words) w;
      execute format('select array(select id from %s where organisation = $1 and %s limit $2)', relation, each)
      into more
      using org, most;
      ids := ids || more;
    end if;
  end if;
  if cardinality(ids) < enough and typed ~ '[a-z0-9]{3}' then
    execute format(
      'select array(select id from %s where organisation = $1 and search like $2 limit $3)', relation
    )
    into more
    using org, '%' || regexp_replace(typed, '([\\%_])', '\\\1', 'g') || '%', most;
    ids := ids || more;
  end if;
  if cardinality(ids) = 0 and typed ~ '[a-z]{4}' then
    -- set here: a session that has not used the extension yet may not keep it with the function
    perform set_config('pg_trgm.word_similarity_threshold', '0.5', true);
    execute format(
      'select array(select id from %s where organisation = $1 and search %%> $2
       order by word_similarity($2, search) desc limit $3)',
      relation
    )
    into ids
    using org, typed, most;
  end if;
  return ids;
end
$$;
revoke all on function found_by_words(regclass, text, int) from public;
grant execute on function found_by_words(regclass, text, int) to bahi_app;

-- Parties that a text may mean: by code, GSTIN, PAN, telephone in any form and, once it has four digits, how that
-- begins; and by their words.
create function found_parties(said text, most int) returns uuid[]
language sql stable security definer
set search_path = public, pg_temp as $$
  with asked as (
    select
      nullif(current_setting('app.organisation', true), '')::int as org, upper(trim(said)) as code,
      upper(regexp_replace(said, '[^[:alnum:]]', '', 'g')) as bare,
      case when said ~ '^[0-9[:space:]()+.-]+$' then phone_key(said) end as phone,
      case
        when said ~ '^[0-9[:space:]()+.-]+$'
          then regexp_replace(regexp_replace(said, '^[[:space:]]*([+]91|0)', ''), '[^0-9]', '', 'g')
      end as digits
  )
  select array(
    select p.id
    from asked
    join parties p on p.organisation = asked.org and upper(p.code) = asked.code
    union
    select p.id
    from asked
    join parties p on p.organisation = asked.org and p.gstin = asked.bare
    union
    select p.id
    from asked
    join parties p on p.organisation = asked.org and p.pan = asked.bare
    union
    select p.id
    from asked
    join parties p on p.organisation = asked.org and phone_key(p.body ->> 'phone') = asked.phone
    union
    (
      select p.id
      from asked
      join parties p
        on p.organisation = asked.org
          and phone_key(p.body ->> 'phone') between rpad(asked.digits, 10, '0') and rpad(asked.digits, 10, '9')
      where length(asked.digits) between 4 and 9
      limit most
    )
  ) || found_by_words('parties', said, most)
$$;
revoke all on function found_parties(text, int) from public;
grant execute on function found_parties(text, int) to bahi_app;

-- Items that a text may mean: by SKU and how it begins, also without signs, a whole barcode, and their words.
create function found_items(said text, most int) returns uuid[]
language sql stable security definer
set search_path = public, pg_temp as $$
  with asked as (
    select
      nullif(current_setting('app.organisation', true), '')::int as org, trim(said) as code,
      bare_number(said) collate "C" as bare
  )
  select array(
    select i.id
    from asked
    join items i on i.organisation = asked.org and upper(i.sku) = upper(asked.code)
    union
    (
      select i.id
      from asked
      join items i
        on i.organisation = asked.org
          and bare_number(i.sku) collate "C" >= asked.bare
          and bare_number(i.sku) collate "C" < asked.bare || '~'
      where length(asked.bare) > 1
      order by bare_number(i.sku) collate "C"
      limit most
    )
    union
    select b.item
    from asked
    join item_barcodes b on b.organisation = asked.org and b.barcode = asked.code
  ) || found_by_words('items', said, most)
$$;
revoke all on function found_items(text, int) from public;
grant execute on function found_items(text, int) to bahi_app;

-- The steps of a price list that concern these items, the narrowest first: `rank` 0 is a row of the item itself, 1
-- of its template, then the categories on the way up, and 99 a row for everything.
create function list_prices(org int, list uuid, ids uuid[]) returns json
language sql stable as $$
  with recursive steps as (
    select
      coalesce(s ->> 'item', '') as item, coalesce(s ->> 'category', '') as category, s ->> 'from' as "from",
      s ->> 'rate' as rate, s ->> 'discount' as discount
    from masters m
    cross join jsonb_array_elements(coalesce(m.body -> 'prices', '[]')) s
    where m.organisation = org and m.master = 'priceList' and m.id = list
  ), up as (
    select i.id as item, i.body ->> 'category' as category, 2 as rank
    from items i
    where i.organisation = org and i.id = any(ids) and coalesce(i.body ->> 'category', '') <> ''
    union all
    select up.item, c.body ->> 'parent', up.rank + 1
    from up
    join masters c on c.organisation = org and c.master = 'category' and c.id::text = up.category
    where coalesce(c.body ->> 'parent', '') <> '' and up.rank < 50
  )
  select coalesce(json_agg(x order by x.rank), '[]')
  from (
    select i.id as item, case when s.item = i.id::text then 0 else 1 end as rank, s."from", s.rate, s.discount
    from items i
    join steps s on s.item in (i.id::text, i.template::text)
    where i.organisation = org and i.id = any(ids) and s.item <> ''
    union all
    select up.item, up.rank, s."from", s.rate, s.discount
    from up
    join steps s on s.category = up.category
    where s.item = ''
    union all
    select i.id, 99, s."from", s.rate, s.discount
    from items i
    cross join steps s
    where i.organisation = org and i.id = any(ids) and s.item = '' and s.category = ''
  ) x
$$;

-- The main code of an item is kept in step with its row.
create function keep_main_barcode() returns trigger
language plpgsql as $$
begin
  if coalesce(new.barcode, '') = '' then
    delete from item_barcodes
    where organisation = new.organisation and item = new.id and main;
  else
    insert into item_barcodes (organisation, item, barcode, main)
    values (new.organisation, new.id, new.barcode, true)
    on conflict (organisation, item) where main do update
    set barcode = excluded.barcode;
  end if;
  return null;
end
$$;
create trigger keep_main_barcode after update on items
  for each row
  when (new.barcode is distinct from old.barcode)
  execute function keep_main_barcode();
create trigger keep_main_barcode_new after insert on items
  for each row
  when (coalesce(new.barcode, '') <> '')
  execute function keep_main_barcode();

-- The rate of a day: that day's own, or the last one before it. What customs notified holds until it is notified
-- anew; the books' own is not older than a week, which holidays are not longer than.
create function exchange_rate_on(org int, of text, what text, day date)
returns table (rate bigint, source text, since date)
language sql stable as $$
  select r.rate, r.source, r.date
  from exchange_rates r
  where r.organisation = org
    and r.currency = of
    and r.purpose = what
    and r.date <= day
    and (what = 'customs' or r.date > day - 8)
  order by r.date desc
  limit 1
$$;
grant execute on function exchange_rate_on(int, text, text, date) to bahi_app;

-- How units are counted, by their code in capitals.
create function unit_measures(org int) returns json
language sql stable as $$
  select coalesce(
    json_object_agg(
      upper(code),
      json_build_object('decimals', coalesce((body ->> 'decimals')::int, 0), 'uqc', coalesce(body ->> 'uqc', ''))
    ),
    '{}'
  )
  from masters
  where organisation = org and master = 'unit' and code is not null
$$;
grant execute on function unit_measures(int) to bahi_app;
