-- So that people who change a saved view at the same time do not overwrite each other's changes.
alter table saved_views add column version integer not null default 1;
