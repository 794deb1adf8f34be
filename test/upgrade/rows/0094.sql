insert into organizations (project_id, id, name, folded, external_id, note, custom_fields, created_at, updated_at)
  select id, gen_random_uuid(), 'Northwind', 'northwind', 'crm-7', 'A good customer', '{"plan": "team"}', now(), now()
  from projects order by id limit 1;
insert into organization_domains (project_id, domain, organization_id)
  select project_id, 'northwind.example', id from organizations;
insert into organization_joins (project_id, domain, organization_id)
  select project_id, 'northwind.example', id from organizations;
update contacts c set organization_id = o.id, is_organization_chosen = true from organizations o where o.project_id = c.project_id;
