insert into api_requests (project_id, id, request_id, key_id, method, path, status, ms, created_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000047', 'request', '00000000-0000-7000-8000-000000000002', 'GET', '/api/v1/tickets', 200, 3, now());
