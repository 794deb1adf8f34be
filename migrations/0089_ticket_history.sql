-- What changed in tickets, who changed it, and when. Permanent, unlike `events`.
create table ticket_history (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  ticket_id uuid not null,
  -- The event that the type names, and all events of the ticket that the change emitted.
  event_id uuid,
  event_ids uuid[] not null default '{}',
  at timestamptz not null,
  type text not null,
  -- {type: operator|api|contact|system, id, name}. Operators have the name that they had; others have null.
  by jsonb not null,
  -- {field: [from, to]}, {"tags": {added, removed}}, {"custom_fields.<key>": [from, to]}
  changes jsonb not null,
  -- The bulk action that the change is part of.
  run_id uuid,
  -- The change that this one undid.
  undoes uuid,
  undone_at timestamptz,
  -- Whether undoing the bulk action has been tried for this change.
  was_undo_tried boolean not null default false,
  -- Reconstructed from what was stored before histories were written.
  is_estimated boolean not null default false,
  primary key (project_id, id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);

create index ticket_history_ticket on ticket_history (project_id, ticket_id, at, id);
-- For undoing a bulk action.
create index ticket_history_run on ticket_history (project_id, run_id, ticket_id)
  where run_id is not null and undone_at is null and not was_undo_tried;

-- Who changed the tag.
alter table tag_changes add column by jsonb;

-- The histories of these projects' older tickets are still to be estimated, after this ticket.
create table history_estimates (
  project_id uuid primary key references projects on delete cascade,
  done_until uuid not null default '00000000-0000-0000-0000-000000000000'
) with (fillfactor = 70);

insert into history_estimates (project_id) select id from projects p where exists (select from tickets t where t.project_id = p.id);
