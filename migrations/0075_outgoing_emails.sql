-- How a mailbox sends. The password of its SMTP server is in secrets.
alter table mailboxes
  add column sending text not null default 'none' check (sending in ('smtp', 'installation', 'none')),
  -- Server, user and authentication method. The method `imap` uses the user and password, or the token, of the IMAP server.
  add column smtp jsonb,
  -- The most emails that are sent per minute.
  add column send_rate integer not null default 60 check (send_rate between 1 and 10000),
  add column history text not null default 'last' check (history in ('none', 'last', 'all')),
  -- Whether a copy of each sent email is stored in the Sent folder; false if the provider stores one itself.
  add column saves_sent boolean not null default true,
  add column sent_folder text,
  add column send_error jsonb,
  add column send_failures integer not null default 0,
  add column send_backoff_until timestamptz;

alter table departments add column signature text not null default '';
alter table operators add column signature text not null default '';

-- Messages that wait for their channel. A row is deleted once its message is sent or has failed.
create table outgoing_queue (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  channel text not null,
  -- The mailbox that sends it.
  account_id uuid not null,
  run_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- `ending`: all of it was sent, and the server's answer is not known yet; `repeated`: sent again because that answer was lost.
  phase text not null default 'waiting' check (phase in ('waiting', 'ending', 'uncertain', 'repeated')),
  claim_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
) with (fillfactor = 70);
create index outgoing_queue_due on outgoing_queue (project_id, account_id, run_at, message_id);

-- Emails as they are sent. They are built once, so that all attempts and all recipients get the same bytes.
create table outgoing_emails (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  mailbox_id uuid,
  -- Empty until the email is built, and after its bytes were deleted.
  storage_key text not null default '',
  bucket_id uuid references buckets,
  size bigint,
  sent_at timestamptz,
  -- Whether a copy is in the Sent folder; null until that is known.
  is_saved boolean,
  primary key (project_id, message_id),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade,
  foreign key (project_id, mailbox_id) references mailboxes (project_id, id) on delete set null (mailbox_id)
) with (fillfactor = 70);
create index outgoing_emails_bucket on outgoing_emails (bucket_id) where bucket_id is not null;
create index outgoing_emails_mailbox on outgoing_emails (project_id, mailbox_id, sent_at);

create trigger outgoing_emails_deleted after delete on outgoing_emails
  for each row when (old.storage_key <> '') execute function leave_stray_object();

-- The recipients of a sent email, and what happened to it at each of them.
create table mail_recipients (
  project_id uuid not null references projects on delete cascade,
  message_id uuid not null,
  -- In lower case.
  address text not null,
  name text,
  kind text not null check (kind in ('to', 'cc', 'bcc')),
  status text not null default 'pending' check (status in ('pending', 'sent', 'delayed', 'delivered', 'read', 'failed')),
  -- The server's code, such as 550 or 5.1.1, and its words.
  code text,
  words text,
  updated_at timestamptz not null default now(),
  primary key (project_id, message_id, address),
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
) with (fillfactor = 80);
create index mail_recipients_address on mail_recipients (project_id, address, updated_at);
