-- The Telegram bots of projects.
create table telegram_bots (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  -- Telegram's id of the bot, the number at the beginning of its token.
  telegram_id bigint not null,
  username text not null,
  -- The name in Deskbell; at first, the bot's name in Telegram.
  name text not null,
  picture bytea,
  -- Encrypted.
  token bytea not null,
  -- The address of a Bot API server; empty for Telegram's own.
  api_root text not null default '',
  receiving text not null default 'auto' check (receiving in ('auto', 'polling', 'webhook')),
  department_id uuid,
  takes_groups boolean not null default false,
  sends_away boolean not null default true,
  asks_phone boolean not null default false,
  asks_rating boolean not null default true,
  texts jsonb not null default '{}',
  state text not null default 'active' check (state in ('active', 'paused', 'broken')),
  -- All updates with a smaller id have been fetched.
  next_update_id bigint not null default 0,
  last_update_at timestamptz,
  last_ok_at timestamptz,
  last_error jsonb,
  failing_since timestamptz,
  failures integer not null default 0,
  backoff_until timestamptz,
  -- The last time for which Telegram may have deleted updates before they could be fetched: from, until.
  missed jsonb,
  lease_id uuid,
  lease_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, department_id) references departments (project_id, id) on delete set null (department_id)
) with (fillfactor = 70);

-- A bot belongs to one project of the installation.
create table telegram_bot_owners (
  project_id uuid not null references projects on delete cascade,
  telegram_id bigint not null unique,
  bot_id uuid not null,
  primary key (project_id, telegram_id),
  foreign key (project_id, bot_id) references telegram_bots (project_id, id) on delete cascade
);
create index telegram_bot_owners_bot on telegram_bot_owners (project_id, bot_id);

-- How much each bot has sent, and how long it must wait.
create table telegram_bot_rates (
  project_id uuid not null references projects on delete cascade,
  bot_id uuid not null,
  -- The second in which sent_count messages were sent.
  sent_since timestamptz not null default now(),
  sent_count integer not null default 0,
  send_after timestamptz,
  primary key (project_id, bot_id),
  foreign key (project_id, bot_id) references telegram_bots (project_id, id) on delete cascade
) with (fillfactor = 50);

-- The chats of a bot: with one person, or groups.
create table telegram_chats (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  bot_id uuid not null,
  -- Telegram's id of the chat, negative for groups.
  chat_id bigint not null,
  title text not null default '',
  -- The contact who writes in it, or who stands for the group; null until the first message.
  contact_id uuid,
  -- When stored updates of the chat are handled; null if there are none. They are handled in order, by the process with the lease.
  due_at timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  -- Since when the bot may not write, because it was blocked or removed.
  blocked_at timestamptz,
  -- Whether the next message opens a new ticket.
  starts_ticket boolean not null default false,
  -- The ticket that the next message continues, after a link that was made for it.
  continues_ticket_id uuid,
  -- Whether the bot has said that it does not read groups.
  is_refused boolean not null default false,
  -- When the last message was sent, and for groups the minute in which minute_count messages were sent.
  sent_at timestamptz,
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
create index telegram_updates_done on telegram_updates (created_at) where state <> 'stored';

-- The messages in Telegram that each message here consists of: several for an album or a long text.
create table telegram_messages (
  project_id uuid not null references projects on delete cascade,
  chat_id uuid not null,
  -- Telegram's id of the message in its chat; negative if it is from before the group got another id.
  telegram_id bigint not null,
  message_id uuid not null,
  -- The topic of a group; 0 outside of topics.
  topic_id bigint not null default 0,
  media_group_id text,
  -- The text of a received message, from which the text of an album is put together.
  caption text not null default '',
  -- The place in a sent message; null for received messages.
  part integer,
  primary key (project_id, chat_id, telegram_id),
  foreign key (project_id, chat_id) references telegram_chats (project_id, id) on delete cascade,
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);
create index telegram_messages_message on telegram_messages (project_id, message_id, telegram_id);
create index telegram_messages_newest on telegram_messages (project_id, chat_id, topic_id, message_id);
create index telegram_messages_album on telegram_messages (project_id, chat_id, media_group_id)
  where media_group_id is not null;

-- Messages that are sent, and how far: the text or files in parts, then changes of the text, then the reaction.
create table telegram_sends (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  chat_id uuid not null,
  topic_id bigint not null default 0,
  -- The first part that was not sent; null for a received message, of which only the reaction is sent.
  next_part integer,
  -- Whether some part was sent twice, or whether that is unknown.
  mark text check (mark in ('maybe_sent_twice', 'outcome_unknown')),
  is_edited boolean not null default false,
  -- The buttons below it, such as those of a rating.
  buttons text,
  -- The reaction of an operator that Telegram shall show; empty for none, null if there is nothing to do.
  reaction text,
  primary key (project_id, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade,
  foreign key (project_id, chat_id) references telegram_chats (project_id, id) on delete cascade
) with (fillfactor = 70);
create index telegram_sends_chat on telegram_sends (project_id, chat_id);
