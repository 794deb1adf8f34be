update ticket_activity set first_bot_reply_at = '2026-01-01'
  where project_id = '00000000-0000-7000-8000-000000000001' and ticket_id = '00000000-0000-7000-8000-000000000006';
insert into messages (project_id, id, ticket_id, sender_type, sender_id, content, content_format, channel, delivery_updated_at, created_at, key_id)
  values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000005401', '00000000-0000-7000-8000-000000000006', 'bot', '00000000-0000-7000-8000-000000000001', 'We look into it.', 'text', 'api', '2026-01-01', '2026-01-01', '00000000-0000-7000-8000-000000000002');
insert into webhook_deliveries (project_id, webhook_id, id, event_seq, event_id, event_type, status, attempts, created_at, finished_at,
  redelivery_of_id) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-000000005402', 2, '00000000-0000-7000-8000-00000000000b', 'ticket.closed', 'succeeded', 1, '2026-01-02', now(), '00000000-0000-7000-8000-00000000000e');
insert into api_requests (project_id, id, request_id, key_id, method, path, ignored, status, ms, created_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000005403', 'misspelt', '00000000-0000-7000-8000-000000000002', 'GET', '/api/v1/tickets?statuss=open', '{statuss}', 200, 3, now());
