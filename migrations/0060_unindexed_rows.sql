create index concurrently messages_unindexed on messages (project_id, id) where search_version < 2;
create index concurrently tickets_unindexed on tickets (project_id, id) where search_version < 2;
create index concurrently contacts_unindexed on contacts (project_id, id) where search_version < 2;
create index concurrently article_translations_unindexed on article_translations (project_id, article_id, locale)
  where search_version < 2;
