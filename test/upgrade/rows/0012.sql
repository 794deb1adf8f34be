insert into ticket_reads (project_id, ticket_id, operator_id, last_read_message_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000006', '00000000-0000-7000-8000-000000000004', '2026-01-01');
insert into drafts (project_id, ticket_id, operator_id, is_internal, content, content_format, media_ids, mentions, updated_at)
  values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000006', '00000000-0000-7000-8000-000000000004', false, 'Dear Ann', 'text', '{}', '{}', '2026-03-01');
insert into saved_views (project_id, id, owner_id, name, filters) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000003d', '00000000-0000-7000-8000-000000000004', 'Mine', '{}');
insert into canned_answers (project_id, id, shortcut, title, content) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000003e', 'hi', 'Hello', 'Hello!');
insert into custom_fields (project_id, id, record, key, label, type) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000003f', 'ticket', 'order', 'Order', 'text');
