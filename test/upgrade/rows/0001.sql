-- Rows of the first version: a project with a conversation, an event and a webhook with a waiting delivery.
-- The key is sk_upgrade.
insert into projects (id, name, plan) values ('00000000-0000-7000-8000-000000000001', 'Acme & Söhne', 'unlimited');
insert into project_counters (project_id, event_seq, event_at, ticket_number) values ('00000000-0000-7000-8000-000000000001', 2, '2026-01-02', 2);
insert into api_keys (project_id, id, name, prefix, hash) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', 'Shop', 'sk_upgrade', 'fafa61bc41c20b2e82a00d05c786ae8d0b896db0f5a0cece7e19265b7b1ad3fc');
insert into departments (project_id, id, name, is_default) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003', 'Support', true);
insert into operators (project_id, id, name, email) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000004', 'Olga', 'Olga@example.com');
insert into department_operators (project_id, department_id, operator_id) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000004');
insert into contacts (project_id, id, full_name, email, source, created_at, updated_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000005', 'Ann Lee', 'ann@example.com', 'api', '2026-01-01', '2026-01-01');
insert into contact_identities (project_id, type, value, contact_id, is_primary) values
  ('00000000-0000-7000-8000-000000000001', 'email', 'ann@example.com', '00000000-0000-7000-8000-000000000005', true);
insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, operator_id, department_id,
  tags, closed_at, created_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000006', 1, 'Cannot pay', 'open', 'high', 'api', '00000000-0000-7000-8000-000000000005', '00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000003', '{refund,vip}', null, '2026-01-01'),
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000007', 2, 'Where is it?', 'closed', 'normal', 'email', '00000000-0000-7000-8000-000000000005', null, null, '{}', '2026-01-02', '2026-01-01');
insert into ticket_activity (project_id, ticket_id, updated_at, messages_count, last_message_id, last_message_at,
  last_message_sender_type, last_message_preview) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000006', '2026-01-01', 1, '00000000-0000-7000-8000-000000000008', '2026-01-01', 'contact', 'My card is refused.'),
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000007', '2026-01-02', 0, null, null, null, null);
insert into messages (project_id, id, ticket_id, sender_type, sender_id, content, content_format, channel,
  delivery_updated_at, created_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000008', '00000000-0000-7000-8000-000000000006', 'contact', '00000000-0000-7000-8000-000000000005', 'My card is refused.', 'text', 'api', '2026-01-01', '2026-01-01');
insert into media (project_id, id, filename, content_type, kind, size, sha256, created_at, expires_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000009', 'card.png', 'image/png', 'image', 3, repeat('0', 64), '2026-01-01', '2999-01-01');
insert into events (project_id, seq, id, type, data, created_at) values
  ('00000000-0000-7000-8000-000000000001', 1, '00000000-0000-7000-8000-00000000000a', 'ticket.created', '{"ticket_id":"00000000-0000-7000-8000-000000000006"}', '2026-01-01'),
  ('00000000-0000-7000-8000-000000000001', 2, '00000000-0000-7000-8000-00000000000b', 'ticket.closed', '{"ticket_id":"00000000-0000-7000-8000-000000000007"}', '2026-01-02');
insert into webhooks (project_id, id, url, secret) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000c', 'https://example.com/hook', '\x00');
insert into webhook_queue (project_id, webhook_id, id, event_seq, event_id, event_type, run_at, created_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-00000000000d', 1, '00000000-0000-7000-8000-00000000000a', 'ticket.created', '2999-01-01', '2026-01-01');
insert into webhook_deliveries (project_id, webhook_id, id, event_seq, event_id, event_type, status, attempts, created_at,
  finished_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-00000000000e', 2, '00000000-0000-7000-8000-00000000000b', 'ticket.closed', 'succeeded', 1, '2026-01-02', now());
