-- Until when an order waits for its money; those that wait now do so from now on.
alter table payments add column expires_at timestamptz not null default now() + interval '30 days';

-- Mails about money that wait to be sent, one for each reader: an owner, or, without an operator, the host of the installation.
-- A row is gone when it was sent, or is true no more.
create table billing_mails (
  project_id uuid not null references projects on delete cascade,
  id uuid not null default gen_random_uuid(),
  operator_id uuid,
  kind text not null,
  data jsonb not null default '{}',
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, operator_id) references operators (project_id, id) on delete cascade
);
create index billing_mails_due on billing_mails (due_at);

-- Who pays, as receipts print it.
create table buyers (
  project_id uuid primary key references projects on delete cascade,
  name text not null default '',
  address text not null default '',
  tax_number text not null default ''
);

-- What a receipt says stays as it was issued; those of before have no more than they had.
alter table receipts add column locale text not null default 'en';
alter table receipts add column buyer_name text not null default '';
alter table receipts add column buyer_address text not null default '';
alter table receipts add column buyer_tax_number text not null default '';
alter table receipts add column plan_name text;
alter table receipts add column tax_name text;
alter table receipts add column tax_percent numeric;
