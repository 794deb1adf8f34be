insert into two_factors (id, user_id, secret, backup_codes, last_step) values
  ('00000000-0000-7000-8000-000000003401', '00000000-0000-7000-8000-000000000032', 'sealed', 'sealed', 59000000);
insert into user_sessions (id, user_id, token, expires_at, second_factor_at) values
  ('00000000-0000-7000-8000-000000003402', '00000000-0000-7000-8000-000000000032', 'hash-3402', now() + interval '7 days', now());
