insert into user_pictures (user_id, id, content_type, bytes) values ('00000000-0000-7000-8000-000000000032', '00000000-0000-7000-8000-00000000004b', 'image/png', '\x89504e47');
