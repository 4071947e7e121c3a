-- The account of a party moves to another ledger when the party becomes another sort of customer or supplier (ADR 67). The
-- journal that moves it names the party on each entry: the function takes them as e_party.
drop function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[]
);
create function write_system_document(
  org int, who uuid, d_id uuid, d_kind text, d_numbering text, d_registration uuid, d_location uuid, d_year text,
  d_date date, d_series uuid, d_period text, d_prefix text, d_suffix text, d_padding int, d_start int,
  d_total bigint, d_body jsonb, d_reverses uuid, e_date date[], e_ledger uuid[], e_registration uuid[],
  e_location uuid[], e_cost_centre uuid[], e_debit bigint[], e_credit bigint[],
  e_party uuid[]
) returns text
language plpgsql security definer
set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  lane smallint := (pg_backend_pid() % 8)::smallint;
  taken int;
  named text;
begin
  if org is distinct from nullif(current_setting('app.organisation', true), '')::int then
    raise exception 'another organisation' using errcode = 'insufficient_privilege';
  end if;
  insert into ledger_day_totals as t (organisation, ledger, location, day, slot, debit, credit)
  select org, e.ledger, e.location, e.date, lane, sum(e.debit), sum(e.credit)
  from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit)
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (organisation, ledger, location, day, slot) do update
  set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into ledger_month_totals as t (organisation, ledger, location, month, slot, debit, credit)
  select org, e.ledger, e.location, date_trunc('month', e.date)::date, lane, sum(e.debit), sum(e.credit)
  from unnest(e_ledger, e_location, e_date, e_debit, e_credit) e(ledger, location, date, debit, credit)
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (organisation, ledger, location, month, slot) do update
  set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit;
  insert into series_counters as c (organisation, series, period, next)
  values (org, d_series, d_period, d_start + 1)
  on conflict (organisation, series, period) do update
  set next = c.next + 1
  returning c.next - 1 into taken;
  named := d_prefix || lpad(taken::text, greatest(d_padding, length(taken::text)), '0') || d_suffix;
  insert into documents (
    organisation, id, kind, numbering, registration, location, financial_year, number, series, date, supply_type,
    taxable, cgst, sgst, igst, cess, tcs, tds, round_off, total, payable, foreign_total, author, body, reverses
  )
  values
    (
      org, d_id, d_kind, d_numbering, d_registration, d_location, d_year, named, d_series, d_date, 'NONE', 0, 0, 0,
      0, 0, 0, 0, 0, d_total, d_total, d_total, who, d_body, d_reverses
    );
  insert into document_lines (
    organisation, document, line, ledger, party, description, hsn, unit, service, quantity, base_quantity, rate,
    treatment, gst_rate, discount, taxable, value, cgst, sgst, igst, cess
  )
  select org, d_id, n, ledger, party, '', '', '', true, 0, 0, 0, 'taxable', 0, 0, 0, debit, 0, 0, 0, 0
  from unnest(e_ledger, e_party, e_debit) with ordinality x(ledger, party, debit, n);
  insert into entries (
    organisation, document, leg, date, ledger, party, registration, location, cost_centre, debit, credit
  )
  select org, d_id, n, date, ledger, party, registration, location, cost_centre, debit, credit
  from unnest(
    e_date, e_ledger, e_party, e_registration, e_location, e_cost_centre, e_debit, e_credit
  ) with ordinality x(
    date, ledger, party, registration, location, cost_centre, debit, credit, n
  );
  return named;
end
$$;
revoke all on function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[], uuid[]
) from public;
grant execute on function write_system_document(
  int, uuid, uuid, text, text, uuid, uuid, text, date, uuid, text, text, text, int, int, bigint, jsonb, uuid,
  date[], uuid[], uuid[], uuid[], uuid[], bigint[], bigint[], uuid[]
) to bahi_app;
