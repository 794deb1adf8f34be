-- When the admins are told by email that a mailbox receives nothing: 15 minutes after the first failure; null while it works, and after they were told.
alter table mailboxes add column failing_since timestamptz, add column report_at timestamptz;
create index mailboxes_report on mailboxes (project_id, report_at) where report_at is not null;
update mailboxes set failing_since = now(), report_at = now() + interval '15 minutes' where state = 'broken';
