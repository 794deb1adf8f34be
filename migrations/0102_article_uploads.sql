-- Only files that were uploaded for articles may be shown in them, because everybody can see the pictures of a published article.
alter table media add column is_article_picture boolean not null default false;
