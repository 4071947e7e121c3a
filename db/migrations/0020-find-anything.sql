-- Ctrl K finds documents, parties and items. What it finds them by follows from their rows: it is kept by indexes on
-- expressions, which also fill themselves for the rows that are there.
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

create index parties_words on parties using gin (organisation, search_keys(search));
create index items_words on items using gin (organisation, search_keys(search));
create index items_bare_sku on items (organisation, bare_number(sku) collate "C");

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

-- The number of a document without what its series puts before or after it, as people say it: 123 of SI/26-27/00123.
-- What is written of the financial year is no part of it.
create function number_counter(number text, financial_year text) returns text
language sql immutable parallel safe as $$
  select ltrim(
    coalesce(
      substring(
        regexp_replace(
          number,
          '(^|[^0-9])(' || financial_year || '|' || substr(financial_year, 3) || '|'
            || replace(substr(financial_year, 3), '-', '') || ')',
          '\1 '
        )
        from '([0-9]+)[^0-9]*$'
      ),
      substring(number from '([0-9]+)[^0-9]*$')
    ),
    '0'
  )
$$;
grant execute on function number_counter(text, text) to bahi_app;

-- What a search finds documents by (found_documents).
create index documents_by_number on documents (organisation, bare_number(number) collate "C");
create index documents_by_counter on documents (organisation, number_counter(number, financial_year), date desc);
create index documents_by_total on documents (organisation, total, date desc);
create index documents_by_foreign_total on documents (organisation, foreign_total, date desc) where currency <> 'INR';
create index documents_by_reference on documents (organisation, bare_number(reference) collate "C", date desc)
  where reference is not null;
create index documents_by_buyer on documents (organisation, lower(party_name), date desc)
  where party is null and party_name <> '';

-- Documents that a text may mean, at most so many of each way, and how well it means them, 1 the best: by their own
-- number, a supplier's number or a reference, the counter of the number, an amount in paise, how a number or reference
-- begins, the rest of the rupee, a buyer who is no party, one of these parties. No number: it is an amount; no amount:
-- it is none. With the owner's rights, so that the indexes can be used; the organisation is that of the transaction and
-- no other. Who may see a document is asked by the statement that asks for them.
create function found_documents(
  number text, least_paise bigint, most_paise bigint, buyer text, parties uuid[], most int
) returns table (id uuid, rank int)
language plpgsql stable security definer
set search_path = public, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_custom_plan as $$
declare
  org constant int := nullif(current_setting('app.organisation', true), '')::int;
  bare constant text := bare_number(found_documents.number);
  -- the last digits that were typed, and the text before them
  counter constant text := ltrim(substring(found_documents.number from '([0-9]+)[^0-9]*$'), '0');
  head constant text := bare_number(substring(found_documents.number from '^(.*[^0-9])[0-9]+[^0-9]*$'));
begin
  if bare <> '' then
    return query
      select d.id, 1
      from documents d
      where d.organisation = org and bare_number(d.number) collate "C" = bare
      limit most;
    return query
      select d.id, 2
      from documents d
      where d.organisation = org and d.reference is not null and bare_number(d.reference) collate "C" = bare
      order by d.date desc
      limit most;
  end if;
  if bare ~ '[0-9]' then
    return query
      select d.id, 5
      from documents d
      where d.organisation = org and bare_number(d.number) collate "C" like bare || '%'
      order by bare_number(d.number) collate "C" desc
      limit most;
    return query
      select d.id, 6
      from documents d
      where d.organisation = org
        and d.reference is not null
        and bare_number(d.reference) collate "C" like bare || '%'
      order by bare_number(d.reference) collate "C" desc
      limit most;
  end if;
  if counter <> '' then
    return query
      select n.id, 3
      from (
        select d.id, d.number as full_number
        from documents d
        where d.organisation = org and number_counter(d.number, d.financial_year) = counter
        order by d.date desc
        limit case when head is null then most else 10 * most end
      ) n
      where head is null or position(head in bare_number(n.full_number)) > 0;
  end if;
  if least_paise is not null then
    return query
      select d.id, case when d.total = least_paise then 4 else 7 end
      from documents d
      where d.organisation = org and d.total between least_paise and most_paise
      order by d.total, d.date desc
      limit most;
    return query
      select d.id, case when d.foreign_total = least_paise then 4 else 7 end
      from documents d
      where d.organisation = org and d.currency <> 'INR' and d.foreign_total between least_paise and most_paise
      order by d.foreign_total, d.date desc
      limit most;
  end if;
  if buyer <> '' then
    return query
      select d.id, 8
      from documents d
      where d.organisation = org
        and d.party is null
        and d.party_name <> ''
        and lower(d.party_name) >= lower(buyer)
        and lower(d.party_name) < lower(buyer) || chr(1114109)
      order by lower(d.party_name), d.date desc
      limit most;
  end if;
  return query
    select of_party.id, 9
    from unnest(found_documents.parties) asked
    join lateral (
      select asked as party
      union
      select m.id
      from parties m
      where m.organisation = org and m.merged_into = asked
    ) p on true
    join lateral (
      select d.id
      from documents d
      where d.organisation = org and d.party = p.party
      order by d.date desc, d.id desc
      limit most
    ) of_party on true;
end
$$;
revoke all on function found_documents(text, bigint, bigint, text, uuid[], int) from public;
grant execute on function found_documents(text, bigint, bigint, text, uuid[], int) to bahi_app;
