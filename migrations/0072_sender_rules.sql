-- Senders whose emails are only logged (blocked), or never marked as spam (allowed).
create table sender_rules (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  -- An address, or a domain with its subdomains, in one spelling: lower case, and Unicode instead of Punycode.
  pattern text collate "C" not null,
  verdict text not null check (verdict in ('allowed', 'blocked')),
  author_type text not null,
  author_id uuid,
  author_name text,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, pattern)
);
create index sender_rules_list on sender_rules (project_id, created_at, id);

-- The mail log of one mailbox.
create index incoming_mails_mailbox on incoming_mails (project_id, mailbox_id, created_at, id);
