update mailboxes set sends_acknowledgement = true, sends_away = true, texts = '{"en":{"acknowledgement":"Thank you","away":null}}';
insert into automatic_emails (project_id, ticket_id, address, domain)
  select project_id, id, 'ann@example.com', 'example.com' from tickets order by id limit 1;
