-- How each identity of a contact was verified. Null if that was before this was recorded.
alter table contact_identities
  add column verified_at timestamptz,
  -- `code`, `email`, `telegram`, `widget`, or `person`: somebody says so, with a reason.
  add column verified_how text,
  -- Who: {type, id, name}. Null if no person or program did it.
  add column verified_by jsonb,
  add column verified_reason text;

-- A code that was mailed to an address, to prove that it belongs to the contact.
create table identity_codes (
  project_id uuid not null references projects on delete cascade,
  type text not null,
  value text not null,
  code_hash bytea not null,
  sent_at timestamptz not null,
  -- The number of codes that have been sent since `counted_since`.
  sent_count integer not null default 1,
  counted_since timestamptz not null,
  wrong_tries integer not null default 0,
  primary key (project_id, type, value),
  foreign key (project_id, type, value) references contact_identities on delete cascade
);

-- Merges of contacts that can still be undone.
create table contact_merges (
  project_id uuid not null,
  source_id uuid not null,
  target_id uuid not null,
  -- What the merge changed in the target: {field: [before, after]}.
  changes jsonb not null,
  -- The identities that moved: [{type, value, is_primary}], with `is_primary` as it was before.
  identities jsonb not null,
  -- The identities of the target that stopped being primary.
  demoted jsonb not null,
  chat_ids uuid[] not null,
  -- Contacts that had been merged into the source before.
  merged_before uuid[] not null,
  merged_by jsonb not null,
  merged_at timestamptz not null,
  primary key (project_id, source_id),
  foreign key (project_id, source_id) references contacts (project_id, id) on delete cascade,
  foreign key (project_id, target_id) references contacts (project_id, id) on delete cascade
);
create index contact_merges_target on contact_merges (project_id, target_id);
create index contact_merges_age on contact_merges (merged_at);

-- The tickets that such a merge has moved.
create table contact_merge_tickets (
  project_id uuid not null,
  source_id uuid not null,
  ticket_id uuid not null,
  primary key (project_id, source_id, ticket_id),
  foreign key (project_id, source_id) references contact_merges (project_id, source_id) on delete cascade,
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);
create index contact_merge_tickets_ticket on contact_merge_tickets (project_id, ticket_id);

-- Tickets that are due to move to another contact.
create table contact_ticket_moves (
  project_id uuid not null,
  ticket_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  -- `contact_unmerged` or `identity_moved`.
  cause text not null,
  -- Messages of the contact `from_id` that are newer than this get the contact `to_id` as their sender; null means all of them.
  written_after timestamptz,
  -- Who undid the merge or moved the identity: {type, id, name}.
  moved_by jsonb not null,
  primary key (project_id, ticket_id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, from_id) references contacts (project_id, id) on delete cascade,
  foreign key (project_id, to_id) references contacts (project_id, id) on delete cascade
);
create index contact_ticket_moves_from on contact_ticket_moves (project_id, from_id);
create index contact_ticket_moves_to on contact_ticket_moves (project_id, to_id);
