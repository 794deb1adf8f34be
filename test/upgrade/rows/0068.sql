insert into ticket_participants (project_id, ticket_id, address, name, is_removed)
  select project_id, id, 'ben@example.com', 'Ben', false from tickets order by number limit 1;
insert into image_senders (project_id, address) values ('00000000-0000-7000-8000-000000000001', 'ann@example.com');
