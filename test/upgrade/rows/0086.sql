insert into telegram_bots (project_id, id, telegram_id, username, name, picture, token, texts, last_error)
  select id, gen_random_uuid(), 7000000001, 'acme_bot', 'Acme', '\x01', '\x0102', '{"en": {"greeting": "Hello"}}',
    '{"code": "server", "values": {"reason": "x"}, "at": "2026-01-15T10:30:00.000000"}' from projects order by id limit 1;
insert into telegram_bot_owners (project_id, telegram_id, bot_id) select project_id, telegram_id, id from telegram_bots;
insert into telegram_bot_rates (project_id, bot_id) select project_id, id from telegram_bots;
insert into telegram_chats (project_id, id, bot_id, chat_id, title, contact_id, due_at)
  select b.project_id, gen_random_uuid(), b.id, 4711, 'Ann', (select c.id from contacts c where c.project_id = b.project_id order by c.id limit 1), now()
  from telegram_bots b;
insert into telegram_updates (project_id, bot_id, update_id, chat_id, content)
  select project_id, bot_id, 1, id, '{"update_id": 1}' from telegram_chats;
insert into telegram_messages (project_id, chat_id, telegram_id, message_id)
  select c.project_id, c.id, 5, m.id from telegram_chats c
    join lateral (select id from messages where project_id = c.project_id order by id limit 1) m on true;
insert into telegram_sends (project_id, message_id, chat_id, next_part)
  select project_id, message_id, chat_id, 0 from telegram_messages;
insert into telegram_used_links (project_id, token, chat_id, expires_at)
  select project_id, 'AbC', id, now() + interval '1 hour' from telegram_chats;
