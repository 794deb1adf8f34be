-- A project that is being deleted, and that nobody can open any more.
insert into projects (id, name, plan, slug, suspended_at, suspended_reason, deleting_since)
select '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c0037', 'Leaving', code, 'leaving', now(), 'It is being deleted', now() from plans limit 1;
insert into project_counters (project_id) values ('0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c0037');
insert into tags (project_id, id, name) values ('0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c0037', gen_random_uuid(), 'leaving');
