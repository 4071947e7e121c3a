-- The annual return (GSTR-9) is marked as filed too: from its day on no credit is taken and no tax reduced for its year (sections
-- 16(4) and 34(2)). It is marked for the March that ends its year, and locks nothing: what it shows is locked by the returns of
-- the months.
alter table gst_filings drop constraint gst_filings_form_check;
alter table gst_filings add constraint gst_filings_form_check check (form in ('GSTR-1', 'IFF', 'GSTR-3B', 'GSTR-9'));
alter table gst_filings add constraint gst_filings_year check (form <> 'GSTR-9' or period like '%-03');

-- By registration and financial year ('2025-26') the day on which its annual return was filed.
create function annual_returns(org int) returns json language sql stable as $$
  select coalesce(json_object_agg(registration, years), '{}')
  from (
    select f.registration,
           json_object_agg((left(f.period, 4)::int - 1) || '-' || substr(f.period, 3, 2), f.filed_on) as years
    from gst_filings f
    where f.organisation = org and f.form = 'GSTR-9'
    group by f.registration
  ) r
$$;
grant execute on function annual_returns(int) to bahi_app;
-- Every posting knows them with what else it knows of the house.
create trigger house_changed after insert or update or delete on gst_filings for each row execute function house_changed();
