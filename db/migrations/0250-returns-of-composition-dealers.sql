-- Composition dealers file CMP-08 after each quarter and GSTR-4 after the year (section 39(2), rule 62). Both are marked as filed as
-- other returns are, and lock what they show in registers of their own: days under composition are not those of GSTR-1.
alter table gst_filings drop constraint gst_filings_form_check;
alter table gst_filings add constraint gst_filings_form_check
  check (form in ('GSTR-1', 'IFF', 'GSTR-3B', 'GSTR-9', 'CMP-08', 'GSTR-4'));
alter table gst_filings drop constraint gst_filings_year;
alter table gst_filings add constraint gst_filings_year check (form not in ('GSTR-9', 'GSTR-4') or period like '%-03');
alter table gst_filings add constraint gst_filings_quarter check (form <> 'CMP-08' or period ~ '-(03|06|09|12)$');

alter table register_locks drop constraint register_locks_register_check;
alter table register_locks add constraint register_locks_register_check
  check (register ~ '^[a-z]+[0-9]*(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$');
