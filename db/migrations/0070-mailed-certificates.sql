-- A certificate of tax goes by mail as well. It is no document: its paper is made when it is asked for and kept from then on.
alter table mail_papers alter column document drop not null;
alter table mail_papers add column certificate uuid;
alter table mail_papers add foreign key (organisation, certificate) references tax_certificates;
alter table mail_papers add constraint mail_papers_of check ((document is null) <> (certificate is null) and (certificate is null or digest is not null));
create index mail_papers_certificate on mail_papers (organisation, certificate) where certificate is not null;
