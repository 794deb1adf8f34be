/** Statements of which each begins with this text in this file of `src`. The text has one space for any white space, and `{x}` for `${x}`. */
export interface ExceptionGroup {
  reason: string
  statements: [file: string, begin: string][]
}

/** Statements that do not give the parameter of one project to all tables. */
export const distributionExceptions: ExceptionGroup[] = [
  {
    reason: 'Deletes or completes what is old or due in all projects. Runs as a job, never for a request.',
    statements: [
      [
        'channels/accounts/report-outage.ts',
        'with due as ( select a.project_id, a.id from {db(table)} a where',
      ],
      ['channels/custom/notices/report-outage.ts', 'update custom_channels a set report_at = null'],
      ['channels/email/outgoing/outgoing-queries.ts', 'with due as ( select project_id, message_id'],
      ['billing/mails.ts', 'delete from billing_mails where created_at < now() -'],
      ['billing/mails.ts', 'with due as ( select project_id, id from billing_mails'],
      ['billing/notices.ts', 'with noted as ( insert into renewal_notices as n'],
      ['billing/order-payment.ts', "select * from payments where status = 'pending' and"],
      ['channels/email/dkim/dkim-queries.ts', 'select project_id, domain from ( select distinct'],
      ['channels/email/incoming/old-contents.ts', 'with old as ( select o.project_id, o.message_id,'],
      [
        'channels/email/incoming/old-contents.ts',
        'with old as ( select project_id, id, storage_key, bucket_id',
      ],
      [
        'channels/email/mailboxes/probe-queries.ts',
        'with due as ( select m.project_id, m.id from mailbox_probes',
      ],
      ['channels/email/mailboxes/probe-queries.ts', 'with due as ( select p.project_id, p.mailbox_id from'],
      [
        'channels/email/notices/answer-queries.ts',
        'delete from notice_emails where project_id is not null and',
      ],
      [
        'channels/email/set-up/sign-in-queries.ts',
        'delete from mailbox_sign_ins where project_id is not null',
      ],
      ['channels/telegram/incoming/chat-queries.ts', 'delete from telegram_updates where'],
      ['channels/widget/old-visitors.ts', 'delete from visitor_tabs where seen_at < now() -'],
      ['channels/widget/queries.ts', 'select project_id, id from visitors where expires_at <'],
      ['events/retention.ts', 'select project_id, max(seq) as seq from ( select'],
      ['events/cursor-queries.ts', 'select project_id, ticket_id, seq from log_failures'],
      ['exports/queries.ts', 'delete from exports where expires_at <= now()'],
      ['keys/idempotency.ts', 'select project_id, {db(caller)} as caller, key from'],
      ['media/stray-objects.ts', 'select project_id, id from media where message_id is null'],
      ['requests/queries.ts', 'select project_id, id from api_requests where created_at <'],
      ['tags/refold.ts', 'select project_id, id, name, folded from tags where folded'],
      ['tickets/automatic.ts', 'select a.project_id, a.ticket_id as id from projects p join'],
      ['contacts/merge-queries.ts', 'delete from contact_merges where (project_id, source_id) in'],
      ['tickets/unmerge.ts', 'delete from ticket_merges where (project_id, source_id) in'],
      ['users/expired-rows.ts', "delete from links where expires_at < now() - interval '30"],
    ],
  },
  {
    reason: 'Finds the projects that have something to do. The work itself is done for each project.',
    statements: [
      ['core/due/due-work.ts', 'select h.project_id, h.subject_id, h.since::text as since'],
      ['core/due/due-work.ts', 'select project_id, kind, subject_id, (extract(epoch from'],
      ['core/due/due-work.ts', 'with next as materialized ( select h.project_id,'],
      ['core/due/due-work.ts', 'with w as materialized ({waiting}) insert into due_work'],
      ['events/queries.ts', 'select project_id from unnest({[...seen.keys()]}'],
    ],
  },
  {
    reason: 'The queue of webhook deliveries: claims, outcomes and cleanup are shared by all projects.',
    statements: [
      ['webhooks/cleanup-queries.ts', 'delete from webhook_deliveries where ctid = any(array('],
      ['webhooks/cleanup-queries.ts', 'delete from webhooks w where w.deleted_at < now() -'],
      ['webhooks/cleanup-queries.ts', 'delete from {sql(table)} where ctid = any(array( select'],
      ['webhooks/cleanup-queries.ts', 'with recursive {queuedTargets(sql)} delete from'],
      ['webhooks/cleanup-queries.ts', 'with recursive {queuedTargets(sql)}, far as'],
      ['webhooks/cleanup-queries.ts', 'with void as ( select d.ctid from {ofTargets(sql,'],
      ['webhooks/find-backlog.ts', 'select w.project_id, w.id as webhook_id, w.deleted_at is'],
      ['webhooks/queries.ts', 'with recursive {queuedTargets(sql)} select'],
      ['webhooks/queue.ts', 'with asked as ('],
      ['webhooks/queue.ts', 'with released as ('],
      ['webhooks/record.ts', 'with outcome as materialized ('],
    ],
  },
  {
    reason:
      'Found by a key that is unique in the installation, because the request does not say the project: an API key, a link, a bucket, an address, an order, a slug.',
    statements: [
      ['operators/outage-mail.ts', 'select distinct o.email from operators o'],
      ['channels/email/notices/notice-queries.ts', 'select o.email, p.name as project'],
      ['notifications/digest-queries.ts', 'select o.id as operator_id, u.id as user_id, o.email'],
      ['billing/payments.ts', 'select * from payments where order_id = {orderId}'],
      ['channels/email/automatic/automatic-queries.ts', 'select from mailbox_addresses where address ='],
      ['channels/email/mailboxes/queries.ts', 'select m.project_id, m.id as mailbox_id, a.address, m.state'],
      ['channels/telegram/bots/queries.ts', 'select from telegram_bot_owners where api_root ='],
      ['keys/queries.ts', 'select i.maintenance, k.hash, k.key_id, k.project_id,'],
      ['knowledge/help-centre.ts', 'select id, name, slug, color, logo_url, default_locale from'],
      ['knowledge/help-centre.ts', 'select from projects where slug ='],
      ['media/buckets.ts', 'insert into buckets (id, endpoint, bucket, region,'],
      ['media/buckets.ts', 'select * from buckets where id = {id}'],
      ['media/buckets.ts', 'select * from buckets where project_id is null and endpoint'],
      ['media/queries.ts', 'select {stored(sql)}, m.id is null as is_of_page from'],
      ['projects/settings.ts', 'select from projects where slug = {slug} and id <>'],
      ['users/links.ts', 'delete from links where purpose = {purpose} and used_at is'],
      ['users/links.ts', 'select {columns(sql, hash)}, used_at is not null as'],
      ['users/links.ts', 'update links set mailed_hash = {hashLink(mailed)} where'],
      ['users/links.ts', 'update links set used_at = now() where {hasHash(sql, hash)}'],
    ],
  },
  {
    reason: 'A person in all of their projects.',
    statements: [
      ['demo/remove.ts', 'delete from users u where id = any({ids}::uuid[])'],
      ['operators/awaited-operators.ts', 'select l.token_hash from links l join operators o on'],
      ['operators/me.ts', 'update operators set avatar_url = {url} where user_id ='],
      ['operators/people-queries.ts', 'select o.project_id, o.id, o.name from operators o join'],
      ['operators/people-queries.ts', 'select o.project_id, o.id, o.name, o.role, p.name as'],
      ['operators/people-queries.ts', 'update operators set name = {name} where user_id = {userId}'],
    ],
  },
  {
    reason: 'The whole installation: its command line, its check, its plans, its backup.',
    statements: [
      ['backup/queries.ts', 'select storage_key from ( select storage_key from media'],
      ['billing/orders.ts', 'select * from ( select y.*, p.name as project, case when'],
      ['billing/orders.ts', 'select p.id as project_id, a.currency, s.expires_at as'],
      ['billing/plans.ts', 'delete from plans where code = {code} and not exists'],
      ['billing/plans.ts', 'select id from projects where plan = {code} union select'],
      ['billing/receipts.ts', 'insert into receipts (number, project_id, entry_seq,'],
      ['cli/commands/mail.ts', 'select i.project_id from projects p join incoming_mails i'],
      ['cli/commands/account-commands.ts', 'select project_id from {db(table)} where project_id is'],
      ['doctor/channels.ts', 'select c.title, p.name as project, c.state,'],
      ['doctor/telegram.ts', 'select b.username, p.name as project, b.state'],
      ['doctor/telegram.ts', 'select b.id, b.username, count(*)::int as count'],
      ['cli/commands/reparse.ts', 'select id from projects order by id'],
      ['cli/commands/reparse.ts', 'select m.project_id from projects p join mailboxes m on'],
      ['deletions/queries.ts', 'select id, name, slug, deleting_since is not null as'],
      ['demo/queries.ts', 'select id, name from projects order by'],
      ['doctor/queries.ts', 'select (select count(*)::int from projects) as projects,'],
      ['doctor/queries.ts', 'select a.address, p.name as project from mailbox_addresses'],
      ['doctor/queries.ts', 'select m.address, p.name as project, m.state, m.last_error'],
      ['doctor/queries.ts', 'select w.url, p.name as project, w.is_active,'],
      ['channels/email/mailboxes/mailbox-metrics.ts', 'select case when state ='],
      ['channels/email/mailboxes/mailbox-metrics.ts', 'select coalesce(extract(epoch from now()'],
      ['installation-metrics.ts', 'select exists (select from events'],
      ['events/cursor-queries.ts', 'select r.reader, coalesce(u.events, 0)::float8 as'],
      ['events/cursor-queries.ts', 'select f.reader, p.name as project, f.ticket_id,'],
      ['outgoing/queue.ts', 'select channel, extract(epoch'],
      ['backup/queries.ts', 'select (select coalesce(sum(pg_table_size'],
      ['first-start.ts', 'select id from projects where not exists (select from'],
      ['keys/queries.ts', 'delete from api_keys where id = {id} returning project_id,'],
      ['keys/queries.ts', 'update api_keys set disabled_at = least(disabled_at, now())'],
      ['knowledge/write-queries.ts', 'select project_id from articles where id = {id}'],
      ['media/buckets.ts', 'select * from buckets where project_id is not null and'],
      ['media/queries.ts', 'select f.* from buckets b, lateral ( select {placed(sql)}'],
      ['media/queries.ts', 'select {placed(sql)} from media f where f.bucket_id is null'],
      ['projects/project.ts', 'select {columns(sql)} from projects order by created_at, id'],
    ],
  },
  {
    reason:
      'A process fetches mailboxes and Telegram bots of several projects. It takes and renews their leases together.',
    statements: [
      ['channels/accounts/lease-queries.ts', 'update {sql(table.name)} set lease_id = {leaseId}'],
      ['channels/accounts/lease-queries.ts', 'update {sql(table.name)} a set lease_until ='],
      ['channels/accounts/lease-queries.ts', 'select a.id, a.version from {sql(table.name)} a join'],
    ],
  },
  {
    reason:
      'Calls a function that exists only in its transaction, so it cannot be planned later. It compares project_id with the parameter.',
    statements: [
      ['demo/queries.ts', 'update messages set created_at = pg_temp.told_at('],
      ['demo/queries.ts', 'update message_reactions r set created_at = pg_temp.told_at('],
      ['demo/queries.ts', 'update tickets set created_at = pg_temp.told_at('],
      ['demo/queries.ts', 'update ticket_merges set merged_at = pg_temp.told_at('],
      ['demo/queries.ts', 'update contacts set created_at = pg_temp.told_at('],
    ],
  },
]

/** Statements that read the clock in `case`, `coalesce`, `returning` or `on conflict`, besides those above. */
export const clockExceptions: ExceptionGroup[] = [
  {
    reason: 'A subscription that is enabled must compare its start with the times of the database.',
    statements: [['webhooks/queries.ts', 'update webhooks set url = ']],
  },
]

/** Statements of several projects that find rows by ctid, besides those of one project. */
export const ctidExceptions: ExceptionGroup[] = [
  {
    reason:
      'The queue of webhook deliveries: an index on the ids can contain as many dead rows as the table.',
    statements: [
      ['webhooks/queue.ts', ''],
      ['webhooks/record.ts', ''],
      ['webhooks/cleanup-queries.ts', ''],
    ],
  },
]

/** Statements that no test runs. */
export const unusedStatements: ExceptionGroup[] = [
  {
    reason: 'Extends a lease halfway through it, which takes longer than any test waits.',
    statements: [
      ['exports/queries.ts', 'update exports set lease_until = {leaseEnd(sql, lease)}'],
      ['channels/email/incoming/incoming-queries.ts', 'update incoming_mails set due_at = now() + {leaseMs}'],
      ['outgoing/queue.ts', 'update outgoing_queue set lease_until = now() + {leaseMs}'],
      ['channels/telegram/incoming/chat-queries.ts', 'update telegram_chats set lease_until = now()'],
      ['channels/accounts/lease-queries.ts', 'update {sql(table.name)} a set lease_until ='],
    ],
  },
  {
    reason: 'Runs with the heartbeat of open pages, every 20 s. Tests take that long only on a slow machine.',
    statements: [['live/queries.ts', 'select s.stream from unnest({streams}::uuid[])']],
  },
]
