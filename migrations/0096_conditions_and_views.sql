-- The time zone in which the dates of conditions are days.
alter table projects add column timezone text not null default 'UTC';

-- A view with a department is shared with its members; one with is_shared, with everybody. If the department is deleted, the view is private.
alter table saved_views
  add column department_id uuid,
  add column columns text[],
  add column density text check (density in ('compact', 'comfortable')),
  add column layout text not null default 'list' check (layout in ('list', 'table')),
  add constraint saved_views_department foreign key (project_id, department_id)
    references departments (project_id, id) on delete set null (department_id);
create index saved_views_department on saved_views (project_id, department_id) where department_id is not null;

-- The same as foldShortText in src/conditions/folded.ts. Not strict, because Postgres does not inline strict functions like this, and
-- a call for each row takes three times as long.
create function folded_text(words text) returns text language sql immutable parallel safe
return case when octet_length(words) = length(words) then lower(words) else
  replace(replace(replace(replace(replace(replace(replace(replace(
    lower(regexp_replace(normalize(words, nfkd), '[\u0300-\u036f]', '', 'g')),
    'ς', 'σ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ı', 'i') end;
