-- How far each reader of the event log has read. A project without a row is read from its first event.
create table log_cursors (
  project_id uuid not null references projects on delete cascade,
  reader text not null,
  seq bigint not null default 0,
  primary key (project_id, reader)
) with (fillfactor = 50);

-- Tickets whose events a reader could not handle. After three failures, the reader continues without the ticket.
create table log_failures (
  project_id uuid not null references projects on delete cascade,
  reader text not null,
  ticket_id uuid not null,
  -- The first event that was not handled.
  seq bigint not null,
  failures integer not null,
  error text not null,
  failed_at timestamptz not null default now(),
  primary key (project_id, reader, ticket_id)
);

-- What reports count. The ticket is described as it was at that time.
create table report_facts (
  project_id uuid not null references projects on delete cascade,
  -- The event; for replies, the message.
  source_id uuid not null,
  kind text not null check (kind in ('created', 'first_reply', 'reply', 'closed', 'reopened', 'assigned', 'rated', 'breached')),
  at timestamptz not null,
  ticket_id uuid not null,
  -- How many times the ticket had been reopened.
  cycle integer not null,
  -- Closed: since the creation. Replies: since the message that they answer; null if they answer none.
  secs integer,
  -- The same in working time.
  work_secs integer,
  rating smallint,
  sla_result text,
  channel text not null,
  priority text not null,
  department_id uuid,
  -- Assigned: the new operator. Rated: the operator of the ticket. Otherwise the operator who did it; null if it was somebody else.
  operator_id uuid,
  tags text[] not null,
  primary key (project_id, source_id, kind),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);

create index report_facts_at on report_facts (project_id, kind, at);
create index report_facts_ticket on report_facts (project_id, ticket_id);

-- Earlier events have no history, so facts begin now.
insert into log_cursors (project_id, reader, seq)
select c.project_id, 'facts', greatest(c.event_seq, coalesce((newest_event(c.project_id)).seq, 0)) from project_counters c;

-- A contact waits until the ticket is closed. After it is reopened, the contact waits again from the next message.
create or replace function copy_to_activity() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update ticket_activity set
    (status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at) =
    (new.status, new.priority, new.channel, new.operator_id, new.department_id, new.is_spam, new.created_at,
      new.closed_at),
    waiting_since = case when 'closed' in (old.status, new.status) then null else waiting_since end
  where project_id = new.project_id and ticket_id = new.id;
  return null;
end $$;

update ticket_activity set waiting_since = null where status = 'closed' and waiting_since is not null;

-- Merges gave tickets replies from before their creation.
update ticket_activity a set
  first_reply_at = (select min(m.created_at) from messages m
    where m.project_id = a.project_id and m.ticket_id = a.ticket_id and m.created_at >= a.created_at
      and m.sender_type = 'operator' and not m.is_internal and m.delivery_status <> 'scheduled')
where first_reply_at < created_at
  and exists (select from tickets s where s.project_id = a.project_id and s.merged_into_id = a.ticket_id);
