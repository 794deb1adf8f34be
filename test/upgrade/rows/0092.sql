update contact_identities set verified_at = now(), verified_how = 'person', verified_by = '{"type":"api","id":null,"name":null}',
  verified_reason = 'Showed a passport' where is_verified;
insert into identity_codes (project_id, type, value, code_hash, sent_at, counted_since)
  select project_id, type, value, '\x00', now(), now() from contact_identities order by type, value limit 1;
insert into contact_merges (project_id, source_id, target_id, changes, identities, demoted, chat_ids, merged_before, merged_by, merged_at)
  select project_id, id, id, '{"phone": [null, "1"]}', '[]', '[]', '{}', '{}', '{"type":"api","id":null,"name":null}', now()
  from contacts order by id limit 1;
insert into contact_merge_tickets (project_id, source_id, ticket_id)
  select m.project_id, m.source_id, t.id from contact_merges m join tickets t on t.project_id = m.project_id limit 1;
insert into contact_ticket_moves (project_id, ticket_id, from_id, to_id, cause, moved_by)
  select project_id, id, contact_id, contact_id, 'identity_moved', '{"type":"api","id":null,"name":null}' from tickets order by id limit 1;
