-- The ticket that a message was written in, where that is another than the one that it is in now.
alter table messages add column origin_ticket_id uuid;

create function keep_origin() returns trigger language plpgsql as $$
begin
  new.origin_ticket_id := nullif(coalesce(old.origin_ticket_id, old.ticket_id), new.ticket_id);
  return new;
end $$;
create trigger messages_origin before update of ticket_id on messages
  for each row when (old.ticket_id is distinct from new.ticket_id) execute function keep_origin();

-- Of merges before, nothing says which messages came with them: visitors who began such a ticket stay shut out of it.
with recursive merged as (
  select s.project_id, s.merged_into_id as ticket_id, s.id from tickets s where s.merged_into_id is not null
  union
  select s.project_id, m.ticket_id, s.id
  from merged m join tickets s on s.project_id = m.project_id and s.merged_into_id = m.id
)
update widget_tickets w set visitor_id = null
from merged m left join widget_tickets b on b.project_id = m.project_id and b.ticket_id = m.id
where w.project_id = m.project_id and w.ticket_id = m.ticket_id and w.visitor_id is not null
  and b.visitor_id is distinct from w.visitor_id;
