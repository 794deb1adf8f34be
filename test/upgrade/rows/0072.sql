insert into sender_rules (project_id, id, pattern, verdict, author_type, author_id, author_name) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000007201', 'spam.example', 'blocked', 'cli', null, null);
