-- A cancellation of an IRN whose answer was lost is neither done nor not done: what was asked is written down before the portal
-- hears of it, the e-invoice is unclear meanwhile, and the portal is asked in the background, as after a lost registration.
alter table einvoices add column cancel_asked jsonb;
-- While somebody waits for the answer; a process that died leaves it behind.
alter table einvoices add column cancel_asked_at timestamptz;
alter table einvoices add constraint einvoices_cancel_asked
  check (cancel_asked is null or (state in ('unclear', 'sending') and ack_no is not null));
alter table einvoices add constraint einvoices_cancel_asked_at check (cancel_asked_at is null or cancel_asked is not null);
