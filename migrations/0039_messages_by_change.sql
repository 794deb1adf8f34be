create index concurrently messages_updated on messages (project_id, coalesce(updated_at, created_at), id);
create index concurrently messages_unsent on messages (project_id, coalesce(updated_at, created_at), id)
  where delivery_status in ('pending', 'scheduled', 'failed');
