-- Articles, and a second project.
insert into projects (id, name, plan, slug) values ('00000000-0000-7000-8000-00000000001e', 'Rival', 'unlimited', 'rival');
insert into project_counters (project_id) values ('00000000-0000-7000-8000-00000000001e');
insert into categories (project_id, id, name, slug, created_at, updated_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000001f', 'Paying', 'paying', '2026-02-01', '2026-02-01');
insert into category_translations (project_id, category_id, locale, title) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000001f', 'en', 'Paying');
insert into articles (project_id, id, slug, category_id, author_id, status, created_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000020', 'cards', '00000000-0000-7000-8000-00000000001f', '00000000-0000-7000-8000-000000000004', 'published', '2026-02-01');
insert into article_translations (project_id, article_id, locale, draft_title, draft_markdown, has_changes, title, excerpt,
  content_markdown, content_html, content_text, is_public, published_at, created_at, updated_at) values
  ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000020', 'en', 'Cards', 'Visa', false, 'Cards', 'Visa', 'Visa', '<p>Visa</p>', 'Visa', true, '2026-02-01',
    '2026-02-01', '2026-02-01');
insert into article_counts (project_id, article_id, views_count) values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000020', 5);
