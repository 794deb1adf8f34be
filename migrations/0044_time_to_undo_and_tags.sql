-- Seconds that a reply waits, so that it can be taken back, by channel; a channel that is not in it has its usual time.
alter table projects add column undo_seconds jsonb not null default '{}';

-- The name without regard to case: one tag for each. Null where an older row has another spelling of the same name, and in
-- rows that a process of the version before writes.
alter table tags add column folded text;
update tags t set folded = lower(t.name)
from (select distinct on (project_id, lower(name)) project_id, id from tags order by project_id, lower(name), created_at, id) f
where t.project_id = f.project_id and t.id = f.id;
create unique index tags_folded on tags (project_id, folded);
