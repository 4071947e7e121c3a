-- A typed rate of exchange is compared with the last one that was used for its currency: documents in other currencies
-- are found by their day.
create index documents_foreign on documents (organisation, currency, date desc) where currency <> 'INR';
