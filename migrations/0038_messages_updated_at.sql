-- When a message was last changed, by which programs follow all messages of a project. Null for what was written before this,
-- and by code before this: then it is the time at which it was written.
alter table messages add column updated_at timestamptz;
