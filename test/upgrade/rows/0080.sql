insert into mailbox_probes (project_id, mailbox_id, id, state) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000006401', '00000000-0000-7000-8000-000000008001', 'waiting');
insert into dkim_keys (project_id, domain, selector, public_key, sealed) values
  ('00000000-0000-7000-8000-000000000001', 'example.com', 'deskbell-1f2e3d4c', 'MIIB', '\x80');
