-- Documents that an import posts: why, in spite of warnings that need a reason.
alter table imports add column reason text;
