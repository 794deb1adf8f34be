insert into messages (project_id, id, ticket_id, sender_type, sender_id, content, content_format, channel,
  delivery_updated_at, created_at, origin_ticket_id) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000004501', '00000000-0000-7000-8000-000000000006', 'contact', '00000000-0000-7000-8000-000000000005', 'It came with a merge.', 'text', 'api', '2026-01-01', '2026-01-01', '00000000-0000-7000-8000-000000004502');
