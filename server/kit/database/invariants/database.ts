import { levels } from '../../../../contract/levels.ts';
import { differing } from '../catalogue.ts';
import type { Check } from './check.ts';

/** Levels that a role may grant. */
const grantable = Object.values(levels)
  .filter((level) => level !== levels.none)
  .join(', ');

const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/**
 * Foreign keys of the books: table, column, what it names, and how where that is not its id. They are proved once more of all rows, for a
 * superuser can switch a key off, and rows from before a key was there may not fit it.
 */
const bookKeys: readonly (readonly [table: string, column: string, target: string, as?: string])[] = [
  ['documents', 'organisation', 'organisations', 'true'],
  ['documents', 'registration', 'registrations'],
  ['documents', 'location', 'locations'],
  ['documents', 'to_location', 'locations'],
  ['documents', 'series', 'number_series'],
  ['documents', 'party', 'parties'],
  ['documents', 'reverses', 'documents'],
  ['documents', 'author', 'users'],
  ['document_lines', 'document', 'documents'],
  ['document_lines', 'item', 'items'],
  ['document_lines', 'ledger', 'ledgers'],
  ['document_lines', 'party', 'parties'],
  ['document_lines', 'source_document', 'document_lines', 'k.document = t.source_document and k.line = t.source_line'],
  ['entries', 'document', 'documents'],
  ['entries', 'ledger', 'ledgers'],
  ['entries', 'party', 'parties'],
  ['entries', 'registration', 'registrations'],
  ['entries', 'location', 'locations'],
  ['entries', 'cost_centre', 'cost_centres'],
  ['movements', 'document', 'documents'],
  ['movements', 'item', 'items'],
  ['movements', 'location', 'locations'],
  ['movements', 'room', 'masters'],
  ['movement_costs', 'document', 'movements', 'k.document = t.document and k.number = t.number'],
  ['movement_costs', 'cause', 'documents'],
  ['ledger_day_totals', 'ledger', 'ledgers'],
  ['ledger_day_totals', 'location', 'locations'],
  ['ledger_month_totals', 'ledger', 'ledgers'],
  ['ledger_month_totals', 'location', 'locations'],
  ['document_links', 'source', 'documents'],
  ['document_links', 'target', 'documents'],
  ['cancellations', 'document', 'documents'],
  ['cancellations', 'reversal', 'documents'],
  ['cancellations', 'by', 'users'],
  ['allocations', 'credit_document', 'documents'],
  ['allocations', 'invoice_document', 'documents'],
  ['allocations', 'cause', 'documents'],
  ['allocations', 'by', 'users'],
  ['open_items', 'document', 'documents'],
  ['open_items', 'party', 'parties'],
  ['item_balances', 'item', 'items'],
  ['item_balances', 'location', 'locations'],
  ['idempotency_keys', 'organisation', 'organisations', 'true'],
  ['idempotency_keys', 'user', 'users'],
];

/** The database itself: organisations apart, guards, seals, types and secrets. */
export const databaseChecks: readonly Check[] = [
  {
    id: 'INV-41',
    says:
      'Every table of an organisation has forced row-level security, with the policies that the product makes and no other, ' +
      'and the application owns nothing',
    uses: ['rowSecurity', 'rowSecurityMade'],
    sql: `
      select * from (${differing('rowSecurity')}) differing
      union all
      select null::int as organisation, c.relname::text as what
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'
        and c.relkind in ('r', 'p')
        and (
          pg_get_userbyid(c.relowner) = 'bahi_app'
            or (
              c.relname not in (select name from global_tables)
                and (
                  not c.relrowsecurity
                    or not c.relforcerowsecurity
                    or not exists (
                      select from pg_attribute a
                      where a.attrelid = c.oid and a.attname = 'organisation' and a.attnotnull
                    )
                    or not exists (
                      select from pg_policies p
                      where p.schemaname = 'public'
                        and p.tablename = c.relname
                        and 'bahi_app' = any(p.roles)
                        and p.qual like '%app.organisation%'
                        and p.with_check like '%app.organisation%'
                    )
                )
            )
        )
      union all
      select null, format('role %s passes by row-level security', rolname)
      from pg_roles
      where rolname = 'bahi_app' and (rolsuper or rolbypassrls or pg_has_role('bahi_app', 'bahi_owner', 'member'))
      union all
      select null, format('view %s does not ask as its reader', c.relname)
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'
        and c.relkind = 'v'
        and not coalesce(c.reloptions::text like '%security_invoker=true%', false)
    `,
  },
  {
    id: 'INV-42',
    says: 'Every foreign key between tables of an organisation holds the organisation',
    sql: `
      select null::int as organisation, format('%s of %s', conname, conrelid::regclass) as what
      from pg_constraint f
      where contype = 'f'
        and connamespace = 'public'::regnamespace
        and confrelid::regclass::text not in (select name from global_tables)
        and conrelid::regclass::text not in (select name from global_tables)
        and not exists (
          select from pg_attribute a
          where a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname = 'organisation'
        )
    `,
  },
  {
    id: 'INV-42b',
    says: 'Rows of the books name records of their own organisation only',
    sql: bookKeys
      .map(
        ([table, column, target, as = `k.id = t."${column}"`]) =>
          `select t.organisation, format('%s of ${table} %s is not there', '${column}', t."${column}") as what from ${table} t
        where t."${column}" is not null and not exists (select from ${target} k where k.organisation = t.organisation and ${as})`,
      )
      .join(' union all '),
  },
  {
    id: 'INV-43',
    says: 'Every unique index of an organisation begins with it',
    sql: `
      select null::int as organisation, i.indexrelid::regclass::text as what
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'
        and i.indisunique
        and c.relname not in (select name from global_tables)
        and c.relname <> 'organisations'
        and (
          select attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        ) <> 'organisation'
    `,
  },
  {
    id: 'INV-44a',
    says: 'Every posted document is in the edit log once',
    sql: `
      select organisation, format('document %s is logged %s times', id, coalesce(times, 0)) as what
      from documents d
      full join (
        select organisation, row_id::uuid as id, count(*) as times
        from edit_log
        where relation = 'documents' and action = 'post'
        group by 1, 2
      ) l using (organisation, id)
      where times is distinct from 1 or d.kind is null
    `,
  },
  {
    id: 'INV-44b',
    says: 'The seals chain: each row of the log is as it was sealed, and none is missing',
    sql: `
      select organisation, format('seal %s does not follow', sequence) as what
      from (
        select s.*, lag(seal) over w as before, row_number() over w as place
        from seals s
        window w as (partition by organisation order by sequence)
      ) x
      where place <> sequence
        or previous is distinct from before
        or seal <> sha256(coalesce(previous, ''::bytea) || digest)
      union all
      select s.organisation, format('row %s of the log was changed, or its document', s.log)
      from seals s
      left join edit_log l on l.organisation = s.organisation and l.id = s.log
      where l.id is null or log_digest(l) <> s.digest
      union all
      select l.organisation, format('row %s of the log is not sealed since %s: the server seals it when it is started', l.id, l.at)
      from edit_log l
      where l.at < now() - interval '10 minutes'
        and not exists (select from seals s where s.organisation = l.organisation and s.log = l.id)
    `,
  },
  {
    id: 'INV-44c',
    says: 'Each trigger, function and right is as the product makes it, and nobody has switched a guard off',
    uses: ['guards', 'guardsMade'],
    sql: `
      select * from (${differing('guards')}) differing
      union all
      select null, format('the key of %s to %s is switched off', tgrelid::regclass, tgconstrrelid::regclass)
      from pg_trigger
      where tgisinternal and tgconstrrelid <> 0 and tgenabled <> 'O'
      union all
      select null, format('%s has lost its key of %s', k.name, k.key)
      from unnest(
        array[${list(bookKeys.map(([table]) => table))}],
        array[${list(bookKeys.map(([, column]) => column))}],
        array[${list(bookKeys.map(([, , target]) => target))}]
      ) k(name, key, target)
      where not exists (
        select from pg_constraint f
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
        where f.contype = 'f'
          and f.conrelid = k.name::regclass
          and f.confrelid = k.target::regclass
          and a.attname = k.key
      )
      union all
      select
        null,
        format('a setting of %s switches triggers off: %s', coalesce(r.rolname, 'the database'), s.setting)
      from (select setdatabase, setrole, unnest(setconfig) as setting from pg_db_role_setting) s
      left join pg_roles r on r.oid = s.setrole
      where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and s.setting ~ '^session_replication_role='
        and s.setting <> 'session_replication_role=origin'
      union all
      select null, 'session_replication_role switches triggers off: ' || current_setting('session_replication_role')
      where current_setting('session_replication_role') <> 'origin'
    `,
  },
  {
    id: 'INV-44g',
    says: 'Each table has the columns, keys and checks that the product makes, and no others',
    uses: ['tables', 'tablesMade'],
    sql: `select * from (${differing('tables')}) differing`,
  },
  {
    id: 'INV-44e',
    says: 'Who is an operator of the installation was made one, and who was made one is one until the right is taken',
    sql: `
      with
        logged as (
          select distinct on (u.person) u.person, l.action
          from edit_log l
          join users u on u.organisation = l.organisation and u.id::text = l.row_id
          where l.relation = 'security' and l.action in ('operatorGiven', 'operatorTaken')
          order by u.person, l.id desc
        )
      select
        null::int as organisation,
        format('%s is %s operator, and the log says otherwise', p.email, case when p.operator then 'an' else 'no' end) as what
      from people p
      left join logged t on t.person = p.id
      where p.operator <> (t.action is not distinct from 'operatorGiven')
    `,
  },
  {
    id: 'INV-44f',
    says: 'A file is what its digest says, each record that names one has it, and the main code of an item is the one in its record',
    sql: `
      select organisation, format('file %s is not what its digest says', digest) as what
      from files
      where digest <> encode(sha256(bytes), 'hex')
      union all
      select n.organisation, format('%s %s names the file %s, which is gone', n.relation, n.record, n.digest)
      from (
        select organisation, 'document' as relation, document::text as record, digest
        from document_files
        union all
        select organisation, 'record', record::text, digest
        from record_files
        union all
        select organisation, 'mail', mail::text, digest
        from mail_papers
        union all
        select organisation, 'item', item::text, digest
        from item_pictures
        union all
        select organisation, 'organisation', code, body ->> 'logo'
        from organisations
        union all
        select organisation, 'small picture', digest, digest
        from thumbnails
      ) n
      left join files f on f.organisation = n.organisation and f.digest = n.digest
      where n.digest is not null and f.digest is null
      union all
      select
        coalesce(i.organisation, b.organisation),
        format('item %s has the code %s, and %s is read for it', coalesce(i.id, b.item), i.barcode, b.barcode)
      from (select organisation, id, barcode from items where coalesce(barcode, '') <> '') i
      full join (select organisation, item, barcode from item_barcodes where main) b
        on b.organisation = i.organisation and b.item = i.id
      where i.barcode is distinct from b.barcode
    `,
  },
  {
    id: 'INV-46',
    says: 'The log of credentials, people and sign-ins keeps no secret, and of a secret nothing but a digest',
    sql: `
      select organisation, format('row %s of the log, %s', id, relation) as what
      from edit_log
      cross join lateral (select coalesce(before, '{}') || coalesce(after, '{}') as either) e
      where relation in (
        'security', 'users', 'credentials', 'people', 'recovery_codes', 'payment_gateways', 'payment_links',
        'access_tokens', 'webhooks'
      )
        and (
          either ?| array['secret', 'password', 'password_hash', 'totp_secret', 'log_salt', 'token', 'tokens', 'code']
            or (either ? 'digest' and relation not in ('payment_links', 'access_tokens'))
            or exists (
              select from (select * from jsonb_each_text(before) union all select * from jsonb_each_text(after)) f
              where f.key like '%\\_digest' and f.value !~ '^[0-9a-f]{64}$'
            )
        )
    `,
  },
  {
    id: 'INV-47',
    says: 'A grant is of one of the four levels',
    sql: `
      select organisation, format('role %s: screen %s at %s', role, screen, level) as what
      from role_grants
      where level not in (${grantable})
    `,
  },
  {
    id: 'INV-48',
    says: 'A session ends with the day of work at the latest, and belongs to who is active where it works',
    sql: `
      select organisation, format('session of %s from %s until %s', person, created_at, expires_at) as what
      from sessions
      where expires_at > created_at + interval '12 hours'
      union all
      select organisation, format('a session of %s was used after the place there had ended', person)
      from sessions s
      where seen_at > now() - interval '1 minute'
        and not exists (select from users u where u.person = s.person and u.active)
        and not exists (
          select from edit_log l
          join users u on u.organisation = l.organisation and u.id::text = l.row_id
          where u.person = s.person and l.relation = 'users' and l.at > now() - interval '1 minute'
        )
    `,
  },
  {
    id: 'INV-50',
    says: 'No column is a float, and no instant lacks its zone',
    sql: `
      select null::int as organisation, format('%s.%s', table_name, column_name) as what
      from information_schema.columns
      where table_schema = 'public' and data_type in ('real', 'double precision', 'timestamp without time zone')
    `,
  },
  {
    id: 'INV-51',
    says: 'Rates and percentages are not negative, and amounts no greater than ₹99,99,99,99,999.99',
    sql: `
      select organisation, format('document %s line %s', document, line) as what
      from document_lines
      where rate < 0
        or gst_rate not between 0 and 1000000
        or abs(value) > 9999999999999
        or abs(quantity) > 1000000000000000
      union all
      select organisation, format('document %s is over %s paise', id, total)
      from documents
      where abs(total) > 9999999999999
      union all
      select organisation, format('document %s leg %s', document, leg)
      from entries
      where debit > 9999999999999 or credit > 9999999999999
    `,
  },
  {
    id: 'INV-52',
    says: 'Dates of the books have no time',
    sql: `
      select null::int as organisation, format('%s.%s', table_name, column_name) as what
      from information_schema.columns
      where table_schema = 'public'
        and column_name in ('date', 'due_date', 'day', 'month', 'locked_through', 'last_date')
        and data_type <> 'date'
    `,
  },
  {
    id: 'INV-53',
    says: 'Names hold no control characters and no overrides of writing direction',
    sql: `
      select organisation, format('%s %s', relation, id) as what
      from (
        select organisation, 'party' as relation, id, name as said
        from parties
        union all
        select organisation, 'item', id, name
        from items
        union all
        select organisation, 'ledger', id, name
        from ledgers
        union all
        select organisation, 'document', id, concat(number, party_name, reference)
        from documents
        union all
        select organisation, 'line of', document, description
        from document_lines
      ) t
      where said ~ E'[\\x01-\\x09\\x0b-\\x1f\\x7f\\u202a-\\u202e\\u2066-\\u2069]'
    `,
  },
];
