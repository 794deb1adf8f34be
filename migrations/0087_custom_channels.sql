-- Channels of messengers that Deskbell does not support. The project's own program posts what contacts write, and sends the replies.
create table custom_channels (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  -- Part of the channel of tickets and messages, `custom:<name>`, so it never changes.
  name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,31}$'),
  title text not null,
  color text not null,
  picture bytea,
  picture_type text,
  -- The department of new tickets.
  department_id uuid,
  state text not null default 'active' check (state in ('active', 'paused')),
  -- When the program made its last request, and when it posted its last message. Both may be 10 seconds old.
  last_request_at timestamptz,
  last_received_at timestamptz,
  -- When to email the admins again that replies are waiting; infinity after the email was sent, null while no reply has waited long.
  report_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, name),
  foreign key (project_id, department_id) references departments (project_id, id) on delete set null (department_id)
) with (fillfactor = 70);

-- The messages of custom channels and their ids in the messenger.
create table custom_messages (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  channel_id uuid not null,
  -- The contact's id in the messenger.
  contact_external_id text not null,
  -- The message's id in the messenger; null for a sent message whose id the program has not reported.
  external_id text,
  is_received boolean not null,
  primary key (project_id, message_id),
  unique (project_id, channel_id, external_id),
  foreign key (project_id, channel_id) references custom_channels (project_id, id) on delete cascade,
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);
create index custom_messages_newest on custom_messages (project_id, channel_id, contact_external_id, message_id);

alter table contact_identities drop constraint contact_identities_type_check;
alter table contact_identities add constraint contact_identities_type_check
  check (type in ('external', 'telegram', 'email', 'channel')) not valid;
