-- The companies to which contacts belong. Contacts with an email address in one of its domains join an organization.
create table organizations (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  name text not null,
  -- The name in lower case, which is unique.
  folded text not null collate "C",
  external_id text,
  note text,
  custom_fields jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A deleted organization stays until a job has removed all its members.
  deleted_at timestamptz,
  primary key (project_id, id)
);

create unique index organizations_name on organizations (project_id, folded) where deleted_at is null;
create unique index organizations_external on organizations (project_id, external_id)
  where external_id is not null and deleted_at is null;
create index organizations_created on organizations (project_id, created_at, id);
create index organizations_deleted on organizations (project_id, deleted_at) where deleted_at is not null;

create table organization_domains (
  project_id uuid not null references projects on delete cascade,
  domain text not null collate "C",
  organization_id uuid not null,
  primary key (project_id, domain),
  foreign key (project_id, organization_id) references organizations (project_id, id) on delete cascade
);

create index organization_domains_organization on organization_domains (project_id, organization_id);

-- Domains whose existing contacts have to join.
create table organization_joins (
  project_id uuid not null references projects on delete cascade,
  -- One spelling of the domain, as addresses of contacts are stored with it.
  domain text not null collate "C",
  organization_id uuid not null,
  -- The address up to which contacts have joined.
  reached text not null default '',
  -- Whether this pass is for contacts that were being created during the first one.
  is_second boolean not null default false,
  due_at timestamptz not null default now(),
  primary key (project_id, domain),
  foreign key (project_id, organization_id) references organizations (project_id, id) on delete cascade
);

create index organization_joins_organization on organization_joins (project_id, organization_id);

alter table contacts
  add column organization_id uuid,
  -- Whether a person or a program has chosen the organization, or none. Then the contact joins none by its address.
  add column is_organization_chosen boolean not null default false,
  add constraint contacts_organization foreign key (project_id, organization_id)
    references organizations (project_id, id) on delete set null (organization_id) not valid;

alter table custom_fields
  drop constraint custom_fields_record_check,
  add constraint custom_fields_record_check check (record in ('ticket', 'contact', 'organization'));
