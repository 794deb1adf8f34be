insert into mailboxes (project_id, id, address, name, department_id, incoming, imap, secrets, last_ok_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006401', 'support@example.com', 'Acme Support', '00000000-0000-7000-8000-000000000003', 'imap',
  '{"host":"imap.example.com","port":993,"security":"tls","user":"support@example.com","auth":"password","oauth":null}', '\x00', '2026-01-02');
insert into mailbox_addresses (project_id, address, mailbox_id) values ('00000000-0000-7000-8000-000000000001', 'support@example.com', '00000000-0000-7000-8000-000000006401');
insert into mailbox_folders (project_id, mailbox_id, path, uid_validity, next_uid) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006401', 'INBOX', 1, 8);
insert into incoming_mails (project_id, id, mailbox_id, source, folder, uid_validity, uid, size, state, received_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006402', '00000000-0000-7000-8000-000000006401', 'imap', 'INBOX', 1, 7, 10, 'failed', '2026-01-02');
