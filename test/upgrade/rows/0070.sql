insert into mailbox_sign_ins (project_id, state_hash, session_id, sealed, expires_at) values
  ('00000000-0000-7000-8000-000000000001', '\x70', '00000000-0000-7000-8000-000000007001', '\x71', now() + interval '10 minutes');
