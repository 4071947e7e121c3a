-- Orders to send goods back to a supplier are a kind of their own now: organisations that are there already get its number
-- series, as new ones do, under the mark that their purchase orders have.
insert into number_series (organisation, id, name, kind, registration, prefix, padding)
select r.organisation, gen_random_uuid(), 'Purchase return order', 'purchaseReturnOrder', r.id,
       coalesce((select regexp_replace(s.prefix, 'PO/\{FY\}/$', 'PRO/{FY}/') from number_series s
                  where s.organisation = r.organisation and s.registration = r.id and s.kind = 'purchaseOrder' and s.prefix ~ '^[A-Z0-9]{0,3}PO/\{FY\}/$' order by s.id limit 1), 'PRO/{FY}/'), 4
  from registrations r where not exists (select from number_series s where s.organisation = r.organisation and s.registration = r.id and s.kind = 'purchaseReturnOrder');
