-- The tabs of the dashboard that are open, and what they show. A crash of the database empties it, and the tabs fill it again.
create unlogged table open_tabs (
  project_id uuid not null,
  operator_id uuid not null,
  tab uuid not null,
  -- The connection that the tab listens by: when an older one of the same tab ends, the tab is still there.
  stream uuid not null,
  ticket_id uuid,
  typing_until timestamptz,
  is_internal boolean not null default false,
  seen_at timestamptz not null default now(),
  primary key (project_id, operator_id, tab),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
) with (fillfactor = 50);

-- What a person chose to be while there; `status` is offline when the last tab has gone.
alter table operators
  add column chosen_status text not null default 'online'
    check (chosen_status in ('online', 'away', 'dnd', 'custom', 'offline')),
  add column absent_since timestamptz;
create index operators_present on operators (project_id, id) where status <> 'offline';
