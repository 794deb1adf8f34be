-- Bounds what the parser of words is given. It looks behind each < for the end of a tag, and from each sign of a run without
-- blanks for the end of an address, in all that follows: 65,536 characters took it 9 s. So a < becomes a sign of no meaning
-- (\x05), and a run is cut (by \x06) after 128 characters. A text with too many words for one index entry loses the later ones.
create function fits_index(words text) returns boolean language plpgsql immutable strict as $$
begin
  return pg_column_size(to_tsvector('simple', words)) < 900000;
exception when program_limit_exceeded then
  return false;
end $$;

create function searchable(words text) returns text language plpgsql immutable strict parallel safe as $$
declare
  bounded text := regexp_replace(translate(words, '<', chr(5)), '(\S{128})', '\1' || chr(6), 'g');
begin
  while octet_length(bounded) > 200000 and not fits_index(bounded) loop
    bounded := left(bounded, length(bounded) / 2);
  end loop;
  return bounded;
end $$;

-- Articles: what is stored is indexed as before until it is published again.
create or replace function spaced(words text) returns text language sql immutable strict parallel safe return
  regexp_replace(searchable(words), '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g');

-- Messages: another expression would rewrite the whole table, while no message could be read or written. So the column becomes
-- an ordinary one, which changes no row, and is filled whichever version writes.
create function index_message() returns trigger language plpgsql as $$
begin
  new.search := strip(to_tsvector('simple', searchable(new.content)));
  return new;
end $$;
create trigger messages_search before insert or update of content on messages
  for each row execute function index_message();
alter table messages alter column search drop expression;
