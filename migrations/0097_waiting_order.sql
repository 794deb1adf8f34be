create index concurrently ticket_activity_waiting on ticket_activity (project_id, waiting_since, ticket_id)
  include (status, priority, channel, operator_id, department_id, is_spam) where waiting_since is not null;
