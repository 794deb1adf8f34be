-- How many words a project has: invented ones do not fill the disk. Those that older versions gathered are not counted.
alter table words_read add column word_count integer not null default 0;
