-- What people do with tickets in the dashboard.

alter table projects
  add column after_reply text not null default 'pending' check (after_reply in ('pending', 'leave', 'close')),
  add column assigns_on_reply boolean not null default true;

-- What becomes of the ticket when this reply is sent; null: what the project says.
alter table messages add column after_reply text;

-- A message that is taken back lets go of what answers it.
create index messages_reply_to on messages (project_id, reply_to_id) where reply_to_id is not null;

-- How far each person has read. By ticket first: whoever reads a list asks for a page of tickets.
create table ticket_reads (
  project_id uuid not null,
  ticket_id uuid not null,
  operator_id uuid not null,
  last_read_message_at timestamptz not null,
  primary key (project_id, ticket_id, operator_id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
) with (fillfactor = 70);
create index ticket_reads_operator on ticket_reads (project_id, operator_id);

create table mentions (
  project_id uuid not null,
  message_id uuid not null,
  operator_id uuid not null,
  read_at timestamptz,
  primary key (project_id, message_id, operator_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade,
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
);
create index mentions_operator on mentions (project_id, operator_id, message_id);
create index mentions_unread on mentions (project_id, operator_id, message_id) where read_at is null;

-- What a merge moved and changed, so that it can be taken back.
create table ticket_merges (
  project_id uuid not null,
  source_id uuid not null,
  target_id uuid not null,
  message_ids uuid[] not null,
  source_fields jsonb not null,
  merged_at timestamptz not null,
  primary key (project_id, source_id),
  foreign key (project_id, source_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, target_id) references tickets (project_id, id) on delete cascade
);
create index ticket_merges_target on ticket_merges (project_id, target_id);
create index ticket_merges_age on ticket_merges (merged_at);

-- What somebody has typed and not sent: one reply and one note for each ticket.
create table drafts (
  project_id uuid not null,
  ticket_id uuid not null,
  operator_id uuid not null,
  is_internal boolean not null,
  content text not null,
  content_format text not null check (content_format in ('text', 'markdown', 'html')),
  media_ids uuid[] not null,
  mentions uuid[] not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  primary key (project_id, ticket_id, operator_id, is_internal),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
);
create index drafts_operator on drafts (project_id, operator_id);

create table saved_views (
  project_id uuid not null,
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  filters jsonb not null,
  is_shared boolean not null default false,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, owner_id) references operators (project_id, id) on delete cascade
);
create index saved_views_owner on saved_views (project_id, owner_id);

create table canned_answers (
  project_id uuid not null,
  id uuid not null,
  -- Null: shared with everybody, or with the people of the department.
  owner_id uuid,
  department_id uuid,
  shortcut text not null,
  title text not null,
  content text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, owner_id) references operators (project_id, id) on delete cascade,
  foreign key (project_id, department_id) references departments (project_id, id) on delete cascade,
  check (owner_id is null or department_id is null)
);
create unique index canned_answers_shortcut on canned_answers (project_id, owner_id, lower(shortcut))
  nulls not distinct;
create index canned_answers_department on canned_answers (project_id, department_id) where department_id is not null;

create table custom_fields (
  project_id uuid not null,
  id uuid not null,
  record text not null check (record in ('ticket', 'contact')),
  key text not null,
  label text not null,
  type text not null check (type in ('text', 'number', 'date', 'select', 'checkbox')),
  options text[] not null default '{}',
  is_required boolean not null default false,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, record, key),
  foreign key (project_id) references projects (id) on delete cascade
);

-- The views of the inbox count what waits: tickets that are not closed, no spam, and awake.
create index tickets_waiting_operator on tickets (project_id, operator_id)
  where status <> 'closed' and not is_spam and snoozed_until is null;
create index tickets_waiting_department on tickets (project_id, department_id)
  where status <> 'closed' and not is_spam and snoozed_until is null;
create index tickets_asleep on tickets (project_id, snoozed_until, id) where snoozed_until is not null;
