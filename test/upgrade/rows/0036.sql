insert into buyers (project_id, name, address, tax_number) values
  ('00000000-0000-7000-8000-000000000001', 'Acme Ltd', '2 Low Street', 'VAT 1');
insert into billing_mails (project_id, id, kind, data) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000003601', 'payment_disputed', '{"order_id": "order-1", "reason": "disputed: other money"}');
