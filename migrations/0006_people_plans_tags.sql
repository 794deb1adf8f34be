-- How many tickets the current month has, kept where their numbers are given out: the limit of a plan is then one
-- row to look at, whatever the project's size.
alter table project_counters
  add column month timestamptz not null default '-infinity',
  add column month_tickets int not null default 0;
update project_counters c set
  month = date_trunc('month', now(), 'UTC'),
  month_tickets = (select count(*) from tickets t
    where t.project_id = c.project_id and t.created_at >= date_trunc('month', now(), 'UTC'));

create index projects_plan on projects (plan);

alter table operators
  add column role text not null default 'operator' check (role in ('owner', 'admin', 'operator'));
create unique index operators_email on operators (project_id, lower(email));
create index operators_created on operators (project_id, created_at, id);
create unique index departments_name on departments (project_id, lower(name));
create unique index departments_default on departments (project_id) where is_default;
create index departments_created on departments (project_id, created_at, id);

-- Every tag that a ticket or a contact of the project has had.
create table tags (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, name)
);
create index tags_created on tags (project_id, created_at, id);
insert into tags (project_id, id, name)
  select project_id, uuid_v7(), name from (
    select project_id, unnest(tags) as name from tickets
    union select project_id, unnest(tags) from contacts) known;
