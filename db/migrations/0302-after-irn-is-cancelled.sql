-- An invoice whose IRN is cancelled is no tax invoice any more (rule 48(5)), and the portal never gives its number a second IRN.
-- It stays in the books until it is cancelled there; nothing new refers to it meanwhile, from the moment the portal is asked.
create function irn_cancelled(org int, doc uuid) returns boolean language sql stable as $$
  select exists (
    select
      from einvoices e
     where e.organisation = org
       and e.document = doc
       and (e.state = 'cancelled' or e.cancel_asked is not null))
$$;
grant execute on function irn_cancelled(int, uuid) to bahi_app;

create or replace function source_documents(org int, ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object(
           'id', d.id, 'kind', d.kind, 'number', d.number, 'date', d.date, 'party', heir_of(org, d.party),
           'registration', d.registration, 'location', d.location, 'toLocation', d.to_location, 'author', d.author,
           'placeOfSupply', d.place_of_supply, 'currency', d.currency, 'exchangeRate', d.exchange_rate,
           'supply', coalesce(d.body ->> 'supply', 'none'), 'taxCharged', coalesce((d.body ->> 'taxCharged')::boolean, false),
           'reverseCharge', d.reverse_charge, 'withPayment', d.supply_type in ('EXPWP', 'SEZWP'), 'roundOff', d.round_off,
           'adjusted', adjusted_by(d.body),
           'rounded', (select coalesce(json_agg(json_build_object(
                                'kind', t.kind, 'roundOff', t.round_off, 'adjusted', adjusted_by(t.body))), '[]')
                         from document_links k
                         join documents t on t.organisation = org and t.id = k.target
                        where k.organisation = org
                          and k.source = d.id
                          and k.role = 'source'
                          and (t.round_off <> 0 or t.body ? 'adjustments')
                          and not exists (select from document_links f
                                           where f.organisation = org and f.target = k.target and f.role = 'source' and f.source < d.id)
                          and not exists (select from cancellations c where c.organisation = org and c.document = t.id)),
           'cancelled', exists (select from cancellations c where c.organisation = org and c.document = d.id),
           'irnCancelled', irn_cancelled(org, d.id))), '[]')
    from documents d
   where d.organisation = org and d.id = any(ids)
$$;

-- Whoever settles holds the open items of both documents, as does who asks to cancel an IRN: one of them comes first.
create function settles_what_has_its_irn() returns trigger language plpgsql as $$
declare
  named text;
begin
  select d.number
    into named
    from documents d
   where d.organisation = new.organisation
     and d.id in (new.credit_document, new.invoice_document)
     and irn_cancelled(new.organisation, d.id)
   limit 1;
  if found then
    raise exception '%', named using errcode = 'check_violation', constraint = 'allocations_irn';
  end if;
  return new;
end $$;
create trigger settles_what_has_its_irn before insert on allocations
  for each row when (new.amount > 0) execute function settles_what_has_its_irn();
