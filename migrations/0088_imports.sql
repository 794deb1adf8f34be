-- Data from other systems. The source is the name of an import.
create table imports (
  project_id uuid not null references projects on delete cascade,
  source text not null check (source ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  state text not null default 'open' check (state in ('open', 'removing')),
  -- How many records of the import exist.
  contacts integer not null default 0,
  matched_contacts integer not null default 0,
  tickets integer not null default 0,
  messages integer not null default 0,
  files integer not null default 0,
  -- How many tickets the last removal kept because they also have messages that are not from the import.
  kept integer not null default 0,
  -- Whether the removal also deletes those tickets.
  is_forced boolean not null default false,
  -- The kind of records that the removal is deleting, and the source_id of the last one that it examined.
  removal_step text not null default 'tickets'
    check (removal_step in ('tickets', 'messages', 'files', 'merged_contacts', 'contacts', 'records')),
  removed_until text not null collate "C" default '',
  created_at timestamptz not null default now(),
  last_import_at timestamptz not null default now(),
  removal_started_at timestamptz,
  removal_finished_at timestamptz,
  primary key (project_id, source)
) with (fillfactor = 70);

create table imported_records (
  project_id uuid not null references projects on delete cascade,
  source text not null,
  kind text not null check (kind in ('contact', 'ticket', 'message', 'media')),
  source_id text not null collate "C",
  record_id uuid not null,
  -- False if the contact existed before.
  is_made boolean not null default true,
  -- The source_id of the ticket into which this one was merged, if that one has not been imported yet.
  awaited text collate "C",
  primary key (project_id, source, kind, source_id),
  foreign key (project_id, source) references imports (project_id, source) on delete cascade
);

create index imported_records_record on imported_records (project_id, record_id);
create index imported_records_awaited on imported_records (project_id, source, awaited) where awaited is not null;

-- Messages up to this time were imported, and count as read for operators who have not read the ticket.
alter table ticket_activity add column imported_until timestamptz;
