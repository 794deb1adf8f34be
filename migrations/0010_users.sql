-- People who sign in. A user is a person of the whole installation; an operator is that person in one project.
create table users (
  id uuid primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expiry on user_sessions (expires_at);

-- How a user may sign in: the password has the provider `credential`.
create table user_logins (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index user_logins_user on user_logins (user_id);

-- What a sign-in that has several steps remembers between them.
create table user_tokens (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_tokens_identifier on user_tokens (identifier);
create index user_tokens_expiry on user_tokens (expires_at);

create table two_factors (
  id uuid primary key,
  user_id uuid not null unique references users (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count int not null default 0,
  locked_until timestamptz
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now()
);
create index passkeys_user on passkeys (user_id);

-- Wrong sign-ins in a row, of an account or of an address.
create table sign_in_attempts (
  subject text primary key,
  count int not null,
  locked_until timestamptz not null,
  tried_at timestamptz not null default now()
);
create index sign_in_attempts_age on sign_in_attempts (tried_at);

alter table operators
  add column user_id uuid references users (id) on delete set null,
  add column last_seen_at timestamptz,
  add column removed_at timestamptz;
create unique index operators_user on operators (project_id, user_id) where user_id is not null;
create index operators_of_user on operators (user_id) where user_id is not null;
create index operators_address on operators (lower(email)) where removed_at is null;

alter table projects add column requires_second_factor boolean not null default false;

-- Links that work once: to set the installation up, to accept an invitation, to choose a new password.
create table links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('set_up', 'invite', 'reset')),
  project_id uuid references projects (id) on delete cascade,
  operator_id uuid,
  user_id uuid references users (id) on delete cascade,
  email text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade,
  check (case purpose when 'set_up' then project_id is not null
    when 'invite' then operator_id is not null and project_id is not null else user_id is not null end)
);
create index links_project on links (project_id, operator_id) where project_id is not null;
create index links_user on links (user_id) where user_id is not null;
create index links_expiry on links (expires_at);
