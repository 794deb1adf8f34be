-- What the pages of a project's settings need.

-- `version` tells two people apart who save at once. A logo is a file that stays without a message.
alter table projects
  add column version integer not null default 1,
  add column logo_id uuid,
  add constraint projects_logo foreign key (id, logo_id) references media (project_id, id) on delete set null (logo_id);

alter table api_keys add column last_used_at timestamptz;

-- Which calls were answered how. No reference to projects: each written row would lock its project.
create table api_requests (
  project_id uuid not null,
  id uuid not null,
  request_id text not null,
  key_id uuid not null,
  method text not null,
  path text not null,
  status integer not null,
  ms integer not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index api_requests_request on api_requests (project_id, request_id);
create index api_requests_age on api_requests using brin (created_at);

alter table tags add column color text check (color ~ '^#[0-9a-f]{6}$');

-- A tag that is called otherwise from now on, or no more; a job brings that to tickets and contacts.
create table tag_changes (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  old_name text not null,
  new_name text,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);

create table exports (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  operator_id uuid not null,
  has_files boolean not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed')),
  step text,
  rows_done bigint not null default 0,
  rows_total bigint,
  size bigint,
  reason text,
  storage_key text not null default '',
  bucket_id uuid references buckets,
  tries integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, operator_id) references operators on delete cascade
);
create index exports_due on exports (created_at) where status in ('waiting', 'running');
create index exports_expired on exports (expires_at) where expires_at is not null;
create trigger exports_deleted after delete on exports for each row when (old.storage_key <> '')
  execute function leave_stray_object();

-- Of two people who save one article or category the second is told.
alter table articles add column version integer not null default 1;
alter table categories add column version integer not null default 1;
