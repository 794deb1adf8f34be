-- Text is folded by Deskbell before it is indexed (src/core/words), which the expressions of these columns cannot do. They become
-- ordinary columns, which changes no row. A row that was written otherwise, by an older version or before this one, has version 1:
-- it is found as before until src/indexing.ts has indexed it again.
alter table messages add column search_version smallint not null default 1;
alter table tickets alter column search drop expression;
alter table tickets add column search_version smallint not null default 1;
alter table contacts alter column search drop expression;
alter table contacts add column search_version smallint not null default 1;
alter table article_translations alter column search drop expression;
alter table article_translations add column search_version smallint not null default 1;
alter table canned_answers add column search tsvector not null default '';
alter table canned_answers add column search_version smallint not null default 1;

create or replace function index_message() returns trigger language plpgsql as $$
begin
  new.search := strip(to_tsvector('simple', searchable(new.content)));
  new.search_version := 1;
  return new;
end $$;
create function index_ticket() returns trigger language plpgsql as $$
begin
  new.search := strip(to_tsvector('simple', new.subject));
  new.search_version := 1;
  return new;
end $$;
create function index_contact() returns trigger language plpgsql as $$
begin
  new.search := strip(to_tsvector('simple', translate(concat_ws(' ', new.full_name, new.email, new.phone, new.external_id,
    new.telegram_username), '@.-+_:/', ' ')));
  new.search_version := 1;
  return new;
end $$;
create function index_translation() returns trigger language plpgsql as $$
begin
  new.search := setweight(to_tsvector(search_config(new.locale), spaced(coalesce(new.title, ''))), 'A')
    || setweight(to_tsvector(search_config(new.locale), spaced(coalesce(new.excerpt, ''))), 'B')
    || setweight(to_tsvector(search_config(new.locale), spaced(coalesce(new.content_text, ''))), 'D');
  new.search_version := 1;
  return new;
end $$;
create function index_canned_answer() returns trigger language plpgsql as $$
begin
  new.search_version := 1;
  return new;
end $$;

-- A statement that writes the text and its words has indexed it; one that writes the text alone has not.
drop trigger messages_search on messages;
create trigger messages_search before insert on messages for each row when (new.search is null)
  execute function index_message();
create trigger messages_search_again before update of content, content_format on messages for each row
  when (new.search is not distinct from old.search and (new.content, new.content_format) is distinct from (old.content, old.content_format))
  execute function index_message();
create trigger tickets_search before insert on tickets for each row when (new.search is null)
  execute function index_ticket();
create trigger tickets_search_again before update of subject, custom_fields on tickets for each row
  when (new.search is not distinct from old.search and (new.subject, new.custom_fields) is distinct from (old.subject, old.custom_fields))
  execute function index_ticket();
create trigger contacts_search before insert on contacts for each row when (new.search is null)
  execute function index_contact();
create trigger contacts_search_again before update of full_name, email, phone, external_id, telegram_username, custom_fields on contacts
  for each row when (new.search is not distinct from old.search
    and (new.full_name, new.email, new.phone, new.external_id, new.telegram_username, new.custom_fields)
    is distinct from (old.full_name, old.email, old.phone, old.external_id, old.telegram_username, old.custom_fields))
  execute function index_contact();
create trigger article_translations_search before insert on article_translations for each row when (new.search is null)
  execute function index_translation();
create trigger article_translations_search_again before update of title, excerpt, content_text on article_translations for each row
  when (new.search is not distinct from old.search
    and (new.title, new.excerpt, new.content_text) is distinct from (old.title, old.excerpt, old.content_text))
  execute function index_translation();
create trigger canned_answers_search_again before update of shortcut, title, content on canned_answers for each row
  when (new.search is not distinct from old.search
    and (new.shortcut, new.title, new.content) is distinct from (old.shortcut, old.title, old.content))
  execute function index_canned_answer();

-- The words that a project has written, with keys of their stems and of words that are spelled nearly alike.
create table words (
  project_id uuid not null references projects on delete cascade,
  word text collate "C" not null,
  keys bigint[] not null,
  primary key (project_id, word)
);
create index words_keys on words using gin (keys);

-- How far a project's records have been read for their words.
create table words_read (
  project_id uuid primary key references projects on delete cascade,
  -- By kind of record: the time and the id of the last one.
  places jsonb not null default '{}',
  -- Of what was read: a question is stemmed in each of them.
  languages text[] not null default '{}',
  -- Everything that was changed up to this time has been read.
  read_until timestamptz
);
