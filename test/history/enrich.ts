import type { Fragment, Sql } from '../../src/core/db/db.ts'

/** Gives the seeded records of a project the fields and related rows that real records can have. */

/** Selects about one record in `n`, by its id, so that a repeated run selects the same ones. */
const oneIn = (sql: Sql, n: number, rest = 0): Fragment =>
  sql`abs(hashtext(id::text)::bigint) % ${n}::int = ${rest}::int`

export async function enrichContacts(sql: Sql, projectId: string): Promise<void> {
  await sql`
    update contacts set note = 'Calls often', timezone = 'Europe/Kyiv', tags = '{vip}',
      custom_fields = '{"plan": "gold"}', avatar_url = 'https://pictures.example/a.png'
    where project_id = ${projectId} and ${oneIn(sql, 5)}`
  await sql`
    with chosen as (
      update contacts set telegram_id = 1000000 + abs(hashtext(id::text)::bigint), telegram_username = 'user_' || right(id::text, 6)
      where project_id = ${projectId} and ${oneIn(sql, 7)} returning id, telegram_id, created_at
    ) insert into contact_identities (project_id, type, value, contact_id, is_primary, created_at)
    select ${projectId}, 'telegram', telegram_id::text, id, true, created_at from chosen`
  await sql`
    insert into contact_identities (project_id, type, value, contact_id, is_primary, is_undeliverable, created_at)
    select ${projectId}, 'email', 'second.' || email, id, false, true, created_at from contacts
    where project_id = ${projectId} and ${oneIn(sql, 6)}`
  await sql`
    update contact_identities set is_verified = true where project_id = ${projectId} and type = 'external'`
}

export async function enrichTickets(sql: Sql, projectId: string): Promise<void> {
  await sql`update tickets set tags = array(select distinct unnest(tags)) where project_id = ${projectId}`
  await sql`
    insert into tags (project_id, id, name, folded, color)
    select ${projectId}, uuid_v7(), name, lower(name), '#aa00bb' from (
      select 'vip' as name union select unnest(tags) from tickets where project_id = ${projectId}) used`
  await sql`
    update tickets set rating_comment = case when rating is not null then 'Thank you' end, reopened_count = 2, language = 'de',
      custom_fields = '{"plan": "gold", "seats": 5}'
    where project_id = ${projectId} and ${oneIn(sql, 3)}`
  await sql`
    insert into ticket_participants (project_id, ticket_id, address, name, is_removed, changed_at)
    select ${projectId}, id, 'copy@elsewhere.example', 'A Copy', number % 2 = 0, created_at from tickets
    where project_id = ${projectId} and channel = 'email'`
  await sql`
    insert into widget_tickets (project_id, ticket_id, surface, locale, page_url)
    select ${projectId}, id, 'page', 'de', 'https://shop.example/cart' from tickets
    where project_id = ${projectId} and channel = 'widget'`
  await sql`
    update tickets set contact_identity = case when number % 2 = 0 then 'proved' else 'typed' end
    where project_id = ${projectId} and channel = 'widget'`
  await sql`
    with pairs as (
      select id, lag(id) over (partition by contact_id order by id) as before from tickets where project_id = ${projectId}
    ) update tickets t set follow_up_of_id = pairs.before from pairs
    where t.project_id = ${projectId} and t.id = pairs.id and number % 3 = 0`
  // Some tickets are merged into the contact's previous or next ticket, but no two into each other.
  await sql`
    with pairs as (
      select id, case when number % 2 = 0 then lag(id) over w else lead(id) over w end as other,
        case when number % 2 = 0 then lag(number) over w end as before
      from tickets where project_id = ${projectId} window w as (partition by contact_id order by id)
    ) update tickets t set merged_into_id = pairs.other, status = 'closed', closed_at = coalesce(closed_at, created_at + interval '1 hour'),
      resolution_secs = coalesce(resolution_secs, 3600), closed_by = coalesce(closed_by, '{"type": "system", "id": null}'),
      snoozed_until = null
    from pairs
    where t.project_id = ${projectId} and t.id = pairs.id and other is not null and number % 10 in (3, 8)
      and (before is null or before % 10 <> 3)`
}

const email = (sql: Sql): Fragment => sql`jsonb_build_object(
  'message_id', '<' || md5(id::text) || '@mail.example>', 'in_reply_to', null, 'from', 'ann@mail.example', 'from_name', 'Ann Lee',
  'to', jsonb_build_array('support@desk.example'), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', '[]'::jsonb,
  'subject', 'My order', 'date', '2026-01-15T10:30:00.000000', 'mailbox_id', null, 'thread_reason', 'in_reply_to',
  'thread_evidence', 'in_reply_to: a1@mail.example', 'related_ticket_id', null, 'warnings', jsonb_build_array('unverified'),
  'class', 'person', 'authentication', jsonb_build_object('spf', 'pass', 'dkim', 'none', 'dmarc', 'pass'), 'spam', false, 'signature', 'pgp', 'encrypted', null, 'invitation', null,
  'truncated', jsonb_build_array('html'), 'inline_media_ids', '[]'::jsonb, 'has_quote', true, 'has_raw', false)`

export async function enrichMessages(sql: Sql, projectId: string): Promise<void> {
  await sql`update messages set updated_at = created_at where project_id = ${projectId}`
  await sql`
    update messages set content_format = 'html', content_html = '<p>See <strong>this</strong></p>'
    where project_id = ${projectId} and ${oneIn(sql, 9)}`
  await sql`
    update messages set edited_at = created_at + interval '1 minute', updated_at = created_at + interval '1 minute'
    where project_id = ${projectId} and created_at < now() - interval '1 hour' and ${oneIn(sql, 17)}`
  await sql`
    update messages set content = '', content_html = null, content_format = 'text',
      deleted_at = created_at + interval '2 minutes', updated_at = created_at + interval '2 minutes'
    where project_id = ${projectId} and created_at < now() - interval '1 hour' and ${oneIn(sql, 23)}`
  await sql`
    update messages set delivery_status = 'failed', delivery_error = '550 No such user', delivery_attempts = 6
    where project_id = ${projectId} and sender_type = 'operator' and ${oneIn(sql, 13)}`
  await sql`
    update messages set delivery_status = 'read', delivery_updated_at = least(created_at + interval '1 hour', now())
    where project_id = ${projectId} and sender_type = 'operator' and ${oneIn(sql, 13, 1)}`
  await sql`
    update messages set contact_identity = 'proved'
    where project_id = ${projectId} and sender_type = 'contact' and channel = 'widget'`
  await sql`
    with pairs as (
      select id, lag(id) over (partition by ticket_id order by created_at, id) as before from messages
      where project_id = ${projectId}
    ) update messages m set reply_to_id = pairs.before from pairs
    where m.project_id = ${projectId} and m.id = pairs.id and abs(hashtext(m.id::text)::bigint) % 11 = 0`
  await sql`
    update ticket_activity a set first_bot_reply_at = (
      select min(created_at) from messages m
      where m.project_id = ${projectId} and m.ticket_id = a.ticket_id and m.sender_type = 'bot')
    where a.project_id = ${projectId}`
  await addEmails(sql, projectId)
  await addReactions(sql, projectId)
}

async function addEmails(sql: Sql, projectId: string): Promise<void> {
  await sql`
    update messages set email = ${email(sql)}
    where project_id = ${projectId} and channel = 'email' and sender_type in ('contact', 'operator') and not is_internal`
  await sql`
    insert into mail_details (project_id, message_id, headers, quoted_text, quoted_html)
    select ${projectId}, id, '[{"name": "X-Mailer", "value": "Post 1.0"}]', '> Where is it?', '<blockquote>Where is it?</blockquote>'
    from messages where project_id = ${projectId} and email is not null and sender_type = 'contact'`
  await sql`
    insert into mail_recipients (project_id, message_id, address, name, kind, status, code, words, updated_at)
    select ${projectId}, id, 'ann@mail.example', 'Ann Lee', 'to', 'failed', '5.1.1', 'No such user', created_at
    from messages where project_id = ${projectId} and email is not null and sender_type = 'operator'`
}

async function addReactions(sql: Sql, projectId: string): Promise<void> {
  await sql`
    insert into message_reactions (project_id, message_id, reactor_kind, reactor_id, emoji, created_at)
    select ${projectId}, m.id, 'contact', t.contact_id, '👍', m.created_at
    from messages m join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
    where m.project_id = ${projectId} and m.sender_type = 'operator' and not m.is_internal and t.number % 5 = 0`
  await sql`
    insert into message_reactions (project_id, message_id, reactor_kind, reactor_id, emoji, created_at)
    select ${projectId}, m.id, 'operator', t.operator_id, '🎉', m.created_at
    from messages m join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
    where m.project_id = ${projectId} and m.sender_type = 'contact' and t.operator_id is not null and t.number % 5 = 0`
}
