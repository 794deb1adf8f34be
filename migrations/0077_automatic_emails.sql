-- No earlier version has used the texts, which have a fixed shape from now on.
update mailboxes set texts = '{}' where texts <> '{}';

alter table mailboxes
  add column sends_acknowledgement boolean not null default false,
  add column sends_away boolean not null default false;

-- Counts acknowledgements and away messages, which are limited per ticket, address and domain.
create table automatic_emails (
  project_id uuid not null,
  ticket_id uuid not null,
  -- In lower case.
  address text not null,
  domain text not null,
  sent_at timestamptz not null default now(),
  primary key (project_id, ticket_id),
  foreign key (project_id, ticket_id) references tickets (project_id, id) on delete cascade
);
create index automatic_emails_address on automatic_emails (project_id, address, sent_at);
create index automatic_emails_domain on automatic_emails (project_id, domain, sent_at);
