insert into imported_records (project_id, source, kind, source_id, record_id)
  select i.project_id, i.source, 'organization', '7', o.id from imports i join organizations o on o.project_id = i.project_id limit 1;
update imports set organizations = 1, removal_step = 'organizations';
