insert into links (token_hash, mailed_hash, purpose, project_id, email, expires_at) values
  ('\x2901', '\x2902', 'set_up', '00000000-0000-7000-8000-000000000001', 'mailed@example.com', now() + interval '1 day');
