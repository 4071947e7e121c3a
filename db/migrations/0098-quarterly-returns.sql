-- Who files quarterly may furnish invoices to registered persons of the first two months beforehand (IFF, rule 59(2)). That is
-- marked as returns are, and by the document: what an IFF held is not in the file of the quarter, and what it did not hold is,
-- whatever is posted for those days later. So an IFF locks nothing.
alter table gst_filings drop constraint gst_filings_form_check;
alter table gst_filings add constraint gst_filings_form_check check (form in ('GSTR-1', 'IFF', 'GSTR-3B'));

create table gst_furnished (
  organisation int not null, document uuid not null, registration uuid not null, form text not null default 'IFF' check (form = 'IFF'), period text not null,
  primary key (organisation, document), foreign key (organisation, document) references documents,
  foreign key (organisation, registration, form, period) references gst_filings
);
create index gst_furnished_filing on gst_furnished (organisation, registration, form, period);
create trigger log_change after insert or update or delete on gst_furnished for each row execute function log_change();
alter table gst_furnished enable row level security;
alter table gst_furnished force row level security;
create policy tenant on gst_furnished to bahi_app using (organisation = (select nullif(current_setting('app.organisation', true), '')::int)) with check (organisation = (select nullif(current_setting('app.organisation', true), '')::int));
create policy sweep on gst_furnished to bahi_owner using (true) with check (true);
grant select, insert, delete on gst_furnished to bahi_app;
