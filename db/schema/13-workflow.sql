-- Orders that go through stages. A definition is written as a draft and published as a version that nothing changes
-- any more; an order that was posted under one stays on it. Where an order stands follows from its moves and is
-- never written by itself: posting an order starts it, a move brings it on, both by triggers, so that no way of
-- writing can forget either.

create table workflows (
  organisation int not null references organisations,
  id uuid not null,
  family text not null
    check (family in ('saleOrders', 'saleReturnOrders', 'purchaseOrders', 'purchaseReturnOrders')),
  version int not null check (version > 0),
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'retired', 'cancelled')),
  stages jsonb not null,
  actions jsonb not null,
  author uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  published_by uuid,
  published_at timestamptz,
  ended_by uuid,
  ended_at timestamptz,
  revision int not null default 1,
  primary key (organisation, id),
  unique (organisation, family, version),
  foreign key (organisation, author) references users,
  foreign key (organisation, published_by) references users,
  foreign key (organisation, ended_by) references users
);
-- One that is being written, and one that new orders follow.
create unique index workflows_draft on workflows (organisation, family) where status = 'draft';
create unique index workflows_published on workflows (organisation, family) where status = 'published';
grant select, insert, update on workflows to bahi_app;

-- Where an order stands; kept by the triggers below alone.
create table workflow_orders (
  organisation int not null,
  document uuid not null,
  workflow uuid not null,
  stage text not null,
  moves int not null,
  since timestamptz not null,
  due_at timestamptz,
  onward boolean not null,
  ended boolean not null,
  primary key (organisation, document),
  foreign key (organisation, document) references documents,
  foreign key (organisation, workflow) references workflows
);
create index workflow_orders_stage on workflow_orders (organisation, workflow, stage);
grant select on workflow_orders to bahi_app;

-- Each step of an order, the first (without an action) being its start.
create table workflow_moves (
  organisation int not null,
  document uuid not null,
  number int not null,
  action text,
  from_stage text,
  to_stage text not null,
  comment text not null default '',
  by uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, document, number),
  foreign key (organisation, document) references workflow_orders,
  foreign key (organisation, by) references users,
  check ((number = 1) = (action is null) and (action is null) = (from_stage is null))
);
grant select, insert on workflow_moves to bahi_app;

-- The family of orders that a kind belongs to, as `domain/document/kinds` has it. A test compares them.
create function workflow_family(kind text) returns text
language sql immutable as $$
  select case kind
    when 'saleOrder' then 'saleOrders'
    when 'workflowOrder' then 'saleOrders'
    when 'saleReturnOrder' then 'saleReturnOrders'
    when 'returnOrder' then 'saleReturnOrders'
    when 'purchaseOrder' then 'purchaseOrders'
    when 'purchaseReturnOrder' then 'purchaseReturnOrders'
  end
$$;
grant execute on function workflow_family(text) to bahi_app;

-- The kinds that are made from an order whatever its stage: money moves before goods do.
create function workflow_free() returns text[]
language sql immutable as $$
  select array['advanceReceipt', 'advancePayment']
$$;
grant execute on function workflow_free() to bahi_app;

-- Whether orders of a family follow stages: switched on, and the module has not ended (the core goes on without
-- it).
create function workflow_on(org int, asked text) returns boolean
language sql stable as $$
  select coalesce(
    (
      o.settings ->> case asked
        when 'saleOrders' then 'isSaleOrderWfenabled'
        when 'saleReturnOrders' then 'isSaleReturnOrderWfenabled'
        when 'purchaseOrders' then 'isPurchaseOrderWfenabled'
        else 'isPurchaseReturnOrderWfenabled'
      end
    )::boolean,
    false
  )
    and exists (
      select from subscriptions s
      where s.organisation = org
        and 'workflow' = any(s.modules)
        and (s.ends_on is null or s.ends_on >= (now() at time zone 'Asia/Kolkata')::date)
    )
  from organisations o
  where o.organisation = org
$$;
grant execute on function workflow_on(int, text) to bahi_app;

-- A stage of a version, by its key.
create function workflow_stage(stages jsonb, key text) returns jsonb
language sql immutable as $$
  select s from jsonb_array_elements(stages) s where s ->> 'key' = key
$$;
grant execute on function workflow_stage(jsonb, text) to bahi_app;

-- The name of the stage that keeps an order from being continued; null: nothing does.
create function workflow_held(org int, ordered uuid) returns text
language sql stable as $$
  select workflow_stage(w.stages, o.stage) ->> 'name'
  from workflow_orders o
  join workflows w on w.organisation = o.organisation and w.id = o.workflow
  where o.organisation = org and o.document = ordered and not o.onward and workflow_on(org, w.family)
$$;
grant execute on function workflow_held(int, uuid) to bahi_app;

-- Puts an order on the published version of its family; nothing when there is none.
create function workflow_begin(org int, ordered uuid, family_asked text, who uuid) returns boolean
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  w workflows;
  s jsonb;
begin
  if org is distinct from nullif(current_setting('app.organisation', true), '')::int then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  -- twice: who waited for a version that was just followed by another sees that one with the second look
  for look in 1 .. 2 loop
    select * into w
    from workflows
    where organisation = org and family = family_asked and status = 'published'
    for share;
    exit when found;
  end loop;
  if w.id is null then
    return false;
  end if;
  select e into s
  from jsonb_array_elements(w.stages) e
  where (e ->> 'start')::boolean;
  insert into workflow_orders (organisation, document, workflow, stage, moves, since, due_at, onward, ended)
  values (org, ordered, w.id, s ->> 'key', 0, clock_timestamp(), null, false, false);
  insert into workflow_moves (organisation, document, number, action, from_stage, to_stage, by)
  values (org, ordered, 1, null, null, s ->> 'key', who);
  return true;
end
$$;
revoke all on function workflow_begin(int, uuid, text, uuid) from public;
grant execute on function workflow_begin(int, uuid, text, uuid) to bahi_app;

-- A version that was published stays as it was; it is only followed by another, or given up.
create function workflow_kept() returns trigger
language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('draft', 'draft'), ('draft', 'published'), ('draft', 'cancelled'), ('published', 'retired'),
    ('published', 'cancelled')
  )
    or old.status <> 'draft'
      and (new.name, new.stages, new.actions, new.published_by, new.published_at) is distinct from (
        old.name, old.stages, old.actions, old.published_by, old.published_at
      )
    or (new.family, new.version, new.author, new.created_at) is distinct from (
      old.family, old.version, old.author, old.created_at
    ) then
    raise exception 'a published version of a workflow is not changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger workflow_kept before update on workflows for each row execute function workflow_kept();

-- Posting an order starts it in the same transaction. The trigger's condition is looked at for every document, so
-- it costs next to nothing.
create function workflow_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if workflow_family(new.kind) is not null and workflow_on(new.organisation, workflow_family(new.kind)) then
    perform workflow_begin(new.organisation, new.id, workflow_family(new.kind), new.author);
  end if;
  return null;
end
$$;
create trigger workflow_posted after insert on documents
  for each row
  when (new.reverses is null and new.kind like '%Order')
  execute function workflow_posted();

-- A move starts from the order's present stage, by an action of its version; the order is then at the stage that
-- the action leads to. Nobody approves their own order: where a stage is an approval, whoever entered the order
-- does not bring it on from there; they may turn it away. Versions without such a stage ask for no approval.
create function workflow_moved() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  o workflow_orders;
  w workflows;
  s jsonb;
  a jsonb;
begin
  select * into o
  from workflow_orders
  where organisation = new.organisation and document = new.document
  for update;
  select * into w
  from workflows
  where organisation = o.organisation and id = o.workflow;
  s := workflow_stage(w.stages, new.to_stage);
  select e into a
  from jsonb_array_elements(w.actions) e
  where e ->> 'key' = new.action and e ->> 'from' = new.from_stage and e ->> 'to' = new.to_stage;
  if new.number <> o.moves + 1
    or s is null
    or new.action is not null and (new.from_stage <> o.stage or o.ended or a is null)
  then
    raise exception 'this move does not go on from where the order stands'
      using errcode = 'check_violation', constraint = 'workflow_moves_on';
  end if;
  if (workflow_stage(w.stages, new.from_stage) ->> 'approval')::boolean
    and not (a ->> 'destructive')::boolean
    and exists (
      select from documents d
      where d.organisation = new.organisation and d.id = new.document and d.author = new."by"
    ) then
    raise exception 'nobody approves their own order'
      using errcode = 'check_violation', constraint = 'workflow_moves_own';
  end if;
  update workflow_orders
  set
    stage = new.to_stage, moves = new.number, since = new.at,
    due_at = new.at + make_interval(hours => (s ->> 'slaHours')::int), onward = (s ->> 'onward')::boolean,
    ended = (s ->> 'end')::boolean
  where organisation = new.organisation and document = new.document;
  return null;
end
$$;
create trigger workflow_moved after insert on workflow_moves for each row execute function workflow_moved();

-- Nothing is made from an order whose stage does not allow it, however the document came about.
create function workflow_held_back() returns trigger
language plpgsql as $$
declare
  stage text := workflow_held(new.organisation, new.source);
begin
  if stage is not null
    and not exists (
      select from documents d
      where d.organisation = new.organisation and d.id = new.target and d.kind = any(workflow_free())
    ) then
    raise exception '%',
      (select d.number from documents d where d.organisation = new.organisation and d.id = new.source)
        || E'\n' || stage
      using errcode = 'check_violation', constraint = 'workflow_held';
  end if;
  return null;
end
$$;
create trigger workflow_held after insert on document_links
  for each row
  when (new.role in ('source', 'order'))
  execute function workflow_held_back();
