-- Goods that go to another registration of the business are sold to nobody, so what a dispatch credits is no income: the
-- ledger stands beside the control of branches in the balance sheet, where the two leave only the tax on its way (ADR 63).
-- A ledger of income or expense that an organisation has pointed the effect at gives it back.
update posting_map p
   set ledger = own.id
  from ledgers now_at, ledgers own
 where p.effect = 'branchTransfer'
   and now_at.organisation = p.organisation
   and now_at.id = p.ledger
   and now_at.nature in ('income', 'expense')
   and own.organisation = p.organisation
   and own.role = 'branch_transfer'
   and not own.is_group
   and own.id <> p.ledger;

update ledgers l
   set "group" = g.id, nature = g.nature
  from ledgers g
 where l.role = 'branch_transfer'
   and not l.is_group
   and l.nature in ('income', 'expense')
   and g.organisation = l.organisation
   and g.is_group
   and g.nature = 'asset'
   and g.id = coalesce(
     (
       select c."group"
         from ledgers c
         join ledgers at on at.organisation = c.organisation and at.id = c."group" and at.nature = 'asset'
        where c.organisation = l.organisation
          and c.role = 'inter_branch'
          and not c.is_group
        order by c.code
        limit 1
     ),
     (select a.id from ledgers a where a.organisation = l.organisation and a.code = '1500' and a.is_group)
   );
