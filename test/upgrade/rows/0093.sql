insert into data_deletions (project_id, id, kind, record_id, messages_total)
  select id, gen_random_uuid(), 'contact', gen_random_uuid(), 3 from projects order by id limit 1;
insert into deleted_records (project_id, deletion_id, record_id) select project_id, id, gen_random_uuid() from data_deletions;
insert into deleted_words (project_id, deletion_id, word) select project_id, id, 'hello' from data_deletions;
