-- What people were answered who sent an Idempotency-Key; for API keys that stands in idempotency_keys.
create table operator_answers (
  project_id uuid not null,
  operator_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status int,
  -- Sealed, as there.
  body bytea,
  created_at timestamptz not null default now(),
  primary key (project_id, operator_id, key),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
);
create index operator_answers_age on operator_answers (created_at);

-- The id is new with each picture and part of its address: browsers may keep what they have for ever.
create table user_pictures (
  user_id uuid primary key references users (id) on delete cascade,
  id uuid not null unique,
  content_type text not null,
  bytes bytea not null
);

-- When a chosen status ends by itself.
alter table operators add column status_until timestamptz;
create index operators_status_until on operators (status_until) where status_until is not null;
