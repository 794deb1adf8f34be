-- The pictures in the texts of articles: those of the draft, and those of the version that the public sees.
create table article_pictures (
  project_id uuid not null,
  article_id uuid not null,
  locale text not null,
  is_published boolean not null,
  media_id uuid not null,
  primary key (project_id, article_id, locale, is_published, media_id),
  foreign key (project_id, article_id, locale) references article_translations (project_id, article_id, locale)
    on delete cascade,
  foreign key (project_id, media_id) references media (project_id, id) on delete cascade
);

create index article_pictures_media on article_pictures (project_id, media_id);

-- What the visitor saw before the first message: an article, as its id, language and title, and a proactive message.
alter table widget_tickets add column article jsonb;
alter table widget_tickets add column proactive_text text;
