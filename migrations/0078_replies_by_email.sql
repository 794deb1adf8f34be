-- Which mailboxes send operators' replies in tickets of other channels. Without a mailbox, they are not sent by email.
create table reply_mailboxes (
  project_id uuid primary key references projects on delete cascade,
  widget_mailbox_id uuid,
  -- How many minutes a reply may stay unread in the chat.
  widget_after_minutes integer not null default 5 check (widget_after_minutes between 1 and 1440),
  api_mailbox_id uuid,
  foreign key (project_id, widget_mailbox_id) references mailboxes (project_id, id) on delete set null (widget_mailbox_id),
  foreign key (project_id, api_mailbox_id) references mailboxes (project_id, id) on delete set null (api_mailbox_id)
);

-- Replies in the chat that are sent by email unless the contact reads them first.
create table unread_replies (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  due_at timestamptz not null,
  -- The message whose email contains this one too; null while it waits.
  sent_with uuid,
  primary key (project_id, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade,
  foreign key (project_id, sent_with) references messages (project_id, id) on delete cascade
);
create index unread_replies_due on unread_replies (project_id, due_at) where sent_with is null;
create index unread_replies_sent_with on unread_replies (project_id, sent_with) where sent_with is not null;
