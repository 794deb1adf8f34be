-- What a mail is known by when an answer to it arrives: the first 16 bytes of the SHA-256 of its Message-ID, or of the beginning of its
-- Thread-Index. The message says which ticket it is in, so that nothing has to move with it.
create table mail_ids (
  project_id uuid not null references projects on delete cascade,
  hash bytea not null,
  message_id uuid not null,
  primary key (project_id, hash, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
);
create index mail_ids_message on mail_ids (project_id, message_id);

-- What a message that was a mail has besides its text. It is read only when somebody asks for it.
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
