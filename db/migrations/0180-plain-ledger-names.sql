-- The ledger of consumers was named after the till and that of goods after tax, though invoices of every kind and firms
-- without GST registration post to them. Names that an organisation has chosen itself stay.
update ledgers set name = 'Trade receivables - retail customers'
 where code = '1212' and name = 'Trade receivables - POS customers';
update ledgers set name = 'Sales - goods, domestic'
 where code = '4110' and name = 'Sales - goods, domestic taxable';
