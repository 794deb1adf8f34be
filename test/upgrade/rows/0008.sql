insert into plans (code, name, features, price, currency) values
  ('paid', 'Paid', '{"knowledge_base": true}', 1000, 'EUR');
insert into accounts (project_id, currency) values ('00000000-0000-7000-8000-000000000001', 'EUR');
insert into payments (project_id, id, order_id, gateway, amount, currency, method) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000029', 'order-1', 'offline', 5000, 'EUR', 'transfer');
