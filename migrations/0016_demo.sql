-- What `--demo` has made in a project, so that it can be taken away again.
create table demo_records (
  project_id uuid not null references projects on delete cascade,
  kind text not null,
  record_id uuid not null,
  primary key (project_id, kind, record_id)
);
