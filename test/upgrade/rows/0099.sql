insert into article_pictures (project_id, article_id, locale, is_published, media_id)
  select t.project_id, t.article_id, t.locale, false, m.id
  from article_translations t join media m on m.project_id = t.project_id and m.message_id is null;
update widget_tickets set article = '{"id": "0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11", "locale": "en", "title": "Bells"}',
  proactive_text = 'May we help?';
