-- The mailboxes at which projects receive email.
create table mailboxes (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  address text not null,
  aliases text[] not null default '{}',
  name text not null default '',
  department_id uuid,
  signature text not null default '',
  texts jsonb not null default '{}',
  incoming text not null check (incoming in ('imap', 'listen', 'none')),
  -- Server, user and authentication method. Passwords and tokens are encrypted in secrets.
  imap jsonb,
  secrets bytea,
  folders text[] not null default '{INBOX}',
  after_fetch text not null default 'leave' check (after_fetch in ('leave', 'seen', 'move', 'delete')),
  after_fetch_days integer not null default 0,
  after_fetch_folder text,
  start_from text not null default 'now' check (start_from in ('now', 'days', 'all')),
  start_days integer,
  plus_works boolean,
  authserv_ids text[] not null default '{}',
  form_senders text[] not null default '{}',
  -- Whether X-Spam headers come from the project's own mail server, and not from the sender.
  trusts_spam_headers boolean not null default false,
  state text not null default 'active' check (state in ('active', 'paused', 'broken')),
  last_ok_at timestamptz,
  last_error jsonb,
  failures integer not null default 0,
  backoff_until timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, department_id) references departments (project_id, id) on delete set null (department_id)
) with (fillfactor = 70);

-- Addresses and aliases of mailboxes, unique across the installation.
create table mailbox_addresses (
  project_id uuid not null references projects on delete cascade,
  address text not null unique,
  mailbox_id uuid not null,
  primary key (project_id, address),
  foreign key (project_id, mailbox_id) references mailboxes (project_id, id) on delete cascade
);
create index mailbox_addresses_mailbox on mailbox_addresses (project_id, mailbox_id);

-- How far each folder has been fetched: all UIDs below next_uid, and when importing older email, those below import_next_uid.
create table mailbox_folders (
  project_id uuid not null references projects on delete cascade,
  mailbox_id uuid not null,
  path text not null,
  uid_validity bigint not null,
  next_uid bigint not null,
  -- Older emails are not fetched; null means no limit.
  start_at timestamptz,
  import_next_uid bigint,
  import_end_uid bigint,
  import_since timestamptz,
  -- Whether the import searches for unknown emails after UIDVALIDITY changed.
  is_renumbered boolean not null default false,
  failed_uid bigint,
  failed_tries integer not null default 0,
  primary key (project_id, mailbox_id, path),
  foreign key (project_id, mailbox_id) references mailboxes (project_id, id) on delete cascade
) with (fillfactor = 70);

-- Received emails. The columns from header_id on are set once an email has been parsed. Ticket and message have no foreign
-- keys, because log entries outlive them.
create table incoming_mails (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  mailbox_id uuid,
  source text not null check (source in ('imap', 'import', 'smtp', 'lmtp')),
  folder text,
  uid_validity bigint,
  uid bigint,
  envelope_from text,
  envelope_to text[] not null default '{}',
  client jsonb,
  size bigint not null,
  is_partial boolean not null default false,
  sha256 text not null default '',
  storage_key text not null default '',
  bucket_id uuid references buckets,
  received_at timestamptz not null,
  state text not null default 'stored' check (state in ('stored', 'done', 'failed', 'parked', 'duplicate')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  outcome text,
  reason text,
  after_fetch_due timestamptz,
  created_at timestamptz not null default now(),
  header_id text,
  fingerprint text,
  sender text,
  subject text,
  ticket_id uuid,
  message_id uuid,
  primary key (project_id, id),
  unique (project_id, mailbox_id, folder, uid_validity, uid),
  foreign key (project_id, mailbox_id) references mailboxes (project_id, id) on delete set null (mailbox_id)
);
create index incoming_mails_waiting on incoming_mails (project_id, due_at, id) where state = 'stored';
create index incoming_mails_log on incoming_mails (project_id, created_at, id);
create index incoming_mails_sha256 on incoming_mails (project_id, sha256) where sha256 <> '';
create index incoming_mails_fingerprint on incoming_mails (project_id, fingerprint) where fingerprint is not null;
create index incoming_mails_after_fetch on incoming_mails (project_id, mailbox_id, after_fetch_due)
  where after_fetch_due is not null;
create index incoming_mails_bucket on incoming_mails (bucket_id) where bucket_id is not null;
create index incoming_mails_raw on incoming_mails (created_at) where storage_key <> '' and state in ('done', 'duplicate');

create trigger incoming_mails_deleted after delete on incoming_mails
  for each row when (old.storage_key <> '') execute function leave_stray_object();
