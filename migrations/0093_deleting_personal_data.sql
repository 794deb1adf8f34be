-- Deletions of a contact or a ticket with all their data, and what is left to do. The rows contain ids and no personal data, and stay.
create table data_deletions (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('ticket', 'contact')),
  record_id uuid not null,
  state text not null default 'running' check (state in ('running', 'done')),
  step text not null default 'tickets',
  -- Where the next transaction of the step begins.
  place text not null default '',
  tickets integer not null default 0,
  messages integer not null default 0,
  files integer not null default 0,
  mails integer not null default 0,
  messages_total integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (project_id, id),
  unique (project_id, kind, record_id)
) with (fillfactor = 70);
create index data_deletions_running on data_deletions (project_id, created_at) where state = 'running';

-- Ids of what a running deletion has deleted, by which it finds copies in the event log and elsewhere.
create table deleted_records (
  project_id uuid not null,
  deletion_id uuid not null,
  record_id uuid not null,
  primary key (project_id, deletion_id, record_id),
  foreign key (project_id, deletion_id) references data_deletions (project_id, id) on delete cascade
);

-- Words of deleted texts, which the search forgets at the end of the deletion unless other texts contain them.
create table deleted_words (
  project_id uuid not null,
  deletion_id uuid not null,
  word text not null,
  primary key (project_id, deletion_id, word),
  foreign key (project_id, deletion_id) references data_deletions (project_id, id) on delete cascade
);

-- Changes when words are deleted, so that a process that has read them before does not write them again.
alter table words_read add column generation integer not null default 0;
