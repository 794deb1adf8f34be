-- The browsers that show notifications when Deskbell is closed. The session is that of the browser; when it ends, the browser is
-- notified no longer.
create table push_devices (
  id uuid primary key default uuid_v7(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null unique references user_sessions on delete cascade,
  -- The URL at the push service of the browser, and the keys with which its notifications are encrypted (RFC 8291).
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  -- When a notification was last accepted by the push service.
  sent_at timestamptz
);
create index push_devices_user on push_devices (user_id);

-- Notifications for operators, one for each browser. A row is deleted when it has been sent or is no longer needed.
create table operator_pushes (
  project_id uuid not null references projects on delete cascade,
  id uuid not null default uuid_v7(),
  operator_id uuid not null,
  -- The browser; it may be gone by now.
  device_id uuid not null,
  ticket_id uuid not null,
  kind text not null check (kind in ('assigned', 'mentioned', 'waiting', 'unassigned')),
  -- Null if the notification is about the ticket.
  message_id uuid,
  -- When it is sent, or sent again if the process that sends it dies.
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade,
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
) with (fillfactor = 70);
create index operator_pushes_due on operator_pushes (project_id, due_at);
create index operator_pushes_ticket on operator_pushes (project_id, ticket_id);
create index operator_pushes_operator on operator_pushes (project_id, operator_id);
create index operator_pushes_message on operator_pushes (project_id, message_id) where message_id is not null;

-- Whether the tab is in front. Somebody who sees Deskbell gets no notification.
alter table open_tabs add column is_visible boolean not null default true;

-- When operators who chose emails about everything that waits for them get the next one.
create table operator_digests (
  project_id uuid not null references projects on delete cascade,
  operator_id uuid not null,
  -- What the person had chosen when the next email was planned.
  schedule text not null,
  planned_at timestamptz not null,
  -- When it is sent, or sent again if it could not be sent or the process that sends it dies.
  due_at timestamptz not null,
  primary key (project_id, operator_id),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
) with (fillfactor = 70);
create index users_digest on users (id) where settings -> 'notifications' ->> 'digest' in ('hourly', 'daily');
