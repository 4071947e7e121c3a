-- Another wording of a refusal.
-- A move starts from the order's present stage, by an action of its version; the order is then at the stage that
-- the action leads to. Nobody approves their own order: where a stage is an approval, whoever entered the order
-- does not bring it on from there; they may turn it away. Versions without such a stage ask for no approval.
create or replace function workflow_moved() returns trigger
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
