insert into audit_entries (project_id, id, author_type, action, target_type) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000037', 'cli', 'key.created', 'api_key');
