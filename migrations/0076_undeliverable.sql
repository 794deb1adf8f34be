-- Whether a server rejected the address permanently. Cleared when an email from the address arrives.
alter table contact_identities add column is_undeliverable boolean not null default false;
-- The message that a delivery report is about. `message_id` is the message that an email became.
alter table incoming_mails add column reported_message_id uuid;
create index incoming_mails_reported on incoming_mails (project_id, reported_message_id) where reported_message_id is not null;
