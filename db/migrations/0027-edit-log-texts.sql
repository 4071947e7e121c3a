-- The edit log can be verified by the customer, away from this database: what is sealed is also told as the text that was
-- digested. The digests are the same as before.
create function document_text(org int, doc uuid) returns text language sql stable as $$
  select coalesce((select jsonb_build_array(jsonb_build_array(id, kind, numbering, registration, location, to_location, financial_year, number, series, date, due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type, reverse_charge),
        jsonb_build_array(currency, exchange_rate, taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, reference, reverses, author, to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), body))::text
      from documents where organisation = org and id = doc), '')
    || coalesce((select string_agg(jsonb_build_array(line, item, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate, treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess, source_document, source_line, body)::text, E'\n' order by line) from document_lines where organisation = org and document = doc), '')
    || coalesce((select string_agg(jsonb_build_array(leg, date, ledger, party, registration, location, cost_centre, currency, foreign_amount, exchange_rate, debit, credit)::text, E'\n' order by leg) from entries where organisation = org and document = doc), '')
    || coalesce((select string_agg(jsonb_build_array(number, line, date, sequence, item, location, quantity, stated_value, room, batches, serials)::text, E'\n' order by number) from movements where organisation = org and document = doc), '')
    -- costs that other documents revise later are sealed with those documents
    || coalesce((select string_agg(jsonb_build_array(document, number, revision, cost)::text, E'\n' order by document, number, revision) from movement_costs where organisation = org and cause = doc), '')
$$;
create or replace function document_digest(org int, doc uuid) returns bytea language sql stable as $$
  select sha256(convert_to(document_text(org, doc), 'UTF8'))
$$;

create function log_text(l edit_log) returns text language sql stable as $$
  select jsonb_build_array(l.organisation, l.id, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), l.xid::text, l.who, l.origin, l.action, l.relation, l.row_id, l.before, l.after)::text
$$;
create or replace function log_digest(l edit_log) returns bytea language sql stable as $$
  select sha256(convert_to(log_text(l), 'UTF8') || case when l.relation = 'documents' then document_digest(l.organisation, l.row_id::uuid) else ''::bytea end)
$$;
grant execute on function document_text(int, uuid), log_text(edit_log) to bahi_app;
