-- The page of an item shows the documents that were posted last with it. The index has the lines of an item in the order
-- of their documents, whose ids follow the time, so that the last are read without the others.
drop index document_lines_item;
create index document_lines_item on document_lines (organisation, item, document) where item is not null;
