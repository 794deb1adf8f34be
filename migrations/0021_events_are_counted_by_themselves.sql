-- The newest event of a project. Volatile, so that it sees what was committed while its statement waited for the counter. It
-- keeps the plan of its first call, which may have met an empty table: that must go by the index ever after.
create function newest_event(project uuid, out seq bigint, out at timestamptz) language plpgsql volatile
set enable_sort = off as $$
begin
  select e.seq, e.created_at into newest_event.seq, newest_event.at
  from events e where e.project_id = project order by e.seq desc limit 1;
end $$;

-- What is written takes its number after the newest event under the lock of the counter, which stays as it is: a row that
-- changes with every event would have to be looked for among all that it ever was while somebody holds a snapshot. Whoever sets
-- the counter all the same, as code before this does, counts on from the newest event too.
create function count_from_newest() returns trigger language plpgsql as $$
declare
  newest record := newest_event(old.project_id);
begin
  new.event_seq := greatest(old.event_seq, newest.seq) + new.event_seq - old.event_seq;
  new.event_at := greatest(new.event_at,
    newest.at + (new.event_seq - greatest(old.event_seq, newest.seq)) * interval '1 microsecond');
  return new;
end $$;
create trigger project_counters_count before update of event_seq on project_counters
  for each row execute function count_from_newest();
