-- The text of a document as the first ones were sealed with it: what is sealed must be told in the same bytes for ever.
create function first_text(org int, doc uuid) returns text
language sql stable as $$
  select
    coalesce(
      (
        select jsonb_build_array(
          jsonb_build_array(
            id, kind, numbering, registration, location, to_location, financial_year, number, series, date,
            due_date, party, party_name, party_gstin, party_state, category, place_of_supply, supply_type,
            reverse_charge
          ),
          jsonb_build_array(
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
          jsonb_build_array(
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
          jsonb_build_array(
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
          jsonb_build_array(
            number, line, date, sequence, item, location, quantity, stated_value, room, batches, serials
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
          jsonb_build_array(document, number, revision, cost)::text, E'\n'
          order by document, number, revision
        )
        from movement_costs
        where organisation = org and cause = doc
      ),
      ''
    )
$$;
