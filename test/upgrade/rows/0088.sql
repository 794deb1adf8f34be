insert into imports (project_id, source, tickets, removal_started_at) select id, 'zendesk', 1, now() from projects order by id limit 1;
insert into imported_records (project_id, source, kind, source_id, record_id)
  select i.project_id, i.source, 'ticket', '42', t.id from imports i join tickets t on t.project_id = i.project_id limit 1;
