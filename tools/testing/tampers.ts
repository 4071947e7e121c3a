/** What a superuser does past every guard, and the checks that must find it. */
export const tampers: readonly (readonly [what: string, sql: string, found: readonly string[]])[] = [
  [
    'an amount',
    `update entries set debit = debit + 1 where document = $1 and debit > 0`,
    ['INV-01', 'INV-02', 'INV-09a', 'INV-44b'],
  ],
  [
    'the day of an entry',
    `update entries set date = date - 1 where document = $1 and leg = 1`,
    ['INV-04', 'INV-09a', 'INV-44b'],
  ],
  ['the totals of a day', `update ledger_day_totals set debit = debit + 1`, ['INV-05', 'INV-09a']],
  [
    'an e-invoice registered behind the log',
    `insert into einvoices (organisation, document, state) select organisation, id, 'registered' from documents where id = $1`,
    ['INV-18', 'INV-36b'],
  ],
  [
    'a registered e-invoice that turned unclear by itself',
    `
      insert into edit_log (organisation, action, relation, row_id, before, after)
      select
        organisation, 'update', 'einvoices', id::text, '{"state": "registered", "signed_qr": "a.b.c"}',
        '{"state": "unclear", "signed_qr": "a.b.c"}'
      from documents
      where id = $1
    `,
    ['INV-36d'],
  ],
  [
    'a way that no e-invoice goes',
    `
      insert into edit_log (organisation, action, relation, row_id, before, after)
      select organisation, 'update', 'einvoices', id::text, '{"state": "registered"}', '{"state": "queued"}'
      from documents
      where id = $1
    `,
    ['INV-18'],
  ],
  [
    'two numbers changed over',
    `
      drop index documents_number;
      update documents
      set number = case number when 'INV/26-27/0001' then 'INV/26-27/0002' else 'INV/26-27/0001' end
      where number in ('INV/26-27/0001', 'INV/26-27/0002')
    `,
    ['INV-32', 'INV-44b'],
  ],
  [
    'tax that the return shows and the ledger does not have',
    `
      update document_lines
      set cgst = cgst + 5, sgst = sgst + 5
      where document = $1;
      update documents
      set cgst = cgst + 5, sgst = sgst + 5
      where id = $1
    `,
    ['INV-38', 'INV-44b'],
  ],
  [
    'an advance whose tax no ledger has',
    `update documents set kind = 'advanceReceipt' where id = $1`,
    ['INV-82', 'INV-44b'],
  ],
  ['a code', `update document_lines set hsn = '' where document = $1`, ['INV-40', 'INV-44b']],
  [
    'a level that nobody knows',
    `alter table role_grants drop constraint role_grants_level_check; update role_grants set level = 6000`,
    ['INV-47'],
  ],
  [
    'a session for a fortnight',
    `
      insert into sessions (digest, person, organisation, tokens, expires_at)
      select 'x', person, organisation, '', now() + interval '14 days'
      from users
      limit 1
    `,
    ['INV-48'],
  ],
  [
    'an entry on two ledgers',
    `
      update entries
      set ledger = (select id from ledgers where code = '4120' limit 1)
      where document = $1 and ledger = (select id from ledgers where code = '4110' limit 1)
    `,
    ['INV-09a', 'INV-44b'],
  ],
  [
    'an item that the goods of a document never were',
    `update movements set item = gen_random_uuid() where document = $1`,
    ['INV-42b', 'INV-44b'],
  ],
  ['a number', `update documents set number = 'INV/26-27/0009' where id = $1`, ['INV-44b']],
  [
    'the GSTIN of a party in a document',
    `update documents set party_gstin = '29AAACZ9999Z1Z9' where id = $1`,
    ['INV-44b'],
  ],
  ['the year', `update documents set financial_year = '2025-26' where id = $1`, ['INV-34', 'INV-44b']],
  [
    'the tax of a line',
    `update document_lines set cgst = cgst + 5 where document = $1`,
    ['INV-35', 'INV-39', 'INV-44b'],
  ],
  ['the narration', `update documents set body = body || '{"draft": {}}' where id = $1`, ['INV-44b']],
  ['the HSN of a line', `update document_lines set hsn = '9999' where document = $1`, ['INV-44b']],
  [
    'a document gone',
    `delete from document_lines where document = $1; delete from entries where document = $1`,
    ['INV-09a', 'INV-44b'],
  ],
  [
    'the cost of an issue',
    `update movement_costs set cost = cost - 100 where document = $1`,
    ['INV-20', 'INV-24a', 'INV-24b', 'INV-44b'],
  ],
  [
    'a quantity moved',
    `update movements set quantity = quantity - 1000000 where document = $1`,
    ['INV-20', 'INV-28', 'INV-44b'],
  ],
  [
    'the day of an issue, before its goods came',
    `update movements set date = '2020-01-01' where document = $1`,
    ['INV-21'],
  ],
  [
    'goods lost on their way',
    `update movements set quantity = quantity - 1000000 where location in (select id from locations where is_transit)`,
    ['INV-20', 'INV-22'],
  ],
  [
    'goods freed that nobody held',
    `insert into freed_orders (organisation, document, by) select organisation, id, author from documents where id = $1`,
    ['INV-23'],
  ],
  ['a stock balance', `update item_balances set value = value + 100 where quantity > 0`, ['INV-20']],
  [
    'less of a batch than moved',
    `update movements set batches = '[{"batch": "A", "quantity": 1000000}]' where document = $1`,
    ['INV-26', 'INV-44b'],
  ],
  [
    'a batch sold after its day',
    `update movements set batches = '[{"batch": "A", "quantity": 2000000, "expiry": "2020-01-01"}]' where document = $1`,
    ['INV-26', 'INV-26b'],
  ],
  ['a serial number too many', `update movements set serials = '{S1}' where document = $1`, ['INV-27', 'INV-44b']],
  [
    'goods without their batch',
    `update items set body = '{"batched": true}' where id in (select item from movements where document = $1)`,
    ['INV-27b'],
  ],
  [
    'the ledger of rounding, pointed at input tax',
    `
      update posting_map m
      set ledger = o.ledger
      from posting_map o
      where o.organisation = m.organisation and m.effect = 'roundOff' and o.effect = 'inputCgst'
    `,
    ['INV-95'],
  ],
  [
    'the day of entries of stock',
    `update entries set date = date - 1 where document = $1 and ledger in (select ledger from posting_map where effect = 'stock')`,
    ['INV-24b', 'INV-09a'],
  ],
  [
    'what goods without a price are said to be worth',
    `update documents set total = total + 100 where body ->> 'atCost' = 'true'`,
    ['INV-24c'],
  ],
  [
    'a line of goods without a price',
    `
      update document_lines l
      set value = value - 100
      where exists (
        select from documents d
        where d.organisation = l.organisation and d.id = l.document and d.body ->> 'atCost' = 'true'
      )
    `,
    ['INV-24c'],
  ],
  [
    'value without goods',
    `alter table item_balances drop constraint item_balances_check; update item_balances set quantity = 0, value = 100 where value > 0`,
    ['INV-20', 'INV-25'],
  ],
  [
    'the base quantity of a line',
    `update document_lines set base_quantity = base_quantity + 1 where document = $1`,
    ['INV-28'],
  ],
  [
    'a register locked before its last document',
    `
      insert into register_locks (organisation, register, locked_through, reason, by, at)
      select organisation, 'sales', '2030-01-01', '', author, '2000-01-01'
      from documents
      where id = $1
    `,
    ['INV-15b'],
  ],
  [
    'a year closed without its document',
    `
      insert into year_closings (organisation, year, attempt, closed_through, profit, by)
      select organisation, '2026-27', 1, '2027-03-31', 0, author
      from documents
      where id = $1
    `,
    ['INV-57'],
  ],
  [
    'an entry that went through a bank where it never stood',
    `
      insert into bank_clearings (organisation, document, leg, ledger, bank_date, by)
      select
        e.organisation, e.document, e.leg,
        (select id from ledgers l where l.organisation = e.organisation and l.code = '1121'),
        e.date, d.author
      from entries e
      join documents d on d.id = e.document
      where e.document = $1 and e.leg = 1
    `,
    ['INV-58'],
  ],
  ['a total', `update ledger_month_totals set debit = debit + 1`, ['INV-09b']],
  [
    'a credit that wrote more off than it settles',
    `
      update documents
      set body = jsonb_set(body, '{draft,writeOff}', '100000000')
      where id in (select document from open_items where side = 'customerCredit')
    `,
    ['INV-96', 'INV-44b'],
  ],
  ['what is open', `update open_items set open = open - 100 where document = $1`, ['INV-14']],
  ['when something is due', `update open_items set due_date = due_date + 90 where document = $1`, ['INV-14b']],
  ['the number of a bill', `update open_items set reference = 'X' where document = $1`, ['INV-14b']],
  ['a counter', `update series_counters set next = next + 1`, ['INV-31']],
  ['the counters of series', `delete from series_counters`, ['INV-31']],
  ['what documents were made from', `delete from document_links`, ['INV-93']],
  ['a source that is kept as an order', `update document_links set role = 'order'`, ['INV-93']],
  [
    'a link that no document says',
    `insert into document_links (organisation, source, target) select organisation, id, id from documents where id = $1`,
    ['INV-93'],
  ],
  ['since when something is open', `update open_items set date = date - 1 where document = $1`, ['INV-94']],
  [
    'the document that the first cost of a movement is of',
    `
      alter table movement_costs drop constraint movement_costs_first;
      update movement_costs set cause = gen_random_uuid() where document = $1
    `,
    ['INV-94', 'INV-42b'],
  ],
  ['the layers of a stock balance', `update item_balances set layers = '{1,1}' where quantity > 0`, ['INV-24a']],
  ['the last day of a stock balance', `update item_balances set last_date = last_date - 1`, ['INV-24a']],
  ['who changed something', `update edit_log set who = gen_random_uuid() where relation = 'documents'`, ['INV-44b']],
  ['a row of the log', `delete from edit_log where relation = 'documents' and row_id = $1`, ['INV-44a', 'INV-44b']],
  ['a seal', `delete from seals where sequence = 5`, ['INV-44b']],
  [
    'the last seal made to fit',
    `update seals set digest = sha256('x'), seal = sha256(previous || sha256('x')) where sequence = (select max(sequence) from seals)`,
    ['INV-44b'],
  ],
  ['returned more than sold', `update document_lines set quantity = 500000 where document = $1`, ['INV-16', 'INV-44b']],
  ['a period locked after the fact', `update locks set locked_through = '2027-01-01', at = '2020-01-01'`, ['INV-15']],
  ['a cancellation gone', `delete from cancellations`, ['INV-12', 'INV-14']],
  [
    'an IRN that nobody worked out',
    `
      insert into einvoices (organisation, document, state, irn, ack_no)
      select organisation, id, 'registered', 'f00', '1'
      from documents
      where id = $1
    `,
    ['INV-36'],
  ],
  [
    'a registration without acknowledgement',
    `insert into einvoices (organisation, document, state) select organisation, id, 'registered' from documents where id = $1`,
    ['INV-36b'],
  ],
  [
    'sent twice without asking',
    `
      insert into einvoice_attempts (organisation, document, attempt, what, outcome)
      select organisation, id, n, 'register', 'unclear'
      from documents, generate_series(1, 2) n
      where id = $1
    `,
    ['INV-36c'],
  ],
  [
    'a second e-way bill that lives',
    `
      drop index eway_bills_live;
      insert into eway_bills (organisation, document, bill, route, state, author, transport)
      select organisation, id, n, 'irn', 'queued', author, '{}'
      from documents, generate_series(1, 2) n
      where id = $1
    `,
    ['INV-37'],
  ],
  [
    'an e-way bill made twice without asking',
    `
      insert into eway_bills (organisation, document, bill, route, state, author, transport)
      select organisation, id, 1, 'irn', 'queued', author, '{}'
      from documents
      where id = $1;
      insert into eway_attempts (organisation, document, bill, attempt, what, outcome)
      select organisation, id, 1, n, 'make', 'unclear'
      from documents, generate_series(1, 2) n
      where id = $1
    `,
    ['INV-37b'],
  ],
  [
    'an entry of both sides',
    `alter table entries drop constraint entries_check; update entries set credit = debit where document = $1`,
    ['INV-03'],
  ],
  [
    'what was opened',
    `update open_items set original = original + 100, open = open + 100 where document = $1`,
    ['INV-06', 'INV-06b'],
  ],
  [
    'something open on a merged party',
    `
      update parties p
      set
        active = false,
        merged_into = (select id from parties o where o.organisation = p.organisation and o.id <> p.id limit 1)
      where id = (select party from documents where id = $1)
    `,
    ['INV-06', 'INV-06b', 'INV-06c'],
  ],
  [
    'a ledger that is kept for restated balances',
    `
      update posting_map
      set ledger = (select e.ledger from entries e where e.document = $1 and e.party is null limit 1)
      where effect = 'receivableRestated'
    `,
    ['INV-06e'],
  ],
  [
    'what a party is, past its account',
    `update parties set category = 'overseas' where id = (select party from documents where id = $1)`,
    ['INV-06d'],
  ],
  [
    'an entry on a group',
    `update entries set ledger = (select id from ledgers where is_group limit 1) where document = $1 and debit > 0`,
    ['INV-10'],
  ],
  [
    'the mirror of a document',
    `update entries set debit = debit * 2, credit = credit * 2 where document in (select reversal from cancellations)`,
    ['INV-11'],
  ],
  [
    'rupees left of what is settled in dollars',
    `update open_items set currency = 'USD', open = 0 where document = $1`,
    ['INV-13b', 'INV-14'],
  ],
  ['more allocated than there is', `update allocations set amount = amount * 1000`, ['INV-13', 'INV-14']],
  ['a settlement before its documents', `update allocations set date = date - 400`, ['INV-13c']],
  [
    'a draft of what is posted',
    `insert into drafts (organisation, id, kind, body, author) select organisation, id, kind, '{}', author from documents where id = $1`,
    ['INV-17'],
  ],
  [
    'one number for all',
    `drop index documents_number; update documents set number = 'INV/26-27/0001', numbering = 'one'`,
    ['INV-30'],
  ],
  [
    'a return that is kept with another digest and without its mark',
    `
      insert into gst_returns_kept (
        organisation, id, registration, form, period, filed_on, arn, tables, documents, file, digest, by
      )
      select
        organisation, gen_random_uuid(), registration, 'GSTR-3B', '2026-04', '2026-05-20', '', '[]', '[]',
        null, '\\x00', author
      from documents
      where id = $1
    `,
    ['INV-71'],
  ],
  [
    'a supplier’s bill that is there twice without a reason',
    `
      insert into documents
      select (
        jsonb_populate_record(
          null::documents, to_jsonb(d) || jsonb_build_object('id', gen_random_uuid(), 'number', 'AGAIN/1')
        )
      ).*
      from (select * from documents where kind = 'purchaseBill' and reverses is null limit 1) d
    `,
    ['INV-70'],
  ],
  [
    'a bill of entry that is there twice without a reason',
    `
      insert into documents
      select (
        jsonb_populate_record(
          null::documents,
          to_jsonb(d) || jsonb_build_object(
            'id', gen_random_uuid(),
            'number', 'AGAIN/' || n,
            'kind', 'billOfEntry',
            'reference', '1234567',
            'body', jsonb_build_object('draft', jsonb_build_object('referenceDate', '2026-05-01', 'fields', port))
          )
        )
      ).*
      from (select * from documents where kind = 'purchaseBill' and reverses is null limit 1) d
      cross join (values (1, '{}'::jsonb), (2, '{"port": "INNSA1"}')) as entries (n, port)
    `,
    ['INV-70'],
  ],
  [
    'a bill that was booked before its supplier wrote it',
    `
      update documents
      set body = jsonb_set(body, '{draft,referenceDate}', to_jsonb((date + 1)::text))
      where id = (select id from documents where kind = 'purchaseBill' and reverses is null limit 1)
    `,
    ['INV-72'],
  ],
  [
    'a self-invoice of nothing that was bought',
    `
      insert into documents
      select (
        jsonb_populate_record(
          null::documents,
          to_jsonb(d) || jsonb_build_object('id', gen_random_uuid(), 'number', 'SLF/1', 'kind', 'selfInvoice', 'body', '{}'::jsonb)
        )
      ).*
      from (select * from documents where kind = 'purchaseBill' and reverses is null limit 1) d
    `,
    ['INV-72'],
  ],
  ['a number the law does not know', `update documents set number = '0/BAD' where id = $1`, ['INV-33']],
  [
    'a key of another organisation',
    `create table stray (id uuid primary key); alter table items add column stray uuid references stray`,
    ['INV-41'],
  ],
  [
    'a key without the organisation',
    `create unique index leak on parties (id); alter table items add column stray uuid references parties (id)`,
    ['INV-42'],
  ],
  ['a day with a time', `alter table locks add column day timestamptz`, ['INV-52']],
  [
    'an answer kept for nothing',
    `
      insert into idempotency_keys (organisation, "user", key, digest, answer)
      select organisation, author, gen_random_uuid(), '', jsonb_build_object('id', gen_random_uuid(), 'number', 'X')
      from documents
      where id = $1
    `,
    ['INV-54'],
  ],
  [
    'a foreign amount',
    `update entries set currency = 'USD', foreign_amount = 500, exchange_rate = 83000000 where document = $1`,
    ['INV-08'],
  ],
  ['a negative rate', `update document_lines set rate = -1 where document = $1`, ['INV-51', 'INV-44b']],
  ['an amount beyond all', `update documents set total = 10000000000000 where id = $1`, ['INV-51', 'INV-44b']],
  ['a party behind the log', `update parties set gstin = '29AAACZ9999Z1Z9'`, ['INV-44d']],
  ['a party that is gone', `delete from parties where id = (select party from documents where id = $1)`, ['INV-44d']],
  ['a limit that a party never had', `update parties set body = body || '{"creditLimit": 100}'`, ['INV-44d']],
  ['a right that was raised', `update role_grants set level = 5003`, ['INV-44d']],
  [
    'a right that nobody gave',
    `insert into role_grants (organisation, role, screen, level) select organisation, id, 999, 5003 from roles limit 1`,
    ['INV-44d'],
  ],
  ['a right that was taken away', `delete from role_grants`, ['INV-44d']],
  ['a discount that a role never allowed', `update roles set discount_limit = 1000000`, ['INV-44d']],
  ['days back that a role never allowed', `update roles set back_days = 365`, ['INV-44d']],
  ['cost that a role never showed', `update roles set sees_cost = 'yes'`, ['INV-44d']],
  ['a role of a user', `delete from user_roles`, ['INV-44d']],
  ['a setting', `update organisations set settings = settings || '{"isAllowNegative": true}'`, ['INV-44d']],
  [
    'a user whom nobody invited',
    `
      insert into users (organisation, id, person, email, name)
      select organisation, gen_random_uuid(), gen_random_uuid(), 'x@y.example', 'X'
      from organisations
      limit 1
    `,
    ['INV-44d'],
  ],
  ['a lock that was taken away', `delete from locks`, ['INV-44d']],
  [
    'credentials that nobody entered',
    `
      insert into credentials (organisation, registration, client_id, user_name, secret)
      select organisation, registration, 'x', 'y', ''
      from documents
      where id = $1
    `,
    ['INV-44d'],
  ],
  ['a name of a ledger', `update ledgers set name = name || ' '`, ['INV-44d']],
  ['an operator whom nobody made one', `update people set operator = true`, ['INV-44d', 'INV-44e']],
  [
    'an operator made with the guards on',
    `set local session_replication_role = origin; update people set operator = true`,
    ['INV-44e'],
  ],
  [
    'an operator whose right was taken, and who has it still',
    `
      set local session_replication_role = origin;
      update people set operator = true;
      select log_security_of(id, 'operatorGiven', '{}') from people;
      select log_security_of(id, 'operatorTaken', '{}') from people
    `,
    ['INV-44e'],
  ],
  [
    'the right of an operator taken behind the log',
    `set local session_replication_role = origin; select log_security_of(id, 'operatorGiven', '{}') from people`,
    ['INV-44e'],
  ],
  ['a password', `update people set password_hash = 'scrypt$another'`, ['INV-44d']],
  ['the e-mail that links for a password go to', `update people set email = 'thief@books.test'`, ['INV-44d']],
  ['whom another issuer signs in', `update people set issuer = 'https://issuer.test', subject = 'thief'`, ['INV-44d']],
  ['a second factor', `update people set totp_secret = '\\x01'`, ['INV-44d']],
  ['a person who is gone', `delete from people`, ['INV-44d']],
  [
    'a password changed behind the log and again before it',
    `
      update people set password_hash = 'scrypt$another';
      set local session_replication_role = origin;
      update people set name = name || ' Rao'
    `,
    ['INV-44d'],
  ],
  [
    'a second factor taken away',
    `
      set local session_replication_role = origin;
      update people set totp_secret = '\\x01';
      set local session_replication_role = replica;
      update people set totp_secret = null
    `,
    ['INV-44d'],
  ],
  [
    'a recovery code that nobody was given',
    `insert into recovery_codes (person, digest) select id, '\\x01' from people`,
    ['INV-44d'],
  ],
  [
    'a recovery code that is used again',
    `
      set local session_replication_role = origin;
      insert into recovery_codes (person, digest, used_at) select id, '\\x01', now() from people;
      set local session_replication_role = replica;
      update recovery_codes set used_at = null
    `,
    ['INV-44d'],
  ],
  [
    'the secret of portal credentials',
    `
      set local session_replication_role = origin;
      insert into credentials (organisation, registration, client_id, user_name, secret)
        select organisation, registration, 'x', 'y', '\\x01'
        from documents where id = $1;
      set local session_replication_role = replica;
      update credentials set secret = '\\x02'
    `,
    ['INV-44d'],
  ],
  [
    'the secret of a payment gateway',
    `
      set local session_replication_role = origin;
      insert into payment_gateways (organisation, provider, key_id, secret, settlement_ledger)
        select organisation, 'x', 'y', '\\x01', ledger
        from entries where document = $1 limit 1;
      set local session_replication_role = replica;
      update payment_gateways set secret = '\\x02'
    `,
    ['INV-44d'],
  ],
  [
    'a secret changed behind the log and its user before it',
    `
      set local session_replication_role = origin;
      insert into credentials (organisation, registration, client_id, user_name, secret)
        select organisation, registration, 'x', 'y', '\\x01'
        from documents where id = $1;
      set local session_replication_role = replica;
      update credentials set secret = '\\x02';
      set local session_replication_role = origin;
      update credentials set user_name = 'z'
    `,
    ['INV-44d'],
  ],
  [
    'a limit written behind the log, in a party that is saved after it',
    `
      update parties set body = body || '{"creditLimit": 100}';
      set local session_replication_role = origin;
      update parties set name = name || ' & Co'
    `,
    ['INV-44d'],
  ],
  ['the log of a party', `delete from edit_log where relation = 'parties'`, ['INV-44d', 'INV-44b']],
  [
    'a name that reads backwards',
    `update document_lines set description = E'abc\\u202edef' where document = $1`,
    ['INV-53', 'INV-44b'],
  ],
  [
    'a till that was closed on another figure',
    `
      insert into till_sessions (
        organisation, id, till, location, cash_ledger, opened_on, opened_by, opening, opening_count,
        closed_by, closed_at, counted, expected, closing_count
      )
      select
        d.organisation, gen_random_uuid(), gen_random_uuid(), d.location, e.ledger, d.date, d.author, 10000,
        '{}', d.author, now(), 5000, 5000, '{}'
      from documents d
      join entries e on e.organisation = d.organisation and e.document = d.id and e.leg = 1
      where d.id = $1
    `,
    ['INV-61'],
  ],
  [
    'a number of a till that is set down and in the books',
    `
      with s as (
        insert into till_sessions (
          organisation, id, till, location, cash_ledger, opened_on, opened_by, opening, opening_count
        )
        select d.organisation, gen_random_uuid(), gen_random_uuid(), d.location, e.ledger, d.date, d.author, 0, '{}'
        from documents d
        join entries e on e.organisation = d.organisation and e.document = d.id and e.leg = 1
        where d.id = $1
        returning organisation, id
      )
      insert into till_numbers (organisation, series, period, counter, number, day, session, state, set_by)
      select d.organisation, d.series, 'all', 1, d.number, d.date, s.id, 'awaited', d.author
      from documents d
      join s on s.organisation = d.organisation
      where d.id = $1
    `,
    ['INV-62', 'INV-31'],
  ],
  [
    'a certificate that allows less than was deducted by it',
    `
      with c as (
        insert into tds_certificates (
          organisation, id, number, party, section, rate, limit_amount, valid_from, valid_to
        )
        select d.organisation, gen_random_uuid(), 'X', p.id, '194C', 0, 1, d.date, d.date
        from documents d
        join parties p on p.organisation = d.organisation
        where d.id = $1
        limit 1
        returning id
      )
      update documents d
      set body = jsonb_set(d.body, '{draft,tdsLower}', jsonb_build_object('certificate', c.id, 'base', 2))
      from c
      where d.id = $1
    `,
    ['INV-65', 'INV-44b'],
  ],
  [
    'tax that its amount does not bear at its rate',
    `update documents set body = body || '{"tdsBase": 6000000, "tdsRate": 100000}' where id = $1`,
    ['INV-65', 'INV-44b'],
  ],
  [
    'a challan for tax that was never deducted',
    `
      with t as (
        insert into tax_challans (organisation, id, tax, section, head, date, amount, interest, fee)
        select organisation, id, 'tds', '194C', '0020', date, 1, 0, 0
        from documents
        where id = $1
        returning organisation, id
      )
      insert into tax_challan_parts (organisation, challan, document, amount)
      select organisation, id, id, 1
      from t
    `,
    ['INV-69'],
  ],
  [
    'an order that was moved past its moves',
    `
      insert into workflow_orders (organisation, document, workflow, stage, moves, since, onward, ended)
      select organisation, id, gen_random_uuid(), 'packed', 3, now(), true, false
      from documents
      where id = $1
    `,
    ['INV-66'],
  ],
  [
    'an order that was approved by who entered it',
    `
      with
        w as (
          insert into workflows (organisation, id, family, version, name, stages, actions, author)
          select
            organisation, gen_random_uuid(), 'saleOrders', 1, 'X', '[{"key": "new", "approval": true}]',
            '[{"key": "approve", "destructive": false}]', author
          from documents
          where id = $1
          returning organisation, id, author
        ),
        o as (
          insert into workflow_orders (organisation, document, workflow, stage, moves, since, onward, ended)
          select organisation, $1, id, 'approved', 2, now(), true, true
          from w
        )
      insert into workflow_moves (organisation, document, number, action, from_stage, to_stage, by)
      select organisation, $1, 1, null, null, 'new', author
      from w
      union all
      select organisation, $1, 2, 'approve', 'new', 'approved', author
      from w
    `,
    ['INV-66'],
  ],
  [
    'a document that its author approved',
    `
      insert into approvals (organisation, document, submitted_by, submitted_at, approved_by)
      select organisation, id, gen_random_uuid(), now(), author
      from documents
      where id = $1
    `,
    ['INV-67'],
  ],
  [
    'a document that was sent for approval with another total',
    `
      insert into approvals (organisation, document, submitted_by, submitted_at, approved_by, figures)
      select organisation, id, author, now(), gen_random_uuid(), jsonb_build_object('total', total + 1)
      from documents
      where id = $1
    `,
    ['INV-67'],
  ],
  [
    'a document that waits for approval as well',
    `
      insert into drafts (organisation, id, kind, body, author, submitted_at, figures)
      select organisation, id, kind, '{}', author, now(), '{}'
      from documents
      where id = $1
    `,
    ['INV-67'],
  ],
  [
    'a job that nobody took',
    `
      insert into outbox (organisation, task, payload, created_at)
      select organisation, 'registerInvoice', '{}', now() - interval '1 hour'
      from organisations
      limit 1
    `,
    ['INV-56'],
  ],
  [
    'a status under which a document could not have been posted',
    `
      insert into registration_statuses (organisation, registration, from_day, kind)
      select organisation, registration, date, 'composition'
      from documents
      where id = $1
    `,
    ['INV-84'],
  ],
  [
    'a registration of another PAN',
    `
      insert into registrations (organisation, id, gstin, state, legal_name, kind)
      select organisation, gen_random_uuid(), '33AAKFN7310Q1ZW', '33', legal_name, kind
      from registrations
      where gstin is not null and substr(gstin, 3, 10) <> 'AAKFN7310Q'
      limit 1
    `,
    ['INV-84b'],
  ],
  ['row-level security', `alter table parties no force row level security`, ['INV-41']],
  ['a guard', `alter table entries disable trigger written_once`, ['INV-44c']],
  ['all guards, by a setting of a role', `alter role bahi_app set session_replication_role = replica`, ['INV-44c']],
  ['a key that keeps rows apart', `alter table entries drop constraint entries_pkey cascade`, ['INV-44g']],
  ['a column that may be empty', `alter table entries alter debit drop not null`, ['INV-44g']],
  ['a column of somebody else', `alter table documents add column note text`, ['INV-44g']],
  ['a foreign key', `alter table entries drop constraint entries_organisation_ledger_fkey`, ['INV-44c']],
  ['a foreign key that is switched off', `alter table documents disable trigger all`, ['INV-44c']],
  [
    'a place that goods never went to',
    `update documents set to_location = gen_random_uuid() where id = $1`,
    ['INV-42b', 'INV-44b'],
  ],
  [
    'a return of another customer than its invoice',
    `
      update documents
      set party = (select id from parties o where o.id <> documents.party limit 1)
      where id in (select document from document_lines where source_document = $1)
    `,
    ['INV-85', 'INV-44b'],
  ],
  [
    'a return of an earlier day than its invoice',
    `update documents set date = date - 1 where id in (select document from document_lines where source_document = $1)`,
    ['INV-85', 'INV-44b'],
  ],
  [
    'a return for another registration than its invoice',
    `update documents set registration = gen_random_uuid() where id in (select document from document_lines where source_document = $1)`,
    ['INV-85', 'INV-42b'],
  ],
  [
    'a return with another place of supply',
    `update documents set place_of_supply = '33' where id in (select document from document_lines where source_document = $1)`,
    ['INV-85'],
  ],
  [
    'a return with the tax of another state',
    `
      update documents
      set igst = cgst + sgst, cgst = 0, sgst = 0
      where id in (select document from document_lines where source_document = $1)
    `,
    ['INV-85'],
  ],
  ['a return of a kind that is not made from it', `update documents set kind = 'quotation' where id = $1`, ['INV-85']],
  [
    'a line that comes back as another item',
    `update document_lines set item = (select i.id from items i where i.id <> document_lines.item limit 1) where source_document = $1`,
    ['INV-85', 'INV-44b'],
  ],
  [
    'a transfer to a place of another registration',
    `update documents set body = jsonb_set(body, '{draft,toRegistration}', to_jsonb(gen_random_uuid())) where to_location is not null`,
    ['INV-86', 'INV-44b'],
  ],
  [
    'a cost centre that does not exist',
    `update entries set cost_centre = gen_random_uuid() where document = $1`,
    ['INV-42b', 'INV-86', 'INV-44b'],
  ],
  ['a room that is no stock room', `update movements set room = item where document = $1`, ['INV-42b', 'INV-86']],
  [
    'a return of more than was billed',
    `update document_lines set value = value * 9 where source_document = $1`,
    ['INV-91', 'INV-44b'],
  ],
  [
    'an advance with tax that another registration uses',
    `
      update documents set kind = 'advanceReceipt' where id = $1;
      update documents
      set kind = 'allocationVoucher', registration = gen_random_uuid()
      where id in (select target from document_links where source = $1 and role = 'source')
    `,
    ['INV-92'],
  ],
  [
    'an advance with tax that settles an invoice of another registration',
    `
      update documents
      set kind = 'advanceReceipt', registration = gen_random_uuid()
      where id in (select credit_document from allocations where invoice_document = $1)
    `,
    ['INV-92'],
  ],
  ['a right', `grant update on documents to bahi_app`, ['INV-44c']],
  ['a second door', `grant insert on entries to bahi_app`, ['INV-44c']],
  [
    'a secret in the log',
    `
      insert into edit_log (organisation, action, relation, row_id, after)
      select organisation, 'update', 'credentials', id::text, '{"secret": "x"}'
      from documents
      where id = $1
    `,
    ['INV-46'],
  ],
  [
    'a secret in the place of its digest',
    `
      insert into edit_log (organisation, action, relation, row_id, after)
        select organisation, 'update', 'payment_gateways', id::text, '{"secret_digest": "x"}'
        from documents where id = $1
    `,
    ['INV-46'],
  ],
  [
    'the hash of a password in the log',
    `
      insert into edit_log (organisation, action, relation, row_id, after)
        select organisation, 'update', 'people', id::text, '{"password_hash": "x"}'
        from documents where id = $1
    `,
    ['INV-46'],
  ],
  ['a guard of people', `alter table people disable trigger log_change_of_person`, ['INV-44c']],
  ['a guard of people that is gone', `drop trigger log_person on users`, ['INV-44c']],
  ['a guard of those who join', `alter table users disable trigger log_person`, ['INV-44c']],
  [
    'the bytes of a file',
    `
      insert into files (organisation, digest, bytes, type, name)
        select organisation, encode(sha256('a'), 'hex'), 'b', 'text/plain', 'x'
        from documents where id = $1
    `,
    ['INV-44f'],
  ],
  [
    'a file that is gone',
    `
      insert into document_files (organisation, document, number, digest, name, by)
        select organisation, id, 9, 'gone', 'x', author
        from documents where id = $1
    `,
    ['INV-44f'],
  ],
  [
    'the code that a scanner reads for an item',
    `insert into item_barcodes (organisation, item, barcode, main) select organisation, id, 'ZZ', true from items limit 1`,
    ['INV-44f'],
  ],
  [
    'a further code of an item',
    `insert into item_barcodes (organisation, item, barcode) select organisation, id, 'ZZ' from items limit 1`,
    ['INV-44d'],
  ],
  [
    'an e-invoice whose exchanges are gone',
    `
      insert into einvoices (organisation, document, state, irn, ack_no)
        select organisation, id, 'registered', 'x', '1'
        from documents where id = $1
    `,
    ['INV-36e'],
  ],
  [
    'an exchange that is missing',
    `
      insert into einvoice_attempts (organisation, document, attempt, what, outcome)
        select organisation, id, 2, 'register', 'accepted'
        from documents where id = $1
    `,
    ['INV-36e'],
  ],
  [
    'an e-way bill whose exchanges are gone',
    `
      insert into eway_bills (organisation, document, bill, route, state, author, transport, number)
        select organisation, id, 1, 'irn', 'active', author, '{}', '1'
        from documents where id = $1
    `,
    ['INV-37c'],
  ],
  [
    'an exchange about an e-way bill that is missing',
    `
      insert into eway_attempts (organisation, document, bill, attempt, what, outcome)
        select organisation, id, 1, 3, 'make', 'accepted'
        from documents where id = $1
    `,
    ['INV-37c'],
  ],
  ['a policy that opens all rows', `create policy pp on documents for all using (true)`, ['INV-41']],
  ['a policy that is wider', `alter policy tenant on documents using (true)`, ['INV-41']],
  ['a role that becomes another', `create role bahi_reader; grant bahi_reader to bahi_app`, ['INV-41']],
  ['one guard of many that is gone', `drop trigger covered_once on documents`, ['INV-44c']],
  ['one guard of many that is switched off', `alter table documents disable trigger covered_once`, ['INV-44c']],
  [
    'the text of a function',
    `create or replace function log_digest(l edit_log) returns bytea language sql as $t$ select ''::bytea $t$`,
    ['INV-44c'],
  ],
  ['a function with the rights of its owner', `alter function bare_number(text) security definer`, ['INV-44c']],
  ['a right on a column', `grant update (debit) on entries to bahi_app`, ['INV-44c']],
  ['a right of everybody', `grant select on people to public`, ['INV-44c']],
  ['a rule', `create rule quiet as on insert to edit_log do instead nothing`, ['INV-44c']],
  ['a float', `alter table items add column weight double precision`, ['INV-50']],
  ['a unique index without the organisation', `create unique index leak on parties (gstin)`, ['INV-43']],
];
