-- The chat on a project's own pages: who looks in, which tickets were begun there, and what is shown.

-- No row is a widget that nobody has opened the settings of. `settings` holds what differs from the usual.
create table widgets (
  project_id uuid primary key references projects on delete cascade,
  settings jsonb not null default '{}',
  -- Sealed; null until somebody makes one.
  secret bytea,
  secret_made_at timestamptz,
  version integer not null default 1
);

-- A browser with a token of ours. Without a contact until it writes, or until the page says who it is.
create table visitors (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  token_hash bytea not null,
  contact_id uuid,
  identified_at timestamptz,
  -- Whether the page has proved who it is.
  is_verified boolean not null default false,
  -- Of one that an address from an event let in: all that it sees.
  ticket_id uuid,
  expires_at timestamptz,
  -- As it was typed or said without proof.
  name text,
  locale text,
  page_url text,
  surface text not null default 'widget' check (surface in ('widget', 'page')),
  seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, token_hash),
  foreign key (project_id, contact_id) references contacts (project_id, id) on delete cascade,
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);
create index visitors_contact on visitors (project_id, contact_id) where contact_id is not null;
create index visitors_ticket on visitors (project_id, ticket_id) where ticket_id is not null;
create index visitors_age on visitors (seen_at);
create index visitors_expired on visitors (expires_at) where expires_at is not null;

-- Where a ticket was begun, and by which browser: an unverified visitor sees these alone.
create table widget_tickets (
  project_id uuid not null,
  ticket_id uuid not null,
  visitor_id uuid,
  surface text not null check (surface in ('widget', 'page')),
  locale text,
  page_url text,
  primary key (project_id, ticket_id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, visitor_id) references visitors (project_id, id) on delete set null (visitor_id)
);
create index widget_tickets_visitor on widget_tickets (project_id, visitor_id) where visitor_id is not null;

-- How far the contact has read.
create table contact_reads (
  project_id uuid not null,
  ticket_id uuid not null,
  read_at timestamptz not null,
  primary key (project_id, ticket_id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
) with (fillfactor = 70);

-- Files that a visitor has uploaded: nobody else may attach them.
create table visitor_files (
  project_id uuid not null,
  media_id uuid not null,
  visitor_id uuid not null,
  primary key (project_id, media_id),
  foreign key (project_id, media_id) references media (project_id, id) on delete cascade,
  foreign key (project_id, visitor_id) references visitors (project_id, id) on delete cascade
);
create index visitor_files_visitor on visitor_files (project_id, visitor_id);

-- When each contact was last called back to the chat; the row's lock lets one of any number of replies do so.
create table reply_notices (
  project_id uuid not null,
  contact_id uuid not null,
  told_at timestamptz not null,
  primary key (project_id, contact_id),
  foreign key (project_id, contact_id) references contacts (project_id, id) on delete cascade
) with (fillfactor = 70);

-- The open widgets and what they show. A crash of the database empties it, and the widgets fill it again.
create unlogged table visitor_tabs (
  project_id uuid not null,
  visitor_id uuid not null,
  tab uuid not null,
  -- The connection that the tab listens by: when an older one of the same tab ends, the tab is still there.
  stream uuid not null,
  is_watching boolean not null default false,
  ticket_id uuid,
  typing_until timestamptz,
  seen_at timestamptz not null default now(),
  primary key (project_id, visitor_id, tab),
  foreign key (project_id, visitor_id) references visitors (project_id, id) on delete cascade
) with (fillfactor = 50);

-- What visitors were answered who sent an Idempotency-Key.
create table visitor_answers (
  project_id uuid not null,
  visitor_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status int,
  -- Sealed, as in idempotency_keys.
  body bytea,
  created_at timestamptz not null default now(),
  primary key (project_id, visitor_id, key),
  foreign key (project_id, visitor_id) references visitors (project_id, id) on delete cascade
);
create index visitor_answers_age on visitor_answers (created_at);
