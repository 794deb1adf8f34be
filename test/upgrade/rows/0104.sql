update ticket_activity set waited_since = created_at where status = 'closed';
