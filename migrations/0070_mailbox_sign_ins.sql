-- Sign-ins at the providers of mailboxes (OAuth 2) that have not returned yet. Each can return once.
create table mailbox_sign_ins (
  project_id uuid not null references projects on delete cascade,
  -- The SHA-256 of the state that the provider sends back.
  state_hash bytea not null,
  -- The session that began it.
  session_id uuid not null,
  -- Encrypted: the mailbox's settings, the client secret and the code verifier.
  sealed bytea not null,
  expires_at timestamptz not null,
  primary key (project_id, state_hash)
);

-- Until when a process may renew the access token. Another one would use the same refresh token, which works only once.
alter table mailboxes add column renewing_until timestamptz;
