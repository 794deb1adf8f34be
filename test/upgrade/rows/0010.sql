insert into users (id, name, email, email_verified) values ('00000000-0000-7000-8000-000000000032', 'Olga', 'olga@example.com', true);
update operators set user_id = '00000000-0000-7000-8000-000000000032' where project_id = '00000000-0000-7000-8000-000000000001' and id = '00000000-0000-7000-8000-000000000004';
insert into user_logins (id, user_id, provider_id, account_id, password) values
  ('00000000-0000-7000-8000-000000000033', '00000000-0000-7000-8000-000000000032', 'credential', '00000000-0000-7000-8000-000000000032', 'unusable');
