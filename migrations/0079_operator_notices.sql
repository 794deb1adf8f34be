-- Notices for operators, which are sent by email. A row is deleted when its email has been sent or is no longer needed.
create table operator_notices (
  project_id uuid not null references projects on delete cascade,
  id uuid not null default uuid_v7(),
  operator_id uuid not null,
  ticket_id uuid not null,
  kind text not null check (kind in ('assigned', 'mentioned', 'waiting')),
  -- Null if the notice is about the ticket.
  message_id uuid,
  -- The email that contains the notice; null until the notice is claimed. Several notices about a ticket become one email.
  email_id uuid,
  -- When the notice is sent, or sent again if the process that sends it dies.
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade,
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade,
  foreign key (project_id, message_id) references messages (project_id, id) on delete cascade
) with (fillfactor = 70);
create index operator_notices_due on operator_notices (project_id, due_at);
create index operator_notices_ticket on operator_notices (project_id, ticket_id, operator_id);
create index operator_notices_operator on operator_notices (project_id, operator_id);
create index operator_notices_message on operator_notices (project_id, message_id) where message_id is not null;

-- Emails that operators can reply to. The reply address contains the id.
create table notice_emails (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  operator_id uuid not null,
  ticket_id uuid not null,
  -- Whether a reply becomes an internal note.
  is_internal boolean not null,
  -- The text of the email, to recognise it when a reply quotes it.
  content text not null,
  -- The time of the first reply. From then on, others may know the reply address.
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade,
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);
create index notice_emails_ticket on notice_emails (project_id, ticket_id);
create index notice_emails_operator on notice_emails (project_id, operator_id);
create index notice_emails_age on notice_emails (created_at);
