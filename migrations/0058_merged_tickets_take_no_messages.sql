-- Whoever posts a message locks the activity of its ticket, and sees there whether the ticket was merged meanwhile.
-- Both tables are locked in the order in which changes lock their rows.
lock table tickets in share row exclusive mode;
alter table ticket_activity add column is_merged boolean not null default false;

create function mark_merged() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update ticket_activity set is_merged = new.merged_into_id is not null
  where project_id = new.project_id and ticket_id = new.id;
  return null;
end $$;
create trigger tickets_merged after update of merged_into_id on tickets
  for each row when (old.merged_into_id is distinct from new.merged_into_id) execute function mark_merged();

update ticket_activity a set is_merged = true from tickets t
where t.merged_into_id is not null and a.project_id = t.project_id and a.ticket_id = t.id;
