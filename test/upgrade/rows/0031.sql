insert into user_logins (id, user_id, provider_id, account_id, groups) values
  ('00000000-0000-7000-8000-000000003101', '00000000-0000-7000-8000-000000000032', 'oidc', 'olga', '{desk-leads}');
insert into user_sessions (id, user_id, token, expires_at, provider) values
  ('00000000-0000-7000-8000-000000003102', '00000000-0000-7000-8000-000000000032', 'hash of 0031', now() + interval '1 day', 'oidc');
