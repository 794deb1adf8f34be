-- Every tenant table leads its primary key with project_id, and references carry it too:
-- a row of one project cannot point at a row of another.

-- Ids are made by the application; this is for rows that a statement makes by the set (deliveries of an event).
create function uuid_v7() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

create table installation (
  only_row boolean primary key default true check (only_row),
  maintenance boolean not null default false,
  secret_key_check text,
  created_at timestamptz not null default now()
);
insert into installation default values;

create table plans (
  code text primary key,
  name text not null,
  monthly_ticket_limit int check (monthly_ticket_limit >= 0),
  features jsonb not null default '{}'
);
insert into plans (code, name, features) values ('unlimited', 'Unlimited', '{"knowledge_base": true}');

create table projects (
  id uuid primary key,
  name text not null,
  plan text not null references plans (code),
  suspended_at timestamptz,
  reopen_days int not null default 14,
  auto_close_days int check (auto_close_days > 0),
  created_at timestamptz not null default now()
);

-- The one row that every event of a project passes. The writing transaction takes it last, so its lock lives
-- for one statement and the commit, and events become visible in the order of their numbers.
create table project_counters (
  project_id uuid primary key references projects (id) on delete cascade,
  event_seq bigint not null default 0,
  event_at timestamptz not null default '-infinity',
  ticket_number bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create table api_keys (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  prefix text not null,
  hash text not null unique,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);

create table idempotency_keys (
  project_id uuid not null,
  api_key_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status int,
  -- Sealed: an answer may hold a webhook's secret.
  body bytea,
  created_at timestamptz not null default now(),
  primary key (project_id, api_key_id, key),
  foreign key (project_id, api_key_id) references api_keys (project_id, id) on delete cascade
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table departments (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);

create table operators (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  email text not null,
  avatar_url text,
  status text not null default 'offline',
  status_text text,
  status_emoji text,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);

create table department_operators (
  project_id uuid not null,
  department_id uuid not null,
  operator_id uuid not null,
  primary key (project_id, department_id, operator_id),
  foreign key (project_id, department_id) references departments (project_id, id) on delete cascade,
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
);

create table contacts (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  external_id text,
  full_name text,
  email text,
  phone text,
  telegram_id bigint,
  telegram_username text,
  avatar_url text,
  language text,
  timezone text,
  source text not null,
  tags text[] not null default '{}',
  custom_fields jsonb not null default '{}',
  note text,
  blocked_at timestamptz,
  merged_into_id uuid,
  last_seen_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null generated always as (
    strip(to_tsvector('simple', translate(coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' ||
      coalesce(phone, '') || ' ' || coalesce(external_id, '') || ' ' || coalesce(telegram_username, ''),
      '@.-+_:/', '       ')))
  ) stored,
  primary key (project_id, id),
  foreign key (project_id, merged_into_id) references contacts (project_id, id)
);
create index contacts_created on contacts (project_id, created_at, id);
create index contacts_updated on contacts (project_id, updated_at, id);
create index contacts_phone on contacts (project_id, phone) where phone is not null;
create index contacts_blocked on contacts (project_id, created_at, id) where blocked_at is not null;
create index contacts_search on contacts using gin (search);

-- Who a contact is. The primary key makes two simultaneous creates of one new contact meet on one row.
create table contact_identities (
  project_id uuid not null,
  type text not null check (type in ('external', 'telegram', 'email')),
  value text not null,
  contact_id uuid not null,
  is_primary boolean not null,
  is_verified boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (project_id, type, value),
  foreign key (project_id, contact_id) references contacts (project_id, id) on delete cascade
    deferrable initially deferred
);
create index contact_identities_contact on contact_identities (project_id, contact_id);

-- No reference to projects here and in events: contact and counter already prove the project, and checking it
-- would lock the project's row at every write.
create table tickets (
  project_id uuid not null,
  id uuid not null,
  number bigint not null,
  subject text not null,
  status text not null check (status in ('new', 'open', 'pending', 'on_hold', 'closed')),
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  channel text not null,
  contact_id uuid not null,
  operator_id uuid,
  department_id uuid,
  tags text[] not null default '{}',
  custom_fields jsonb not null default '{}',
  external_id text,
  is_spam boolean not null default false,
  over_limit boolean not null default false,
  language text,
  rating int check (rating between 1 and 5),
  rating_comment text,
  rated_at timestamptz,
  snoozed_until timestamptz,
  closed_at timestamptz,
  closed_by jsonb,
  resolution_secs int,
  reopened_count int not null default 0,
  merged_into_id uuid,
  follow_up_of_id uuid,
  version int not null default 1,
  created_at timestamptz not null,
  search tsvector not null generated always as (strip(to_tsvector('simple', subject))) stored,
  primary key (project_id, id),
  unique (project_id, number),
  foreign key (project_id, contact_id) references contacts (project_id, id),
  foreign key (project_id, operator_id) references operators (project_id, id),
  foreign key (project_id, department_id) references departments (project_id, id),
  foreign key (project_id, merged_into_id) references tickets (project_id, id),
  foreign key (project_id, follow_up_of_id) references tickets (project_id, id)
);
-- A list is answered by one index alone: each holds what the other filters ask for, and spam has one of its own.
create index tickets_created on tickets (project_id, created_at, id)
  include (status, priority, channel, operator_id, department_id, closed_at) where not is_spam;
create index tickets_status on tickets (project_id, status, created_at, id)
  include (priority, channel, operator_id, department_id) where not is_spam;
create index tickets_priority on tickets (project_id, priority, created_at, id)
  include (status, channel, operator_id, department_id) where not is_spam;
create index tickets_channel on tickets (project_id, channel, created_at, id)
  include (status, priority, operator_id, department_id) where not is_spam;
create index tickets_operator on tickets (project_id, operator_id, created_at, id)
  include (status, priority, channel, department_id) where not is_spam;
create index tickets_department on tickets (project_id, department_id, created_at, id)
  include (status, priority, channel, operator_id) where not is_spam;
create index tickets_contact on tickets (project_id, contact_id, created_at, id) include (status, is_spam);
create index tickets_closed on tickets (project_id, closed_at, id) where closed_at is not null;
create index tickets_external on tickets (project_id, external_id) where external_id is not null;
create index tickets_spam on tickets (project_id, created_at, id) where is_spam;
create index tickets_snoozed on tickets (snoozed_until) where snoozed_until is not null;
create index tickets_merged on tickets (project_id, merged_into_id) where merged_into_id is not null;
create index tickets_tags on tickets using gin (tags);
create index tickets_search on tickets using gin (search);

-- What every message moves, apart from the ticket: a message then renews four index entries and not fifteen.
create table ticket_activity (
  project_id uuid not null,
  ticket_id uuid not null,
  updated_at timestamptz not null,
  messages_count int not null default 0,
  last_message_id uuid,
  last_message_at timestamptz,
  last_message_sender_type text,
  last_message_preview text,
  first_reply_at timestamptz,
  last_contact_message_at timestamptz,
  last_operator_message_at timestamptz,
  waiting_since timestamptz,
  primary key (project_id, ticket_id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
) with (fillfactor = 85);
create index ticket_activity_updated on ticket_activity (project_id, updated_at, ticket_id);
create index ticket_activity_oldest on ticket_activity (project_id, last_message_at, ticket_id);
create index ticket_activity_newest on ticket_activity (project_id, last_message_at desc nulls last, ticket_id desc);

create table messages (
  project_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  sender_type text not null check (sender_type in ('contact', 'operator', 'bot', 'system')),
  sender_id uuid,
  sender_name text,
  sender_avatar_url text,
  content text not null,
  content_format text not null check (content_format in ('text', 'markdown', 'html')),
  content_html text,
  is_internal boolean not null default false,
  reply_to_id uuid,
  channel text not null,
  external_id text,
  delivery_status text not null default 'sent'
    check (delivery_status in ('pending', 'scheduled', 'sent', 'delivered', 'read', 'failed')),
  delivery_error text,
  delivery_attempts int not null default 1,
  delivery_updated_at timestamptz not null,
  send_at timestamptz,
  email jsonb,
  system jsonb,
  version int not null default 1,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  search tsvector not null generated always as (strip(to_tsvector('simple', content))) stored,
  primary key (project_id, id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, reply_to_id) references messages (project_id, id)
);
create index messages_ticket on messages (project_id, ticket_id, created_at, id);
create unique index messages_external on messages (project_id, external_id) where external_id is not null;
create index messages_scheduled on messages (send_at) where delivery_status = 'scheduled';
create index messages_search on messages using gin (search);

create table message_reactions (
  project_id uuid not null,
  message_id uuid not null,
  reactor_kind text not null check (reactor_kind in ('contact', 'operator')),
  reactor_id uuid not null,
  emoji text not null,
  created_at timestamptz not null,
  primary key (project_id, message_id, reactor_kind, reactor_id, emoji),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);

create table media (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  message_id uuid,
  position int not null default 0,
  filename text not null,
  content_type text not null,
  kind text not null,
  size bigint not null,
  width int,
  height int,
  duration double precision,
  sha256 text not null,
  has_thumb boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, message_id) references messages (project_id, id)
);
create index media_message on media (project_id, message_id) where message_id is not null;

-- The one log. `data` keeps the text that was written, so that every reader sends the same bytes.
create table events (
  project_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  data json not null,
  created_at timestamptz not null,
  primary key (project_id, seq)
);
create index events_age on events (created_at);

create table webhooks (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  url text not null,
  events text[] not null default '{}',
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  description text not null default '',
  is_active boolean not null default true,
  -- The last time it was switched on again: what was due before is not sent any more.
  active_since timestamptz not null default '-infinity',
  consecutive_failures int not null default 0,
  deleted_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index webhooks_deleted on webhooks (project_id, id) where deleted_at is not null;

-- Deliveries that are still to be made: small and hot. A claim changes no indexed column.
-- The body is printed from the event; only a repeated test, which has no event, keeps its own.
create table webhook_queue (
  project_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event_seq bigint,
  event_id uuid not null,
  event_type text not null,
  is_test boolean not null default false,
  request_body text,
  attempts int not null default 0,
  attempts_log jsonb not null default '[]',
  run_at timestamptz not null,
  claim_id uuid,
  lease_until timestamptz,
  lapses int not null default 0,
  created_at timestamptz not null,
  primary key (project_id, webhook_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index webhook_queue_due on webhook_queue (project_id, webhook_id, run_at, id);

-- Deliveries that have ended, kept to be looked up.
create table webhook_deliveries (
  project_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event_seq bigint,
  event_id uuid not null,
  event_type text not null,
  status text not null check (status in ('succeeded', 'failed', 'cancelled')),
  is_test boolean not null default false,
  attempts int not null,
  attempts_log jsonb not null default '[]',
  request_body text,
  created_at timestamptz not null,
  finished_at timestamptz not null,
  primary key (project_id, webhook_id, id)
);
create index webhook_deliveries_age on webhook_deliveries (finished_at);
create index webhook_deliveries_trouble on webhook_deliveries (project_id, webhook_id, id) where status <> 'succeeded';
