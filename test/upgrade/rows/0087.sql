insert into custom_channels (project_id, id, name, title, color)
  select id, gen_random_uuid(), 'signal', 'Signal', '#2f5bea' from projects order by id limit 1;
insert into custom_messages (project_id, message_id, channel_id, contact_external_id, external_id, is_received)
  select c.project_id, m.id, c.id, 'u-1', 'm-1', true from custom_channels c
    join lateral (select id from messages where project_id = c.project_id order by id limit 1) m on true;
