-- Filters of the mail log, the original of a duplicate, the last error, which stays after a later attempt succeeds, and what a person
-- decided about the email.
alter table incoming_mails add column duplicate_of_id uuid, add column last_error text, add column decision jsonb;
create index incoming_mails_outcome on incoming_mails (project_id, outcome, created_at, id);
create index incoming_mails_sender on incoming_mails (project_id, (lower(sender) collate "C"));
create index incoming_mails_subject on incoming_mails (project_id, (lower(left(subject, 200)) collate "C"));
create index incoming_mails_header on incoming_mails (project_id, left(header_id, 200));
create index incoming_mails_message on incoming_mails (project_id, message_id) where message_id is not null;
