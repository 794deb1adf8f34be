insert into operator_notices (project_id, operator_id, ticket_id, kind, due_at)
  select t.project_id, o.id, t.id, 'assigned', now() from tickets t join operators o on o.project_id = t.project_id
  order by t.id, o.id limit 1;
insert into notice_emails (project_id, id, operator_id, ticket_id, is_internal, content)
  select t.project_id, uuid_v7(), o.id, t.id, false, 'A customer is waiting' from tickets t
  join operators o on o.project_id = t.project_id order by t.id, o.id limit 1;
