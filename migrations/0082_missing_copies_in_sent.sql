-- When any process stores a copy that is still missing in the Sent folder; null if none is missing.
alter table outgoing_emails add column save_at timestamptz;
create index outgoing_emails_save on outgoing_emails (project_id, save_at) where save_at is not null;
