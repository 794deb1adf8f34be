insert into outgoing_queue (project_id, message_id, channel, account_id)
  select project_id, id, 'email', '00000000-0000-7000-8000-000000006401' from messages order by id limit 1;
insert into outgoing_emails (project_id, message_id, mailbox_id)
  select project_id, id, '00000000-0000-7000-8000-000000006401' from messages order by id limit 1;
insert into mail_recipients (project_id, message_id, address, kind)
  select project_id, id, 'ann@example.com', 'to' from messages order by id limit 1;
