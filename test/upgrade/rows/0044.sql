insert into tags (project_id, id, name, folded)
values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000004401', 'Éclair', 'éclair');
update projects set undo_seconds = '{"widget": 5, "email": 30, "api": 0, "telegram": 0, "other": 0}'
where id = '00000000-0000-7000-8000-000000000001';
