-- Whoever handed a link over, whose power over its person is asked again when it is used; null for those that were mailed to the
-- person or made on the server. What was handed over before is not known to be anybody's: it works no more.
alter table links add column made_by uuid references users (id) on delete cascade;
create index links_made_by on links (made_by) where made_by is not null;
delete from links where used_at is null and purpose = 'reset' and email is null;

-- From now on only a hash of each session's token is kept: those of before open nothing any more.
delete from user_sessions;
