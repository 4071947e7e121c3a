-- Movements of goods, what they cost, what lies where, and counts of it.

-- Movements of one day keep the order in which they were posted.
create sequence movement_sequence;
grant usage on sequence movement_sequence to bahi_app;

create table movements (
  organisation int not null,
  document uuid not null,
  number int not null,
  line int not null,
  date date not null,
  sequence bigint not null,
  item uuid not null,
  location uuid not null,
  quantity bigint not null,
  stated_value bigint,
  room uuid,
  batches jsonb,
  serials text[],
  primary key (organisation, document, number),
  foreign key (organisation, document) references documents,
  foreign key (organisation, item) references items,
  foreign key (organisation, location) references locations,
  foreign key (organisation, room) references masters,
  -- A cost that comes after its goods (customs duty on a bill of entry) moves no quantity: it states by how much
  -- more the goods are worth. Everything that moves goods says how many.
  constraint movements_quantity_check check (quantity <> 0 or stated_value is not null)
);
create index movements_item on movements (organisation, item, location, date, sequence);
-- Batches and serial numbers say which goods of an item moved; they split its quantity, never its cost. They stand
-- on the movement itself ({batch, quantity in the base unit, expiry, manufactured}), so that nothing has to be kept
-- in step with it.
create index movements_batches on movements using gin (batches jsonb_path_ops) where batches is not null;
create index movements_serials on movements using gin (serials) where serials is not null;
-- Stock rooms split the quantity of a place, batches and serial numbers that of an item: asked where a line names
-- one.
create index movements_rooms on movements (organisation, room, item, date) where room is not null;
grant select on movements to bahi_app;

-- Cost of a movement, negative out; the highest revision counts. A back-dated movement adds revisions to later ones.
create table movement_costs (
  organisation int not null,
  document uuid not null,
  number int not null,
  revision int not null,
  cost bigint not null,
  cause uuid not null,
  primary key (organisation, document, number, revision),
  foreign key (organisation, document, number) references movements,
  foreign key (organisation, cause) references documents,
  -- A document causes the first costs of its own movements, found by their key; only later ones are looked up by
  -- what caused them.
  constraint movement_costs_first check (revision > 0 or cause = document)
);
create index movement_costs_cause on movement_costs (organisation, cause) where revision > 0;
grant select, insert on movement_costs to bahi_app;

-- What there is of an item at a place, and what it is worth: the row that a posting locks.
create table item_balances (
  organisation int not null,
  item uuid not null,
  location uuid not null,
  quantity bigint not null,
  value bigint not null,
  layers bigint[] not null default '{}', -- FIFO: quantity and value in turn, oldest first
  last_date date,
  primary key (organisation, item, location),
  foreign key (organisation, item) references items,
  foreign key (organisation, location) references locations,
  check (quantity <> 0 or value = 0)
) with (fillfactor = 70);
grant select, insert, update on item_balances to bahi_app;

-- A back-dated posting with very many movements after it would hold its locks too long: it goes through at what
-- the goods are worth now, and a job values what comes after it again. Until then each of its items has a row here:
-- it is being revalued.
create table revaluations (
  organisation int not null references organisations,
  item uuid not null,
  document uuid not null,
  since date not null,
  at timestamptz not null default now(),
  primary key (organisation, item, document),
  foreign key (organisation, item) references items,
  -- written before its cause, in the same transaction
  foreign key (organisation, document) references documents deferrable initially deferred
);
create index revaluations_document on revaluations (organisation, document);
create index revaluations_at on revaluations (at);
grant select, insert, delete on revaluations to bahi_app;

-- A count of what lies at a place, or in one stock room or category of it. The books go on meanwhile: each figure
-- that is entered keeps beside it what the books had at that moment, so that what is sold between two figures is no
-- difference.
create table count_sheets (
  organisation int not null references organisations,
  id uuid not null,
  number int not null,
  name text not null,
  location uuid not null,
  room uuid,
  category uuid,
  blind boolean not null,
  state text not null default 'counting' check (state in ('counting', 'posting', 'posted', 'dropped')),
  round int not null default 1 check (round > 0),
  -- while it is posted: the adjustments that it makes, each under an id that was given before
  plan jsonb,
  author uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_by uuid,
  ended_at timestamptz,
  remark text not null default '',
  version int not null default 1,
  primary key (organisation, id),
  unique (organisation, number),
  foreign key (organisation, location) references locations,
  foreign key (organisation, room) references masters,
  foreign key (organisation, category) references masters,
  foreign key (organisation, author) references users,
  foreign key (organisation, ended_by) references users
);
grant select, insert, update on count_sheets to bahi_app;

-- What is to be counted: an item, in a room, of a batch; `book` is what the books had when the sheet was made.
create table count_lines (
  organisation int not null,
  sheet uuid not null,
  line int not null,
  item uuid not null,
  room uuid,
  batch text not null default '',
  expiry date,
  book bigint not null,
  serials text[],
  -- the last round in which it was asked for
  round int not null default 1,
  reason text not null default '',
  rate bigint check (rate >= 0),
  primary key (organisation, sheet, line),
  foreign key (organisation, sheet) references count_sheets,
  foreign key (organisation, item) references items,
  foreign key (organisation, room) references masters
);
create unique index count_lines_once on count_lines (organisation, sheet, item, room, batch) nulls not distinct;
grant select, insert, update on count_lines to bahi_app;

-- What one of several people counted of a line in a round, with the books at that moment.
create table counted (
  organisation int not null,
  sheet uuid not null,
  line int not null,
  round int not null,
  by uuid not null,
  quantity bigint not null check (quantity >= 0),
  serials text[],
  book bigint not null,
  book_serials text[],
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, sheet, line, round, by),
  foreign key (organisation, sheet, line) references count_lines,
  foreign key (organisation, by) references users
);
grant select, insert, update, delete on counted to bahi_app;

-- Where a movement takes its cost from: a transfer from the movement that left, a cancellation from what it undoes,
-- goods that come back from a sale from the movement with which they left, and goods that go back to their supplier
-- from the movement that brought them in. A document says the last line by line (`givenBack`, with the duty on the
-- goods of the line); an older one that does not keeps its average (ADR 64). Goods that come or go back are certain
-- stretches of the quantity of that movement (`costSpans`), so that the costs of all its returns add up to its own
-- (ADR 69).
create view movement_sources with (security_invoker = true) as
select
  m.organisation, m.document, m.number, p.document as source_document, p.number as source_number, false as undoes,
  null::bigint as landed, null::jsonb as spans
from movements m
join movements p on p.organisation = m.organisation and p.document = m.document and p.number = m.number - 1
  and p.line = m.line
  and p.item = m.item
  and p.quantity = -m.quantity
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
where m.quantity > 0 and m.stated_value is null
union all
select m.organisation, m.document, m.number, d.reverses, m.number, true, null, null
from documents d
join movements m on m.organisation = d.organisation and m.document = d.id
where d.reverses is not null
union all
select
  m.organisation, m.document, m.number, f.document, f.number, false, null, d.body -> 'costSpans' -> l.line::text
from document_lines l
join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line
  and m.quantity > 0
  and m.stated_value is null
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line
  and f.item = m.item
where not exists (
  select from movements p
  where p.organisation = m.organisation
    and p.document = m.document
    and p.number = m.number - 1
    and p.line = m.line
    and p.item = m.item
    and p.quantity = -m.quantity
)
  and not exists (
    select from movements g
    where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number
  )
union all
select
  m.organisation, m.document, m.number, f.document, f.number, false,
  (d.body -> 'givenBack' ->> l.line::text)::bigint, d.body -> 'costSpans' -> l.line::text
from document_lines l
join movements m on m.organisation = l.organisation and m.document = l.document and m.line = l.line
  and m.quantity < 0
join movements f on f.organisation = l.organisation and f.document = l.source_document and f.line = l.source_line
  and f.item = m.item
  and f.location = m.location
  and f.quantity > 0
join documents d on d.organisation = m.organisation and d.id = m.document and d.reverses is null
where d.body -> 'givenBack' ? l.line::text
  and not exists (
    select from movements g
    where g.organisation = f.organisation and g.document = f.document and g.line = f.line and g.number < f.number
  );
grant select on movement_sources to bahi_app;

-- The cost of a movement by its latest revision.
create function latest_cost(org int, doc uuid, place int) returns bigint
language sql stable as $$
  select c.cost
  from movement_costs c
  where c.organisation = org and c.document = doc and c.number = place
  order by c.revision desc
  limit 1
$$;
grant execute on function latest_cost(int, uuid, int) to bahi_app;

-- Movements of an item at a place after one position in the order of days and up to another, with all that valuing
-- them again needs. `late_cost`: the goods whose cost layers a late cost goes on (ADR 18), also for what
-- undoes it.
create function stock_between(
  org int, what uuid, place uuid, after_day date, after_sequence bigint, until_day date, until_sequence bigint,
  most int
)
returns table (
  document uuid, number int, date date, sequence bigint, quantity bigint, stated_value bigint, cost bigint,
  revision int, kind text, registration uuid, location uuid, cost_centre uuid, source_document uuid,
  source_number int, source_quantity bigint, source_cost bigint, source_landed bigint, undoes boolean,
  source_spans jsonb, late_cost jsonb
)
language sql stable
set enable_seqscan = off as $$
  select
    m.document, m.number, m.date, m.sequence, m.quantity, m.stated_value, c.cost, c.revision,
    coalesce(o.kind, d.kind), d.registration, d.location, (coalesce(o.body, d.body) #>> '{draft,costCentre}')::uuid,
    s.source_document, s.source_number, f.quantity, latest_cost(org, f.document, f.number), s.landed, s.undoes,
    s.spans, coalesce(o.body, d.body) -> 'behind' -> m.line::text
  from movements m
  join documents d on d.organisation = m.organisation and d.id = m.document
  left join documents o on o.organisation = d.organisation and o.id = d.reverses
  join lateral (
    select c.cost, c.revision
    from movement_costs c
    where c.organisation = m.organisation and c.document = m.document and c.number = m.number
    order by c.revision desc
    limit 1
  ) c on true
  left join lateral (
    select *
    from movement_sources s
    where s.organisation = m.organisation and s.document = m.document and s.number = m.number
    limit 1
  ) s on true
  left join movements f on f.organisation = m.organisation and f.document = s.source_document
    and f.number = s.source_number
  where m.organisation = org
    and m.item = what
    and m.location = place
    and (m.date, m.sequence) > (after_day, after_sequence)
    and (m.date, m.sequence) <= (until_day, until_sequence)
  order by m.date, m.sequence
  limit most
$$;
grant execute on function stock_between(int, uuid, uuid, date, bigint, date, bigint, int) to bahi_app;

-- Where the movements are that take their cost from these. The branches of the view are joins of their own, into
-- which a join from outside hands no key: asked so, each would answer for the whole organisation first. What may
-- follow a document is found by key (it itself, its cancellation, what was made from its lines), and the view is
-- asked of each of their movements alone. As with all that a posting asks: a plan made while the tables were small
-- walks through none of them.
create function stock_followers(org int, documents uuid[], numbers int[])
returns table (item uuid, location uuid, date date, sequence bigint)
language sql stable
set enable_seqscan = off as $$
  select m.item, m.location, m.date, m.sequence
  from unnest(documents, numbers) t(document, number)
  cross join lateral (
    select t.document as id
    union
    select d.id
    from documents d
    where d.organisation = org and d.reverses = t.document
    union
    select l.document
    from document_lines l
    where l.organisation = org and l.source_document = t.document
  ) f
  cross join lateral (
    select x.*
    from movements x
    where x.organisation = org and x.document = f.id
    offset 0
  ) m
  cross join lateral (
    select from movement_sources s
    where s.organisation = org
      and s.document = m.document
      and s.number = m.number
      and s.source_document = t.document
      and s.source_number = t.number
    limit 1
  ) s
$$;
grant execute on function stock_followers(int, uuid[], int[]) to bahi_app;

-- Walks the balance of an item at a place back from a position where it held so much, worth so much: to where it
-- was last empty (null: never before), and to the last rate (paise for a whole unit) at which it held goods.
create function balance_before(
  org int, what uuid, place uuid, day date, at bigint, held bigint, worth bigint, find_empty boolean
) returns table (empty_day date, empty_sequence bigint, last_rate bigint)
language plpgsql stable
set enable_seqscan = off as $$
declare
  m record;
  is_empty boolean := not find_empty;
begin
  last_rate := 0;
  for m in
    select x.date, x.sequence, x.quantity, latest_cost(org, x.document, x.number) as cost
    from movements x
    where x.organisation = org and x.item = what and x.location = place and (x.date, x.sequence) <= (day, at)
    order by x.date desc, x.sequence desc
  loop
    if not is_empty and held = 0 then
      empty_day := m.date;
      empty_sequence := m.sequence;
      is_empty := true;
    end if;
    if is_empty and held > 0 then
      last_rate := round(worth::numeric * 1000000 / held);
      exit;
    end if;
    held := held - m.quantity;
    worth := worth - m.cost;
  end loop;
  return next;
end
$$;
grant execute on function balance_before(int, uuid, uuid, date, bigint, bigint, bigint, boolean) to bahi_app;

-- Where an item at a place would first hold less than nothing if so much less of it were there from a day on: the
-- day, and how much it would lack.
create function first_short(org int, what uuid, place uuid, day date, change bigint)
returns table (date date, held bigint)
language sql stable as $$
  select s.date, s.after + change
  from (
    select day as date, 0::bigint as sequence, coalesce(sum(m.quantity), 0)::bigint as after
    from movements m
    where m.organisation = org and m.item = what and m.location = place and m.date <= day
    union all
    select m.date, m.sequence, (sum(m.quantity) over (order by m.date, m.sequence))::bigint
    from movements m
    where m.organisation = org and m.item = what and m.location = place
  ) s
  where s.date >= day and (s.sequence = 0 or s.date > day) and s.after + change < 0
  order by s.date, s.sequence
  limit 1
$$;
grant execute on function first_short(int, uuid, uuid, date, bigint) to bahi_app;

-- All that one batch or serial number of an item did, in date order.
create function part_moves(org int, what uuid, sort text, named text)
returns table (location uuid, date date, sequence bigint, document uuid, quantity bigint, expiry date)
language sql stable as $$
  select
    m.location, m.date, m.sequence, m.document, (sign(m.quantity) * (b.part ->> 'quantity')::bigint)::bigint,
    (b.part ->> 'expiry')::date
  from movements m
  cross join lateral jsonb_array_elements(m.batches) b(part)
  where sort = 'batch'
    and m.organisation = org
    and m.item = what
    and m.batches @> jsonb_build_array(jsonb_build_object('batch', named))
    and b.part ->> 'batch' = named
  union all
  select m.location, m.date, m.sequence, m.document, (sign(m.quantity) * 1000000)::bigint, null
  from movements m
  where sort = 'serial' and m.organisation = org and m.item = what and m.serials @> array[named]
$$;
grant execute on function part_moves(int, uuid, text, text) to bahi_app;

-- How batches and serial numbers stand at a place at the end of a day and ever after: least there, most anywhere;
-- when they expire, and how much of them a source moved, less what came back from it by documents that stand.
-- Whoever asks holds them until the transaction ends: a serial number may be asked for at two places at once, whose
-- balances do not keep each other waiting.
create function part_facts(
  org int, items uuid[], sorts text[], parts text[], places uuid[], dates date[], sources uuid[]
) returns json
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(k)
  from (
    select distinct hashtextextended(concat_ws('/', t.item, t.sort, t.part), org) as k
    from unnest(items, sorts, parts) t(item, sort, part)
    order by 1
  ) locks;
  return (
    select json_agg(
      json_build_object(
        'item', t.item, 'sort', t.sort, 'part', t.part, 'location', t.place,
        'least', (
          select least(
            coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), min(m.after) filter (where m.date > t.day)
          )
          from (
            select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after
            from part_moves(org, t.item, t.sort, t.part) x
            where x.location = t.place
          ) m
        ),
        'most', (
          select greatest(
            coalesce(sum(m.quantity) filter (where m.date <= t.day), 0), max(m.after) filter (where m.date > t.day)
          )
          from (
            select x.*, sum(x.quantity) over (order by x.date, x.sequence) as after
            from part_moves(org, t.item, t.sort, t.part) x
          ) m
        ),
        'expiry', (
          select x.expiry
          from part_moves(org, t.item, t.sort, t.part) x
          where x.expiry is not null
          order by x.date, x.sequence
          limit 1
        ),
        'source', (
          select coalesce(sum(abs(x.quantity)), 0)
          from part_moves(org, t.item, t.sort, t.part) x
          where x.document = t.source and x.quantity < 0
        ) - (
          select coalesce(sum(x.quantity), 0)
          from part_moves(org, t.item, t.sort, t.part) x
          where x.quantity > 0
            and x.document in (
              select l.document
              from document_lines l
              where l.organisation = org
                and l.source_document = t.source
                and l.item = t.item
                and not exists (select from cancellations c where c.organisation = org and c.document = l.document)
            )
        )
      )
    )
    from (
      select distinct *
      from unnest(items, sorts, parts, places, dates, sources) u(item, sort, part, place, day, source)
    ) t
  );
end
$$;
grant execute on function part_facts(int, uuid[], text[], text[], uuid[], date[], uuid[]) to bahi_app;

-- Stock rooms as a posting asks for them: where they are, and the least of an item that is ever in them from a day
-- on.
create function room_facts(org int, items uuid[], rooms uuid[], dates date[]) returns json
language sql stable as $$
  select json_agg(
    json_build_object(
      'item', t.item, 'room', t.room, 'name', m.name, 'location', m.body ->> 'location',
      'active', coalesce(m.active, false),
      'least', (
        select least(
          coalesce(sum(x.quantity) filter (where x.date <= t.day), 0), min(x.after) filter (where x.date > t.day)
        )
        from (
          select v.date, v.quantity, sum(v.quantity) over (order by v.date, v.sequence) as after
          from movements v
          where v.organisation = org and v.room = t.room and v.item = t.item
        ) x
      )
    )
  )
  from (select distinct * from unnest(items, rooms, dates) u(item, room, day)) t
  left join masters m on m.organisation = org and m.id = t.room and m.master = 'warehouse'
$$;
grant execute on function room_facts(int, uuid[], uuid[], date[]) to bahi_app;

-- Batches of items at a place as they stand, those that expire first before the others; those of which nothing is
-- left are left out.
create function batches_held(org int, items uuid[], places uuid[])
returns table (item uuid, location uuid, batch text, expiry date, quantity bigint)
language sql stable as $$
  with moved as (
    -- the day is known from any movement of the batch, not from each
    select
      m.item, m.location, b.part ->> 'batch' as batch,
      min((b.part ->> 'expiry')::date) over (partition by m.item, b.part ->> 'batch') as expiry,
      sign(m.quantity) * (b.part ->> 'quantity')::bigint as quantity
    from movements m
    cross join lateral jsonb_array_elements(m.batches) b(part)
    where m.organisation = org and m.item = any(items) and m.batches is not null
  )
  select item, location, batch, min(expiry), sum(quantity)::bigint
  from moved
  where cardinality(places) = 0 or location = any(places)
  group by 1, 2, 3
  having sum(quantity) > 0
  order by 1, 2, 4 nulls last, 3
$$;
grant execute on function batches_held(int, uuid[], uuid[]) to bahi_app;

-- Serial numbers of items at a place.
create function serials_held(org int, items uuid[], places uuid[])
returns table (item uuid, location uuid, serial text)
language sql stable as $$
  select m.item, m.location, s.serial
  from movements m
  cross join lateral unnest(m.serials) s(serial)
  where m.organisation = org
    and m.item = any(items)
    and (cardinality(places) = 0 or m.location = any(places))
    and m.serials is not null
  group by 1, 2, 3
  having sum(sign(m.quantity)) > 0
  order by 1, 2, 3
$$;
grant execute on function serials_held(int, uuid[], uuid[]) to bahi_app;

-- Batches that left with the lines of documents and did not come back yet, in the base unit.
create function batches_out(org int, sources uuid[])
returns table (document uuid, line int, batch text, expiry date, quantity bigint)
language sql stable as $$
  with moved as (
    select
      m.document, m.line, b.part ->> 'batch' as batch,
      (select min(x.expiry) from part_moves(org, m.item, 'batch', b.part ->> 'batch') x) as expiry,
      (b.part ->> 'quantity')::bigint as quantity
    from movements m
    cross join lateral jsonb_array_elements(m.batches) b(part)
    where m.organisation = org and m.document = any(sources) and m.quantity < 0 and m.batches is not null
    union all
    select l.source_document, l.source_line, b.part ->> 'batch', null, -(b.part ->> 'quantity')::bigint
    from document_lines l
    join movements m on m.organisation = org and m.document = l.document and m.line = l.line and m.quantity > 0
      and m.batches is not null
    cross join lateral jsonb_array_elements(m.batches) b(part)
    where l.organisation = org
      and l.source_document = any(sources)
      and not exists (select from cancellations c where c.organisation = org and c.document = l.document)
  )
  select document, line, batch, min(expiry), sum(quantity)::bigint
  from moved
  group by 1, 2, 3
  having sum(quantity) > 0
  order by 1, 2, 4 nulls last, 3
$$;
grant execute on function batches_out(int, uuid[]) to bahi_app;

-- What the books have at a place by now, by item, stock room and batch; `which` names items, null means all.
create function stock_parts(org int, place uuid, which uuid[])
returns table (item uuid, room uuid, batch text, expiry date, quantity bigint, serials text[])
language sql stable as $$
  with held as (
    select
      m.item, m.room, coalesce(b.part ->> 'batch', '') as batch, min((b.part ->> 'expiry')::date) as expiry,
      sum(
        case when b.part is null then m.quantity else sign(m.quantity) * (b.part ->> 'quantity')::bigint end
      )::bigint as quantity
    from movements m
    left join lateral jsonb_array_elements(m.batches) b(part) on true
    where m.organisation = org and m.location = place and (which is null or m.item = any(which))
    group by 1, 2, 3
  ), numbered as (
    select n.item, n.room, array_agg(n.serial order by n.serial) as serials
    from (
      select m.item, m.room, s.serial
      from movements m
      cross join lateral unnest(m.serials) s(serial)
      where m.organisation = org
        and m.location = place
        and (which is null or m.item = any(which))
        and m.serials is not null
      group by 1, 2, 3
      having sum(sign(m.quantity)) > 0
    ) n
    group by 1, 2
  )
  select h.item, h.room, h.batch, h.expiry, h.quantity, n.serials
  from held h
  left join numbered n on n.item = h.item and n.room is not distinct from h.room
  where h.quantity <> 0 or n.serials is not null
$$;
grant execute on function stock_parts(int, uuid, uuid[]) to bahi_app;

-- What orders of these kinds hold of items at places, in the base unit: line by line what nothing was made of yet,
-- less what documents that name an order whole have delivered. A line that was given up holds nothing.
create function stock_reserved(org int, kinds text[], items uuid[], places uuid[])
returns table (document uuid, item uuid, location uuid, quantity bigint)
language sql stable as $$
  select
    d.id, l.item, d.location,
    greatest(
      sum(
        greatest(
          l.base_quantity - coalesce(
            (
              select sum(u.base_quantity)
              from document_lines u
              where u.organisation = org
                and u.source_document = l.document
                and u.source_line = l.line
                and not exists (select from cancellations g where g.organisation = org and g.document = u.document)
            ),
            0
          ),
          0
        )
      ) - coalesce(
        (
          select sum(u.base_quantity)
          from document_links k
          join document_lines u on u.organisation = org and u.document = k.target and u.item = l.item
          where k.organisation = org
            and k.source = d.id
            and k.role = 'order'
            and u.source_document is distinct from d.id
            and not exists (select from cancellations g where g.organisation = org and g.document = k.target)
        ),
        0
      ),
      0
    )::bigint
  from document_lines l
  join documents d on d.organisation = org and d.id = l.document
  where l.organisation = org
    and l.item = any(items)
    and d.kind = any(kinds)
    and (cardinality(places) = 0 or d.location = any(places))
    and not exists (select from cancellations c where c.organisation = org and c.document = d.id)
    and not exists (select from freed_orders f where f.organisation = org and f.document = d.id)
    and not exists (
      select from closed_lines x
      where x.organisation = org and x.document = l.document and x.line = l.line
    )
  group by d.id, l.item, d.location
$$;
grant execute on function stock_reserved(int, text[], uuid[], uuid[]) to bahi_app;

-- While a document stands that was made against this one (a cost that lies on the goods of a bill, a return, a
-- note), this one is not cancelled: the later document is cancelled first.
create function landed_before_cancellation() returns trigger
language plpgsql as $$
declare
  later text;
begin
  select f.number into later
  from document_links k
  join documents f on f.organisation = k.organisation and f.id = k.target
  where k.organisation = new.organisation
    and k.source = new.document
    and k.role = 'source'
    and f.kind = any(kinds_against())
    and not exists (
      select from cancellations c
      where c.organisation = k.organisation and c.document = k.target
    )
  limit 1;
  if found then
    raise exception '%', later using errcode = 'check_violation', constraint = 'cancellations_landed';
  end if;
  return new;
end
$$;
create trigger landed_before_cancellation before insert on cancellations
  for each row execute function landed_before_cancellation();
