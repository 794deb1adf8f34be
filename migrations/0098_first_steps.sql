-- The steps of setting up a project that were done once, and whether the dashboard still shows the list of steps. Existing projects
-- do not see it; admins can show it.
alter table projects add column first_steps text[] not null default '{}', add column has_first_steps boolean not null default false;
alter table projects alter column has_first_steps set default true;
