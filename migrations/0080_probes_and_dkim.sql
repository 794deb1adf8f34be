-- Since when a mailbox cannot send, and when its admins are notified, as for receiving.
alter table mailboxes add column send_failing_since timestamptz, add column send_report_at timestamptz;
create index mailboxes_send_report on mailboxes (project_id, send_report_at) where send_report_at is not null;
update mailboxes set send_failing_since = now(), send_report_at = now() + interval '15 minutes' where send_error is not null;

-- The latest test of each mailbox: it sends one email to itself, and one to a plus address.
create table mailbox_probes (
  project_id uuid not null references projects on delete cascade,
  mailbox_id uuid not null,
  -- Contained in the addresses and IDs of the two emails.
  id uuid not null,
  -- `waiting`: not sent yet; `sent`: at least one of the emails has not arrived.
  state text not null check (state in ('waiting', 'sent', 'ended')),
  -- When the emails are sent, or when Deskbell stops waiting for them.
  due_at timestamptz not null default now(),
  sent_at timestamptz,
  -- When each email arrived.
  arrived_at timestamptz,
  plus_arrived_at timestamptz,
  -- What the mail server of the mailbox says about the sender of the email, and its name.
  authentication jsonb,
  -- Why the emails could not be sent.
  error jsonb,
  -- Why the email to the plus address was refused.
  plus_refusal text,
  primary key (project_id, mailbox_id),
  foreign key (project_id, mailbox_id) references mailboxes (project_id, id) on delete cascade
) with (fillfactor = 80);
create index mailbox_probes_due on mailbox_probes (project_id, due_at) where state <> 'ended';

-- The keys that emails from a domain are signed with. Only a published key is used, until a newer one is published.
create table dkim_keys (
  project_id uuid not null references projects on delete cascade,
  domain text not null,
  selector text not null,
  -- The public key in base64, as in the DNS record.
  public_key text not null,
  -- The encrypted private key.
  sealed bytea not null,
  -- The result of the last successful look-up of its DNS record.
  status text not null default 'new' check (status in ('new', 'published', 'missing', 'differs')),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, domain, selector)
) with (fillfactor = 80);
