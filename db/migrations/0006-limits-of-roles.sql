-- A role limits the discount that its people give and how far back they date documents, and says whether they see what
-- goods cost (ADR 70). The columns are empty in roles that exist: nothing changes for their people.
alter table roles
  add column discount_limit int check (discount_limit between 0 and 1000000),
  add column back_days int check (back_days between 0 and 36500),
  add column sees_cost text check (sees_cost in ('yes', 'no'));
