-- Which of some tickets have the words, in a message or in the subject. A function, so that the planner sees how many
-- tickets are asked: for a few it reads their messages, for thousands it joins the index of the tickets with that of
-- the words and visits only what has both.
create function tickets_with_words(project uuid, words tsquery, ids uuid[]) returns setof uuid
language plpgsql stable parallel safe set plan_cache_mode to force_custom_plan as $$
begin
  return query
    select m.ticket_id from messages m where m.project_id = project and m.ticket_id = any(ids) and m.search @@ words
    union
    select t.id from tickets t where t.project_id = project and t.id = any(ids) and t.search @@ words;
end $$;

-- Filters and jobs that would otherwise read more the more a project has: calls that failed, deliveries of an event,
-- entries of the audit log by what they are about, tickets that wait for their contact, and visitors who never wrote.
create index api_requests_failed on api_requests (project_id, id) where status >= 400;
create index audit_entries_target on audit_entries (project_id, target_id, created_at, id) where target_id is not null;
create index audit_entries_noun on audit_entries (project_id, split_part(action, '.', 1), created_at, id);
create index audit_entries_action on audit_entries (project_id, action, created_at, id);
create index ticket_activity_pending on ticket_activity (project_id, coalesce(last_message_at, created_at))
  where status = 'pending';
create index visitors_strange on visitors (seen_at) where contact_id is null;
create index webhook_deliveries_event on webhook_deliveries (project_id, webhook_id, event_type, id);
-- In whichever language an article is shown.
create index article_translations_newest on article_translations (project_id, published_at, article_id) where is_public;
create index article_translations_moved on article_translations (project_id, updated_at, article_id) where is_public;
