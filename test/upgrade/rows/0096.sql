insert into saved_views (project_id, id, owner_id, name, filters, department_id, columns, density, layout)
  select d.project_id, gen_random_uuid(), o.id, 'Late', '{"conditions": {"field": "status", "op": "any_of", "value": ["open"]}}',
    d.id, '{subject,status}', 'compact', 'table'
  from departments d join operators o on o.project_id = d.project_id limit 1;
