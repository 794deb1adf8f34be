-- The help centre of a project. Processes of the code before make projects without a slug: those have no help centre
-- until they are given one.
alter table projects
  add column slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 63),
  add column default_locale text not null default 'en',
  add column color text check (color ~ '^#[0-9a-f]{6}$'),
  add column logo_url text,
  add column has_help_centre boolean not null default true;

with named as (
  select id, created_at, coalesce(nullif(trim('-' from left(trim('-' from regexp_replace(
    regexp_replace(normalize(lower(name), nfkd), '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 50)), ''),
    'project') as slug
  from projects
), counted as (
  select id, slug, row_number() over (partition by slug order by created_at, id) as place from named
)
update projects set slug = counted.slug || case when place = 1 then '' else '-' || right(projects.id::text, 12) end
from counted where counted.id = projects.id;

-- How the words of a language are stemmed. In SQL, because the stored search column is made with it.
create function search_config(locale text) returns regconfig language sql immutable strict parallel safe return
  case split_part(locale, '-', 1)
    when 'ar' then 'arabic'::regconfig when 'da' then 'danish' when 'de' then 'german' when 'el' then 'greek'
    when 'en' then 'english' when 'es' then 'spanish' when 'fi' then 'finnish' when 'fr' then 'french'
    when 'hu' then 'hungarian' when 'it' then 'italian' when 'nl' then 'dutch' when 'no' then 'norwegian'
    when 'nb' then 'norwegian' when 'pt' then 'portuguese' when 'ro' then 'romanian' when 'ru' then 'russian'
    when 'sv' then 'swedish' when 'tr' then 'turkish' else 'simple' end;

-- Chinese and Japanese are written without spaces: each sign counts as a word.
create function spaced(words text) returns text language sql immutable strict parallel safe return
  regexp_replace(words, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g');

create table categories (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  parent_id uuid,
  -- What paths call it, once below a parent; its slug is the project's only one.
  name text not null,
  slug text not null,
  icon text,
  position int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, slug),
  unique nulls not distinct (project_id, parent_id, name),
  foreign key (project_id, parent_id) references categories (project_id, id)
);
create index categories_position on categories (project_id, position, id);

create table category_translations (
  project_id uuid not null,
  category_id uuid not null,
  locale text not null,
  title text not null,
  description text,
  primary key (project_id, category_id, locale),
  foreign key (project_id, category_id) references categories (project_id, id) on delete cascade
);

create table articles (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  slug text not null,
  category_id uuid,
  author_id uuid,
  position int not null default 0,
  tags text[] not null default '{}',
  status text not null check (status in ('draft', 'published', 'archived')),
  is_internal boolean not null default false,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, slug),
  foreign key (project_id, category_id) references categories (project_id, id),
  foreign key (project_id, author_id) references operators (project_id, id) on delete set null (author_id)
);
create index articles_category on articles (project_id, category_id, position, id);
create index articles_author on articles (project_id, author_id) where author_id is not null;
create index articles_tags on articles using gin (tags);

-- The text in one language, twice: as it is being written, and as it was published last, which is what the public sees.
create table article_translations (
  project_id uuid not null,
  article_id uuid not null,
  locale text not null,
  draft_title text not null,
  draft_excerpt text,
  draft_markdown text not null,
  -- The draft differs from what was published last, or was never published.
  has_changes boolean not null default true,
  title text,
  excerpt text,
  content_markdown text,
  content_html text,
  content_text text,
  -- Published, of an article that is published and not internal.
  is_public boolean not null default false,
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search tsvector not null generated always as (
    setweight(to_tsvector(search_config(locale), spaced(coalesce(title, ''))), 'A') ||
    setweight(to_tsvector(search_config(locale), spaced(coalesce(excerpt, ''))), 'B') ||
    setweight(to_tsvector(search_config(locale), spaced(coalesce(content_text, ''))), 'D')
  ) stored,
  primary key (project_id, article_id, locale),
  foreign key (project_id, article_id) references articles (project_id, id) on delete cascade,
  check (published_at is null or (title is not null and excerpt is not null and content_markdown is not null
    and content_html is not null and content_text is not null)),
  check (published_at is not null or not is_public)
);
create index article_translations_published on article_translations (project_id, locale, published_at, article_id)
  where is_public;
create index article_translations_updated on article_translations (project_id, locale, updated_at, article_id)
  where is_public;
create index article_translations_search on article_translations using gin (search) where is_public;

-- What every reader moves, apart from the article.
create table article_counts (
  project_id uuid not null,
  article_id uuid not null,
  views_count bigint not null default 0,
  helpful_count int not null default 0,
  not_helpful_count int not null default 0,
  primary key (project_id, article_id),
  foreign key (project_id, article_id) references articles (project_id, id) on delete cascade
) with (fillfactor = 70);

-- Who found an article helpful or not, once each. `voter` is a hash.
create table article_votes (
  project_id uuid not null,
  article_id uuid not null,
  voter bytea not null,
  is_helpful boolean not null,
  created_at timestamptz not null default now(),
  primary key (project_id, article_id, voter),
  foreign key (project_id, article_id) references articles (project_id, id) on delete cascade
);
