-- What has to be done next, and when: background loops read this in place of the tables of all projects. A row is written in the
-- transaction that makes the work due, and `due_at` is never later than the work (src/core/due-work.ts). `subject_id` is the
-- subscription whose deliveries wait, else the project itself. No references: the row is written with every event, and one of
-- something that is gone is taken away when its time has come.
create table due_work (
  project_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  due_at timestamptz not null,
  primary key (project_id, kind, subject_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index due_work_due on due_work (kind, due_at);
