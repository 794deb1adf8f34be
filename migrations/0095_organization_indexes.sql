create index concurrently contact_identities_domain on contact_identities (project_id, split_part(value, '@', -1), value)
  where type = 'email';
create index concurrently contacts_organization_members on contacts (project_id, organization_id, created_at, id)
  where organization_id is not null;
