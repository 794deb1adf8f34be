import type { Fragment, Sql } from '../core/db/db.ts'

/** The tables of an export. Each becomes a file of JSON lines, without some columns. */

export interface ExportedTable {
  name: string
  /** Derived columns and secrets. */
  without: string[]
  /** Rows of other tables, as additional fields of the row that they belong to. */
  more?: (sql: Sql, projectId: string) => Fragment
}

const children = (sql: Sql, projectId: string, table: string, key: string, without: string): Fragment =>
  sql`(select coalesce(jsonb_agg(to_jsonb(c) - ${['project_id', key, without]}::text[]), '[]') from ${sql(table)} c
    where c.project_id = ${projectId} and c.${sql(key)} = r.id)`

export const exportedTables: ExportedTable[] = [
  { name: 'operators', without: ['user_id'] },
  { name: 'departments', without: [] },
  { name: 'tags', without: [] },
  {
    name: 'contacts',
    without: ['search'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('identities', ${children(sql, projectId, 'contact_identities', 'contact_id', '')})`,
  },
  {
    name: 'tickets',
    without: ['search'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('widget', (select jsonb_build_object('surface', w.surface, 'locale', w.locale,
        'page_url', w.page_url) from widget_tickets w
        where w.project_id = ${projectId} and w.ticket_id = r.id),
        'participants', ${children(sql, projectId, 'ticket_participants', 'ticket_id', '')})`,
  },
  {
    name: 'messages',
    without: ['search'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('reactions', ${children(sql, projectId, 'message_reactions', 'message_id', '')},
        'mail', ${children(sql, projectId, 'mail_details', 'message_id', '')},
        'recipients', ${children(sql, projectId, 'mail_recipients', 'message_id', '')},
        'telegram', ${children(sql, projectId, 'telegram_messages', 'message_id', '')})`,
  },
  { name: 'media', without: ['storage_key', 'bucket_id'] },
  {
    name: 'categories',
    without: [],
    more: (sql, projectId) =>
      sql`jsonb_build_object('translations', ${children(sql, projectId, 'category_translations', 'category_id', '')})`,
  },
  {
    name: 'articles',
    without: [],
    more: (sql, projectId) =>
      sql`jsonb_build_object('translations', ${children(sql, projectId, 'article_translations', 'article_id', 'search')})`,
  },
  { name: 'webhooks', without: ['secret', 'previous_secret', 'previous_secret_until', 'active_since'] },
  { name: 'api_keys', without: ['hash'] },
  { name: 'canned_answers', without: [] },
  { name: 'custom_fields', without: [] },
  { name: 'saved_views', without: [] },
  {
    name: 'mailboxes',
    without: ['secrets', 'lease_id', 'lease_until', 'renewing_until'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('fetched', ${children(sql, projectId, 'mailbox_folders', 'mailbox_id', '')})`,
  },
  {
    name: 'telegram_bots',
    without: ['token', 'picture', 'lease_id', 'lease_until'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('chats', ${children(sql, projectId, 'telegram_chats', 'bot_id', 'lease_id')})`,
  },
  { name: 'incoming_mails', without: ['storage_key', 'bucket_id'] },
  { name: 'sender_rules', without: [] },
  { name: 'audit_entries', without: [] },
]

/**
 * Tables that are included in rows of others, tables about money (the ledger has its own download), and tables that only this
 * server uses.
 */
export const excludedTables = [
  ...['article_translations', 'category_translations', 'contact_identities', 'message_reactions'],
  ...[
    'accounts',
    'balance_entries',
    'billing_mails',
    'buyers',
    'payments',
    'receipts',
    'plan_periods',
    'subscriptions',
    'renewal_notices',
  ],
  ...[
    'api_requests',
    'demo_records',
    'article_counts',
    'article_votes',
    'buckets',
    'department_operators',
    'drafts',
    'due_work',
    'events',
  ],
  ...[
    'exports',
    'idempotency_keys',
    'links',
    'mentions',
    'notice_emails',
    'open_tabs',
    'operator_answers',
    'operator_notices',
    'project_counters',
    'tag_changes',
    'contact_reads',
    'reply_mailboxes',
    'reply_notices',
    'unread_replies',
    'visitor_answers',
    'visitor_files',
    'visitor_tabs',
    'visitors',
    'widget_tickets',
    'widgets',
  ],
  ...['mailbox_addresses', 'mailbox_folders', 'mailbox_sign_ins', 'mail_details', 'mail_ids'],
  ...['automatic_emails', 'mail_recipients', 'outgoing_emails', 'outgoing_queue'],
  ...['dkim_keys', 'mailbox_probes'],
  ...['mail_recipients', 'outgoing_emails', 'outgoing_queue'],
  ...['telegram_bot_owners', 'telegram_bot_rates', 'telegram_chats', 'telegram_messages'],
  ...['telegram_sends', 'telegram_updates'],
  ...['words', 'words_read'],
  ...[
    'image_senders',
    'ticket_activity',
    'ticket_merges',
    'ticket_participants',
    'ticket_reads',
    'webhook_deliveries',
    'webhook_queue',
  ],
]

const nothing = (sql: Sql): Fragment => sql`'{}'::jsonb`

/** Rows after an id, as JSON. Ids are in order of creation, so rows that are added during the export come last. */
export const readRows = (
  sql: Sql,
  projectId: string,
  { name, without, more = nothing }: ExportedTable,
  after: string,
  limit: number,
) => sql<{ id: string; line: string }[]>`
  select r.id, (to_jsonb(r) - ${['project_id', ...without]}::text[] || ${more(sql, projectId)})::text as line
  from ${sql(name)} r where r.project_id = ${projectId} and r.id > ${after}::uuid order by r.id limit ${limit}`

export async function countRows(sql: Sql, projectId: string): Promise<number> {
  let total = 0
  for (const { name } of exportedTables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from ${sql(name)} where project_id = ${projectId}`
    total += row!.count
  }
  return total
}

export async function readSettings(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ line: string }[]>`
    select (to_jsonb(p) || jsonb_build_object('widget',
      (select settings from widgets w where w.project_id = ${projectId}), 'image_senders',
      (select coalesce(jsonb_agg(s.address order by s.address), '[]') from image_senders s where s.project_id = ${projectId})))::text as line
    from projects p where p.id = ${projectId}`
  return row!.line
}

export interface ExportedFile {
  id: string
  filename: string
  storage_key: string
  bucket_id: string | null
}

export const readFiles = (sql: Sql, projectId: string, after: string, limit: number) => sql<ExportedFile[]>`
  select id, filename, storage_key, bucket_id from media
  where project_id = ${projectId} and id > ${after}::uuid and storage_key <> ''
  union all
  select id, 'mail.eml', storage_key, bucket_id from incoming_mails
  where project_id = ${projectId} and id > ${after}::uuid and storage_key <> ''
  order by id limit ${limit}`
