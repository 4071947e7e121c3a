-- Sign-ins, failures, refusals and exports are told in the edit log itself: it is append-only, sealed, signed once a day and
-- exported with its verifier, and nobody can write one of the two and not the other. Such rows have the relation `security`;
-- what it was is the action, whom or what it was about the row_id, and the rest stands in `after`. Secrets stand nowhere.
create function log_security(what text, about text, details jsonb) returns void language plpgsql security definer set search_path = public as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id, after)
  values (nullif(current_setting('app.organisation', true), '')::int, log_user(), log_origin(), what, 'security', about, details);
end $$;

-- What happens at the door concerns every organisation that the person works in: a session opens all of them.
create function log_security_of(asked uuid, what text, details jsonb) returns void language sql security definer set search_path = public as $$
  insert into edit_log (organisation, who, origin, action, relation, row_id, after)
  select m.organisation, m."user", log_origin(), what, 'security', m."user"::text, details from memberships_of(asked) m
$$;
revoke all on function log_security(text, text, jsonb), log_security_of(uuid, text, jsonb) from public;
grant execute on function log_security(text, text, jsonb), log_security_of(uuid, text, jsonb) to bahi_app;

-- The security log is read on its own among very many rows of documents.
create index edit_log_security on edit_log (organisation, id) where relation in ('security', 'users', 'roles', 'role_grants', 'user_roles', 'user_locations', 'groups', 'group_roles', 'group_members', 'credentials', 'locks', 'organisations');
