-- The Telegram bots of projects.
create table telegram_bots (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  -- The bot's id in Telegram, the number at the start of its token.
  telegram_id bigint not null,
  username text not null,
  -- The name in Deskbell, initially the bot's name in Telegram.
  name text not null,
  picture bytea,
  -- Encrypted.
  token bytea not null,
  -- The address of the bot's Bot API server; empty for Telegram's own.
  api_root text not null default '',
  receiving text not null default 'auto' check (receiving in ('auto', 'polling', 'webhook')),
  department_id uuid,
  takes_groups boolean not null default false,
  sends_away boolean not null default true,
  asks_phone boolean not null default false,
  asks_rating boolean not null default true,
  texts jsonb not null default '{}',
  state text not null default 'active' check (state in ('active', 'paused', 'broken')),
  -- Every update with a lower id has been fetched.
  next_update_id bigint not null default 0,
  last_update_at timestamptz,
  last_ok_at timestamptz,
  last_error jsonb,
  failing_since timestamptz,
  -- When to email the admins about an outage; infinity once the email was sent, null while the bot works.
  report_at timestamptz,
  failures integer not null default 0,
  backoff_until timestamptz,
  -- The most recent period in which Telegram may have deleted updates before Deskbell fetched them: from, until.
  missed jsonb,
  lease_id uuid,
  lease_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, department_id) references departments (project_id, id) on delete set null (department_id)
) with (fillfactor = 70);

create index telegram_bots_report on telegram_bots (project_id, report_at) where report_at is not null;

-- A bot can belong to only one project in the installation. A project's own Bot API server can claim any bot id, so ids must be
-- unique only among bots on the same server.
create table telegram_bot_owners (
  project_id uuid not null references projects on delete cascade,
  bot_id uuid not null,
  api_root text not null default '',
  telegram_id bigint not null,
  primary key (project_id, bot_id),
  unique (api_root, telegram_id),
  foreign key (project_id, bot_id) references telegram_bots (project_id, id) on delete cascade
);

-- How many messages each bot has sent recently, and when it can send again.
create table telegram_bot_rates (
  project_id uuid not null references projects on delete cascade,
  bot_id uuid not null,
  -- The start of the second that sent_count counts.
  sent_since timestamptz not null default now(),
  sent_count integer not null default 0,
  send_after timestamptz,
  primary key (project_id, bot_id),
  foreign key (project_id, bot_id) references telegram_bots (project_id, id) on delete cascade
) with (fillfactor = 50);

-- A bot's chats, with one person or a group.
create table telegram_chats (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  bot_id uuid not null,
  -- The chat's id in Telegram, negative for groups.
  chat_id bigint not null,
  title text not null default '',
  -- The contact in a private chat, or the contact that represents the group; null until the first message.
  contact_id uuid,
  -- When to handle the chat's stored updates; null if there are none. The process that holds the lease handles them in order.
  due_at timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  -- When the bot was blocked or removed; null while it can write.
  blocked_at timestamptz,
  -- Whether the next message opens a new ticket.
  starts_ticket boolean not null default false,
  -- The ticket that the next message continues, because the person opened a link for that ticket.
  continues_ticket_id uuid,
  -- Whether the bot has told the group that it does not read group messages.
  is_refused boolean not null default false,
  -- For groups, the start of the minute that minute_count counts.
  minute_since timestamptz,
  minute_count integer not null default 0,
  send_after timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, bot_id, chat_id),
  foreign key (project_id, bot_id) references telegram_bots (project_id, id) on delete cascade,
  foreign key (project_id, contact_id) references contacts (project_id, id) on delete set null (contact_id)
) with (fillfactor = 50);
create index telegram_chats_due on telegram_chats (project_id, bot_id, due_at) where due_at is not null;
create index telegram_chats_continued on telegram_chats (project_id, continues_ticket_id) where continues_ticket_id is not null;
create index telegram_chats_contact on telegram_chats (project_id, contact_id) where contact_id is not null;

-- Links with a signed token that a chat has used, so no other chat can use them. They are deleted when the token expires.
create table telegram_used_links (
  project_id uuid not null references projects on delete cascade,
  token text not null,
  chat_id uuid not null,
  expires_at timestamptz not null,
  primary key (project_id, token),
  foreign key (project_id, chat_id) references telegram_chats (project_id, id) on delete cascade
);
create index telegram_used_links_chat on telegram_used_links (project_id, chat_id);
create index telegram_used_links_expired on telegram_used_links (project_id, expires_at);

-- Received updates, stored before they are handled.
create table telegram_updates (
  project_id uuid not null references projects on delete cascade,
  bot_id uuid not null,
  update_id bigint not null,
  chat_id uuid not null,
  content jsonb not null,
  state text not null default 'stored' check (state in ('stored', 'done', 'failed')),
  attempts integer not null default 0,
  outcome text,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (project_id, bot_id, update_id),
  foreign key (project_id, bot_id) references telegram_bots (project_id, id) on delete cascade,
  foreign key (project_id, chat_id) references telegram_chats (project_id, id) on delete cascade
) with (fillfactor = 80);
create index telegram_updates_waiting on telegram_updates (project_id, chat_id, update_id) where state = 'stored';
create index telegram_updates_chat on telegram_updates (project_id, chat_id);
create index telegram_updates_failed on telegram_updates (project_id, bot_id, chat_id) where state = 'failed';
create index telegram_updates_done on telegram_updates (created_at) where state <> 'stored';

-- The Telegram messages that make up each message in Deskbell: several for an album or a long text.
create table telegram_messages (
  project_id uuid not null references projects on delete cascade,
  chat_id uuid not null,
  -- The message's id in the Telegram chat; negative if the message was sent before the group's id changed.
  telegram_id bigint not null,
  message_id uuid not null,
  -- The group's topic; 0 outside topics.
  topic_id bigint not null default 0,
  media_group_id text,
  -- The text of a received message, used to assemble the text of an album.
  caption text not null default '',
  -- Lines about files in a received message that could not be downloaded. An edit keeps them.
  missing text not null default '',
  -- The position among the parts of a sent message; null for received messages.
  part integer,
  primary key (project_id, chat_id, telegram_id),
  foreign key (project_id, chat_id) references telegram_chats (project_id, id) on delete cascade,
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);
create index telegram_messages_message on telegram_messages (project_id, message_id, telegram_id);
create index telegram_messages_newest on telegram_messages (project_id, chat_id, topic_id, message_id);
create index telegram_messages_album on telegram_messages (project_id, chat_id, media_group_id)
  where media_group_id is not null;

-- The progress of each message being sent: first the text or files in parts, then edits to the text, then the reaction.
create table telegram_sends (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  chat_id uuid not null,
  topic_id bigint not null default 0,
  -- The first unsent part; null for a received message, for which only the reaction is sent.
  next_part integer,
  -- Set if a part may have been sent twice, or if it is unknown whether a part was sent.
  mark text check (mark in ('maybe_sent_twice', 'outcome_unknown')),
  is_edited boolean not null default false,
  -- The buttons below the message, such as rating buttons.
  buttons text,
  -- The operator's reaction to set in Telegram; empty to remove it, null if there is nothing to do.
  reaction text,
  primary key (project_id, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade,
  foreign key (project_id, chat_id) references telegram_chats (project_id, id) on delete cascade
) with (fillfactor = 70);
create index telegram_sends_chat on telegram_sends (project_id, chat_id);
