-- Sentences that are values since 0063.
insert into exports (project_id, id, operator_id, has_files, status, reason) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006201', '00000000-0000-7000-8000-000000000004', false, 'failed', 'The disk of the server is full. Ask its administrator to free disk space, then start the export again'),
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006202', '00000000-0000-7000-8000-000000000004', false, 'failed', 'The file could not be written; the server''s log says why'),
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006203', '00000000-0000-7000-8000-000000000004', false, 'done', null);
insert into billing_mails (project_id, id, kind, data) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006204', 'payment_disputed', '{"order_id": "order-2", "reason": "disputed: 49.99 EUR came for an order of 50.00 EUR"}');
