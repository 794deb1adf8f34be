insert into reply_mailboxes (project_id, widget_mailbox_id)
  select project_id, id from mailboxes order by id limit 1;
insert into unread_replies (project_id, message_id, due_at)
  select project_id, id, now() from messages order by id limit 1;
