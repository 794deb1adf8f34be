-- People added to or removed from the participants of a ticket. The other participants follow from its emails.
create table ticket_participants (
  project_id uuid not null references projects on delete cascade,
  ticket_id uuid not null,
  -- In lower case.
  address text not null,
  name text,
  is_removed boolean not null,
  changed_at timestamptz not null default now(),
  primary key (project_id, ticket_id, address),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);

-- The senders whose remote images are always loaded.
create table image_senders (
  project_id uuid not null references projects on delete cascade,
  -- In lower case.
  address text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, address)
);
