-- System messages are worded where they are read, so each has all the values that its words need. Those that older versions wrote get
-- them here: numbers of other tickets, why a ticket was closed, the name of the operator from whom a ticket was taken.

update messages m set system = jsonb_set(m.system, '{data,short_id}', to_jsonb(t.number::text))
from tickets t
where m.sender_type = 'system'
  and m.system ->> 'kind' in ('ticket_merged', 'ticket_unmerged', 'ticket_split', 'ticket_split_off')
  and not m.system -> 'data' ? 'short_id'
  and t.project_id = m.project_id and t.id = (m.system -> 'data' ->> 'ticket_id')::uuid;

update messages m set system = jsonb_set(m.system, '{data}', m.system -> 'data' || case
    when m.content like 'Merged into #%' then jsonb_build_object('reason', 'merged', 'short_id', substring(m.content from '[0-9]+'))
    else jsonb_build_object('reason', 'no_answer') end)
where m.sender_type = 'system' and m.system ->> 'kind' = 'ticket_closed' and not m.system -> 'data' ? 'reason'
  and (m.content like 'Merged into #%' or m.content = 'Closed: no answer from the contact');

update messages m set system = jsonb_set(m.system, '{data,previous_operator_name}', coalesce((
    select to_jsonb(o.name) from operators o
    where o.project_id = m.project_id and o.id = (m.system -> 'data' ->> 'previous_operator_id')::uuid), 'null'))
where m.sender_type = 'system' and m.system ->> 'kind' = 'ticket_force_taken'
  and not m.system -> 'data' ? 'previous_operator_name';

update messages m set system = jsonb_set(m.system, '{data,is_assigned}', to_jsonb(m.content like '%, for ' || (m.system -> 'data' ->> 'operator_name')))
where m.sender_type = 'system' and m.system ->> 'kind' = 'ticket_transferred' and not m.system -> 'data' ? 'is_assigned'
  and m.system -> 'data' ->> 'operator_name' is not null;
