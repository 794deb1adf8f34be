-- Whether somebody in the chat has proved to be the contact, has only named it, or has named nobody.
-- Null: it did not come through the chat. The checks look at new rows only, so that no table is read while it is locked.
alter table tickets add column contact_identity text;
alter table tickets add constraint tickets_contact_identity_check
  check (contact_identity in ('proved', 'typed', 'none')) not valid;
alter table messages add column contact_identity text;
alter table messages add constraint messages_contact_identity_check
  check (contact_identity in ('proved', 'typed', 'none')) not valid;

update tickets t set contact_identity = case
  when v.is_verified and coalesce(c.merged_into_id, v.contact_id) = t.contact_id then 'proved'
  when exists (select from contact_identities i where i.project_id = t.project_id and i.contact_id = t.contact_id)
    then 'typed'
  else 'none' end
from widget_tickets w
  left join visitors v on v.project_id = w.project_id and v.id = w.visitor_id
  left join contacts c on c.project_id = v.project_id and c.id = v.contact_id
where w.project_id = t.project_id and w.ticket_id = t.id;
