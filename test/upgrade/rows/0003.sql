-- A disabled bucket, and two unused objects: one on disk, one in the disabled bucket.
insert into buckets (id, project_id, endpoint, bucket, region, path_style, credentials, is_active) values
  ('00000000-0000-7000-8000-000000000014', '00000000-0000-7000-8000-000000000001', 'https://s3.example.com', 'files', 'any', true, '\x00', false);
insert into stray_objects (storage_key, bucket_id, due_at) values
  ('stray-of-disk', null, '2999-01-01'), ('stray-of-bucket', '00000000-0000-7000-8000-000000000014', '2999-01-01');
