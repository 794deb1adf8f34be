-- Who changed what of settings, keys, people and money. Nobody changes or removes an entry.
create table audit_entries (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  author_type text not null check (author_type in ('operator', 'api', 'cli', 'system')),
  author_id uuid,
  author_name text,
  action text not null,
  target_type text not null,
  target_id text,
  target_name text,
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index audit_entries_created on audit_entries (project_id, created_at, id);
create index audit_entries_author on audit_entries (project_id, author_id, created_at, id) where author_id is not null;

create trigger audit_entries_keep before update or truncate on audit_entries
  for each statement execute function refuse_change();
