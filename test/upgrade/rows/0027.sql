insert into due_work (project_id, kind, subject_id, due_at) values
  ('00000000-0000-7000-8000-000000000001', 'renewals', '00000000-0000-7000-8000-000000000001', '2999-01-01');
