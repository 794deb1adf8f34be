-- The wait that a closing ended, which returns if the closing is undone. It cannot be computed from the messages: after a merge, they do
-- not show which of the replies answered the contact. While a ticket is closed, messages and merges change this column instead of
-- waiting_since; while it is open, the column means nothing.
alter table ticket_activity add column waited_since timestamptz;

create or replace function copy_to_activity() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update ticket_activity set
    (status, priority, channel, operator_id, department_id, is_spam, created_at, closed_at) =
    (new.status, new.priority, new.channel, new.operator_id, new.department_id, new.is_spam, new.created_at,
      new.closed_at),
    waiting_since = case when 'closed' in (old.status, new.status) then null else waiting_since end,
    waited_since = case when new.status = 'closed' and old.status <> 'closed' then waiting_since else waited_since end
  where project_id = new.project_id and ticket_id = new.id;
  return null;
end $$;

-- Since when the contacts of both tickets were waiting before the merge. Null for merges by older versions.
alter table ticket_merges add column waits jsonb;
