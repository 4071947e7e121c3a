-- What is usually bought on a ledger: the HSN or SAC of its lines, where they have none of their own, and whether their
-- input tax is credited.
alter table ledgers
  add column hsn text check (hsn ~ '^([0-9]{4}|[0-9]{6}|[0-9]{8})$'),
  add column credit_blocked boolean not null default false;

-- What ledgers are, and which code and credit are usual of them, is remembered too.
create constraint trigger ledger_of_nature after insert on ledgers deferrable initially deferred
  for each row
  when (new.nature <> 'expense' or new.hsn is not null or new.credit_blocked)
  execute function masters_changed();

-- Ledgers of the default chart whose name says it.
update ledgers l
set hsn = c.hsn
from (
  values
    ('1720', 'Buildings', '9954'),
    ('1750', 'Vehicles', '8703'),
    ('5210', 'Freight and cartage inward', '996511'),
    ('6130', 'Staff welfare', '996331'),
    ('6410', 'Rent', '997212'),
    ('6435', 'Legal and professional fees', '9982'),
    ('6460', 'Freight and delivery outward', '996511')
) c (code, name, hsn)
where l.code = c.code and l.name = c.name and not l.is_group;
update ledgers
set credit_blocked = true
where code = '6535' and name = 'Corporate social responsibility and donations' and not is_group;
