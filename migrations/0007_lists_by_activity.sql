-- What lists filter by also stands beside what they are ordered by, so that one index answers a list by activity.
-- Triggers keep these copies, whoever writes; nothing else sets them.

lock table tickets, ticket_activity in access exclusive mode;

-- Filled anew: an update of every row would leave a table of twice the size.
create temp table copied on commit drop as
  select a.*, t.status, t.priority, t.channel, t.operator_id, t.department_id, t.is_spam, t.created_at, t.closed_at
  from ticket_activity a join tickets t on t.project_id = a.project_id and t.id = a.ticket_id;
truncate ticket_activity;
drop index ticket_activity_updated, ticket_activity_oldest, ticket_activity_newest;
alter table ticket_activity
  add column status text not null,
  add column priority text not null,
  add column channel text not null,
  add column operator_id uuid,
  add column department_id uuid,
  add column is_spam boolean not null,
  add column created_at timestamptz not null,
  add column closed_at timestamptz;
insert into ticket_activity select * from copied order by project_id, ticket_id;

-- Both keep the plan of their first call, which may have met an empty table: many rows later that must not be a scan.
create function copy_from_ticket() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  select status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at
  into new.status, new.priority, new.channel, new.operator_id, new.department_id, new.is_spam, new.created_at,
    new.closed_at
  from tickets where project_id = new.project_id and id = new.ticket_id;
  return new;
end $$;
create trigger ticket_activity_copies before insert on ticket_activity
  for each row execute function copy_from_ticket();

create function copy_to_activity() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update ticket_activity set
    (status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at) =
    (new.status, new.priority, new.channel, new.operator_id, new.department_id, new.is_spam, new.created_at,
      new.closed_at)
  where project_id = new.project_id and ticket_id = new.id;
  return null;
end $$;
create trigger tickets_copies
  after update of status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at on tickets
  for each row
  when ((old.status, old.priority, old.channel, old.operator_id, old.department_id, old.is_spam, old.created_at,
      old.closed_at)
    is distinct from (new.status, new.priority, new.channel, new.operator_id, new.department_id, new.is_spam,
      new.created_at, new.closed_at))
  execute function copy_to_activity();

create index ticket_activity_updated on ticket_activity (project_id, updated_at, ticket_id)
  include (status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at);
create index ticket_activity_created on ticket_activity (project_id, created_at, ticket_id)
  include (status, priority, channel, operator_id, department_id, is_spam, closed_at, updated_at, last_message_at);
create index ticket_activity_oldest on ticket_activity (project_id, last_message_at, ticket_id)
  include (status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at, updated_at);
create index ticket_activity_newest on ticket_activity (project_id, last_message_at desc nulls last, ticket_id desc)
  include (status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at, updated_at);

drop index tickets_spam;
create index tickets_spam on tickets (project_id, created_at, id)
  include (status, priority, channel, operator_id, department_id, closed_at) where is_spam;

analyze ticket_activity;
