create index concurrently tickets_custom_fields on tickets using gin (custom_fields jsonb_path_ops);
create index concurrently tickets_rated on tickets (project_id, rated_at) include (rating) where rated_at is not null;
create index concurrently contacts_custom_fields on contacts using gin (custom_fields jsonb_path_ops, tags);
