-- The edit log (rule 3(1) of the Companies (Accounts) Rules): who changed what, before and after, written by
-- triggers, append-only. Rows are sealed into a chain, so that none can be changed or left out unseen, and the
-- seals are signed once a day outside the database (ADR 14). Whoever may sign in, by what, and as what is held in
-- step with the log, and so is every secret: the log keeps a digest of it, never the secret, and the verifier
-- compares the digest of what is there now with the last one that was logged (ADR 61).
--
-- Names of tables and columns are part of what is sealed: renaming one breaks the proof of older rows.

create table edit_log (
  organisation int not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  who uuid,
  origin text not null default '',
  action text not null,
  relation text not null,
  row_id text not null,
  before jsonb,
  after jsonb,
  primary key (organisation, id)
);
create index edit_log_xid on edit_log (xid, id);
create index edit_log_row on edit_log (organisation, relation, row_id, id);
-- The security log is read on its own among very many rows of documents.
create index edit_log_security
  on edit_log (organisation, id)
  where relation in (
    'security', 'users', 'roles', 'role_grants', 'user_roles', 'user_locations', 'groups', 'group_roles',
    'group_members', 'group_locations', 'credentials', 'locks', 'organisations', 'people'
  );
grant select on edit_log to bahi_app;

-- The chain of an organisation: each seal is the SHA-256 of the one before and of the digest of its row of the log.
create table seals (
  organisation int not null,
  sequence bigint not null,
  log bigint not null,
  xid xid8 not null,
  digest bytea not null,
  previous bytea,
  seal bytea not null,
  at timestamptz not null default clock_timestamp(),
  primary key (organisation, sequence),
  unique (organisation, log)
);
-- The sealer begins where the last seal was made.
create index seals_at on seals (at, sequence);
grant select on seals to bahi_app;

-- The user that the application has named for the transaction.
create function log_user() returns uuid
language sql stable as $$
  select nullif(current_setting('app.user', true), '')::uuid
$$;

-- Who wrote: the application names the user of the transaction; anything else shows the role of the database.
create function log_origin() returns text
language sql stable as $$
  select coalesce(nullif(current_setting('app.origin', true), ''), session_user)
$$;

-- With a salt that stays in the database, a short secret cannot be tried out by whoever has the log alone.
create function salted_digest(salt uuid, secret text) returns text
language sql immutable as $$
  select encode(sha256(convert_to(salt::text || secret, 'UTF8')), 'hex')
$$;

-- Who a person is, and what they sign in with. What moves at each sign-in, and what they chose for themselves,
-- is left out.
create function person_record(p people) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'person', p.id, 'email', p.email, 'name', p.name, 'operator', p.operator,
    'password_digest', salted_digest(p.log_salt, p.password_hash),
    'second_factor_digest', salted_digest(p.log_salt, encode(p.totp_secret, 'hex')),
    'issuer_digest', salted_digest(p.log_salt, p.issuer || ' ' || p.subject)
  )
$$;

-- A recovery code as the log keeps it: whose it is, and whether it was used.
create function recovery_code_record(r recovery_codes) returns jsonb
language sql stable
set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'person', r.person, 'code_digest', salted_digest(p.log_salt, encode(r.digest, 'hex')),
    'used', r.used_at is not null
  )
  from people p
  where p.id = r.person
$$;

-- A record as the log keeps it. What is in `secret` is sealed under the master key with a number used once, so
-- that its digest tells nothing, not even whether two secrets are the same. What was said to a portal and answered is
-- long and is kept in its own table: the log has its digest. `search` follows from other columns.
create function logged_record(record jsonb) returns jsonb
language sql immutable as $$
  select case
    when record ?| array['secret', 'request', 'response']
      then (record - array['secret', 'request', 'response', 'search']) || (
        select jsonb_object_agg(
          name || '_digest', encode(sha256(convert_to(record ->> name, 'UTF8')), 'hex')
        )
        from unnest(array['secret', 'request', 'response']) name
        where record ? name
      )
    else record - 'search'
  end
$$;

-- Before and after of every change of a row that may change; of a secret its digest.
create function log_change() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  old_row jsonb;
  new_row jsonb;
  one jsonb;
begin
  if tg_op <> 'INSERT' then
    old_row := to_jsonb(old);
    old_row := logged_record(old_row);
  end if;
  if tg_op <> 'DELETE' then
    new_row := to_jsonb(new);
    new_row := logged_record(new_row);
  end if;
  if old_row is not distinct from new_row then
    return null;
  end if;
  one := coalesce(new_row, old_row);
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  values
    (
      (one ->> 'organisation')::int, log_user(), log_origin(), lower(tg_op), tg_table_name,
      coalesce(
        one ->> 'id', one ->> 'document', one ->> 'target', one ->> 'effect', one ->> 'role', one ->> 'user', one ->> 'registration',
        one ->> 'organisation'
      ),
      old_row, new_row
    );
  return null;
end
$$;

-- One log row for each posted document: its rows are their own record, the seal takes their digest. It names who
-- posted: the author (posts of several users go in one transaction), or who approved, where an approval was waited
-- for; the approval is written before its document, in the same transaction. Nobody is named where the application
-- has named nobody. What a program posted names its access token.
create function log_posted() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id)
  select
    d.organisation, case when log_user() is not null then coalesce(a.approved_by, d.author) end,
    coalesce('token: ' || (d.body ->> 'token'), log_origin()), 'post', 'documents', d.id::text
  from added d
  left join approvals a on a.organisation = d.organisation and a.document = d.id;
  return null;
end
$$;
create trigger log_posted after insert on documents
  referencing new table as added
  for each statement execute function log_posted();

-- The log of an organisation begins with a person when they are named in it.
create function log_person() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into edit_log (organisation, who, origin, action, relation, row_id, before)
    select old.organisation, log_user(), log_origin(), 'delete', r.relation, old.id::text, r.record
    from (
      select 'people' as relation, person_record(p) as record
      from people p
      where p.id = old.person
      union all
      select 'recovery_codes', recovery_code_record(c)
      from recovery_codes c
      where c.person = old.person
    ) r;
  end if;
  if tg_op <> 'DELETE' then
    -- who changes the person at the same moment is waited for, or waits and then tells it here as well
    perform from people where id = new.person for share;
    insert into edit_log (organisation, who, origin, action, relation, row_id, after)
    select new.organisation, log_user(), log_origin(), 'insert', r.relation, new.id::text, r.record
    from (
      select 'people' as relation, person_record(p) as record
      from people p
      where p.id = new.person
      union all
      select 'recovery_codes', recovery_code_record(c)
      from recovery_codes c
      where c.person = new.person
    ) r;
  end if;
  return null;
end
$$;
create trigger log_person after insert or delete on users for each row execute function log_person();
create trigger log_person_of_another after update of person on users
  for each row
  when (old.person is distinct from new.person)
  execute function log_person();

-- One record in the log of every organisation that names the person: a person belongs to none, and each proves its
-- own log.
create function log_of_person(asked uuid, what text, relation text, was jsonb, now_is jsonb) returns void
language sql
set search_path = public, pg_temp as $$
  insert into edit_log (organisation, who, origin, action, relation, row_id, before, after)
  select
    u.organisation,
    case when u.organisation = nullif(current_setting('app.organisation', true), '')::int then log_user() end,
    log_origin(), what, relation, u.id::text, was, now_is
  from users u
  where u.person = asked
  order by u.organisation
$$;
revoke all on function log_of_person(uuid, text, text, jsonb, jsonb) from public;

-- Of a person only what their record in the log has.
create function log_change_of_person() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  was jsonb := person_record(old);
  now_is jsonb := person_record(new);
begin
  if was is distinct from now_is then
    perform log_of_person(new.id, 'update', 'people', was, now_is);
  end if;
  return null;
end
$$;
create trigger log_change_of_person after update on people for each row execute function log_change_of_person();

create function log_change_of_recovery_code() returns trigger
language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  whose uuid := case when tg_op = 'DELETE' then old.person else new.person end;
  was jsonb;
  now_is jsonb;
begin
  -- who joins an organisation meanwhile is waited for: their codes are told there by one of the two
  perform from people where id = whose for no key update;
  if tg_op <> 'INSERT' then
    was := recovery_code_record(old);
  end if;
  if tg_op <> 'DELETE' then
    now_is := recovery_code_record(new);
  end if;
  if was is distinct from now_is then
    perform log_of_person(whose, lower(tg_op), 'recovery_codes', was, now_is);
  end if;
  return null;
end
$$;
create trigger log_change_of_person after insert or update or delete on recovery_codes
  for each row execute function log_change_of_recovery_code();

-- Sign-ins, failures, refusals and exports are written to the edit log itself: it is append-only, sealed, signed once
-- a day and exported with its verifier, and nobody can write one of the two and not the other. Such rows have the
-- relation `security`; what it was is the action, whom or what it was about the row_id, and the rest stands in
-- `after`. Secrets stand nowhere.
create function log_security(what text, about text, details jsonb) returns void
language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into edit_log (organisation, who, origin, action, relation, row_id, after)
  values
    (
      nullif(current_setting('app.organisation', true), '')::int, log_user(), log_origin(), what, 'security', about,
      details
    );
end
$$;
revoke all on function log_security(text, text, jsonb) from public;
grant execute on function log_security(text, text, jsonb) to bahi_app;

-- What happens at sign-in concerns every organisation that the person works in: a session opens all of them.
create function log_security_of(asked uuid, what text, details jsonb) returns void
language sql security definer
set search_path = public, pg_temp as $$
  insert into edit_log (organisation, who, origin, action, relation, row_id, after)
  select m.organisation, m."user", log_origin(), what, 'security', m."user"::text, details
  from memberships_of(asked) m
$$;
revoke all on function log_security_of(uuid, text, jsonb) from public;
grant execute on function log_security_of(uuid, text, jsonb) to bahi_app;

-- What a posted document says, every column, in one fixed text, whatever columns later versions add: nulls keep
-- their place, so that no value can move unseen. The text is what is sealed, so that a customer can verify the log
-- away from this database. It must stay byte for byte the same for documents that are sealed.
create function document_text(org int, doc uuid) returns text
language sql stable as $$
  select
    coalesce(
      (
        select json_build_array(
          json_build_array(
            id, kind, numbering, registration, location, to_location, financial_year, number, series, date,
            due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type,
            reverse_charge
          ),
          json_build_array(
            currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable,
            foreign_total, reference, reverses, author,
            to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), body
          )
        )::text
        from documents
        where organisation = org and id = doc
      ),
      ''
    ) || coalesce(
      (
        select string_agg(
          json_build_array(
            line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment,
            gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line, body
          )::text,
          E'\n'
          order by line
        )
        from document_lines
        where organisation = org and document = doc
      ),
      ''
    ) || coalesce(
      (
        select string_agg(
          json_build_array(
            leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate,
            debit, credit
          )::text,
          E'\n'
          order by leg
        )
        from entries
        where organisation = org and document = doc
      ),
      ''
    ) || coalesce(
      (
        select string_agg(
          json_build_array(
            number, line, date, sequence, item, location, quantity, stated_value, room, batches, to_jsonb(serials)
          )::text,
          E'\n'
          order by number
        )
        from movements
        where organisation = org and document = doc
      ),
      ''
    )
    -- costs that other documents revise later are sealed with those documents
    || coalesce(
      (
        select string_agg(
          json_build_array(document, number, revision, cost)::text, E'\n'
          order by document, number, revision
        )
        from (
          select *
          from movement_costs
          where organisation = org and document = doc and revision = 0
          union all
          select *
          from movement_costs
          where organisation = org and cause = doc and revision > 0
        ) c
      ),
      ''
    )
$$;
grant execute on function document_text(int, uuid) to bahi_app;

-- A row of the log as one fixed text: what is sealed of it.
create function log_text(l edit_log) returns text
language sql stable as $$
  select jsonb_build_array(
    l.organisation, l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), l.xid::text, l.who,
    l.origin, l.action, l.relation, l.row_id, l.before, l.after
  )::text
$$;
grant execute on function log_text(edit_log) to bahi_app;

create function document_digest(org int, doc uuid) returns bytea
language sql stable as $$
  select sha256(convert_to(document_text(org, doc), 'UTF8'))
$$;

-- What is sealed of a row of the log; of one that says a document was posted, with the document.
create function log_digest(l edit_log) returns bytea
language sql stable as $$
  select sha256(
    convert_to(log_text(l), 'UTF8')
      || case when l.relation = 'documents' then document_digest(l.organisation, l.row_id::uuid) else ''::bytea end
  )
$$;

-- Chains what finished transactions have logged, in the order of their ids, and says how many rows it sealed;
-- called about each second by the owner's role. A transaction older than the oldest running one can write nothing
-- more. In a database restored elsewhere the ids of transactions begin anew: then what the old one left unsealed
-- comes first. The seal before is asked for once for a run of rows of one organisation, and not for each.
create function seal_finished(most int default 5000) returns int
language plpgsql as $$
declare
  line record;
  last record;
  sealed int := 0;
  known int;
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  unborn xid8 := pg_snapshot_xmax(pg_current_snapshot());
  done xid8 := coalesce(
    (
      select s.xid
      from seals s
      order by s.at desc, s.sequence desc
      limit 1
    ),
    '0'::xid8
  );
  elsewhere boolean := done >= unborn;
begin
  if not pg_try_advisory_xact_lock(62614) then
    return 0;
  end if;
  if elsewhere then
    done := '0'::xid8;
  end if;
  for line in
    select l.organisation, l.id, l.xid, log_digest(l) as link
    from edit_log l
    where ((l.xid >= done and l.xid < horizon) or (elsewhere and l.xid >= unborn))
      and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id)
    order by l.xid < unborn, l.xid, l.id
    limit most
  loop
    if line.organisation is distinct from known then
      select s.sequence, s.seal into last
      from seals s
      where s.organisation = line.organisation
      order by s.sequence desc
      limit 1;
      known := line.organisation;
    end if;
    insert into seals as s (organisation, sequence, log, xid, digest, previous, seal)
    values
      (
        line.organisation, coalesce(last.sequence, 0) + 1, line.id, line.xid, line.link, last.seal,
        sha256(coalesce(last.seal, ''::bytea) || line.link)
      )
    returning s.sequence, s.seal into last;
    sealed := sealed + 1;
  end loop;
  return sealed;
end
$$;
revoke all on function seal_finished(int) from public;

-- Every change of these tables is logged row by row. Which till session a document belongs to is in the document
-- too, which is logged when it is posted.
do $$
declare
  name text;
begin
  foreach name in array array[
    'access_tokens', 'allocations', 'bank_clearings', 'bank_formats', 'bank_lines', 'bank_rules', 'cancellations',
    'chosen_places',
    'closed_lines', 'cost_centres', 'count_lines', 'count_sheets', 'counted', 'credentials', 'document_comments',
    'document_files', 'einvoices', 'eway_bills', 'exchange_rates', 'exchange_revaluation_lines',
    'exchange_revaluation_money', 'exchange_revaluation_turns', 'exchange_revaluations', 'freed_orders',
    'group_locations', 'group_members', 'group_roles', 'groups', 'gst_filings', 'gst_furnished', 'gst_returns_kept',
    'gst_returns_unmarked', 'help_texts', 'item_pictures', 'items', 'later_facts', 'ledgers', 'locations', 'locks',
    'mail_papers', 'mails', 'masters', 'number_series', 'organisations', 'parties', 'payment_events',
    'payment_gateways', 'payment_links', 'posting_map', 'record_files', 'recurring_bills', 'recurring_turns', 'register_locks',
    'registration_statuses', 'registrations', 'revaluations', 'role_grants', 'roles', 'saved_views',
    'subscription_requests', 'subscriptions', 'tax_certificates', 'tax_challan_parts', 'tax_challans', 'taxpayers',
    'tds_certificates', 'till_numbers', 'till_sessions', 'user_locations', 'user_roles', 'users', 'webhooks', 'workflow_moves',
    'workflow_orders', 'workflows', 'year_closings'
  ] loop
    execute format(
      'create trigger log_change after insert or update or delete on %I for each row execute function log_change()',
      name
    );
  end loop;
end
$$;
create trigger log_change after insert on approvals for each row execute function log_change();
create trigger log_change after insert on einvoice_attempts for each row execute function log_change();
create trigger log_change after insert on eway_attempts for each row execute function log_change();
-- what else a document is linked with, it says itself
create trigger log_change_new after insert on document_links
  for each row
  when (new.role = 'revision')
  execute function log_change();
-- The edit log has who sent what for approval, withdrew or rejected it, but not what is typed in between.
create trigger log_change after update on drafts
  for each row
  when (old.submitted_at is distinct from new.submitted_at or old.rejected_at is distinct from new.rejected_at)
  execute function log_change();
create trigger log_change_gone after delete on item_barcodes
  for each row
  when (not old.main)
  execute function log_change();
-- the main code is in the log with its item
create trigger log_change_new after insert on item_barcodes
  for each row
  when (not new.main)
  execute function log_change();
