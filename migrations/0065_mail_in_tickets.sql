-- The IDs by which replies find a message: the first 16 bytes of the SHA-256 of an email's Message-ID, or of the beginning of its
-- Thread-Index. The ticket is read from the message, so these rows do not change when a message moves.
create table mail_ids (
  project_id uuid not null references projects on delete cascade,
  hash bytea not null,
  message_id uuid not null,
  primary key (project_id, hash, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);
create index mail_ids_message on mail_ids (project_id, message_id);

-- The email data of a message in addition to its text. It is read only on request.
create table mail_details (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  incoming_mail_id uuid,
  headers jsonb not null default '{}',
  quoted_text text not null default '',
  quoted_html text,
  primary key (project_id, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);
