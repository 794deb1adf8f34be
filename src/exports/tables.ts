import type { Fragment, Sql } from '../core/db/db.ts'

/** The tables of an export. Each becomes a file of JSON lines, without some columns. */

export interface ExportedTable {
  name: string
  /** Derived columns and secrets. */
  without: string[]
  /** Rows of other tables, as additional fields of the row that they belong to. */
  more?: (sql: Sql, projectId: string) => Fragment
}

const children = (sql: Sql, projectId: string, table: string, key: string, ...without: string[]): Fragment =>
  sql`(select coalesce(jsonb_agg(to_jsonb(c) - ${['project_id', key, ...without]}::text[]), '[]') from ${sql(table)} c
    where c.project_id = ${projectId} and c.${sql(key)} = r.id)`

/** The times of a ticket that are stored beside it. */
const activity = (sql: Sql, projectId: string): Fragment =>
  sql`coalesce((select jsonb_build_object('updated_at', a.updated_at, 'first_reply_at', a.first_reply_at,
      'first_bot_reply_at', a.first_bot_reply_at, 'last_contact_message_at', a.last_contact_message_at,
      'last_operator_message_at', a.last_operator_message_at, 'waiting_since', a.waiting_since)
    from ticket_activity a where a.project_id = ${projectId} and a.ticket_id = r.id), '{}')`

export const exportedTables: ExportedTable[] = [
  { name: 'operators', without: ['user_id'] },
  { name: 'departments', without: [] },
  { name: 'tags', without: [] },
  {
    name: 'organizations',
    without: ['folded'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('domains', array(select domain from organization_domains d
        where d.project_id = ${projectId} and d.organization_id = r.id order by domain))`,
  },
  {
    name: 'contacts',
    without: ['search', 'search_version'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('identities', ${children(sql, projectId, 'contact_identities', 'contact_id')})`,
  },
  {
    name: 'tickets',
    without: ['search', 'search_version'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('widget', (select jsonb_build_object('surface', w.surface, 'locale', w.locale,
        'page_url', w.page_url, 'article', w.article, 'proactive_text', w.proactive_text) from widget_tickets w
        where w.project_id = ${projectId} and w.ticket_id = r.id),
        'participants', ${children(sql, projectId, 'ticket_participants', 'ticket_id')})
        || ${activity(sql, projectId)}`,
  },
  {
    name: 'messages',
    without: ['search', 'search_version'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('reactions', ${children(sql, projectId, 'message_reactions', 'message_id')},
        'mail', ${children(sql, projectId, 'mail_details', 'message_id')},
        'recipients', ${children(sql, projectId, 'mail_recipients', 'message_id')},
        'telegram', ${children(sql, projectId, 'telegram_messages', 'message_id')},
        'custom', ${children(sql, projectId, 'custom_messages', 'message_id')})`,
  },
  { name: 'media', without: ['storage_key', 'bucket_id'] },
  {
    name: 'categories',
    without: [],
    more: (sql, projectId) =>
      sql`jsonb_build_object('translations', ${children(sql, projectId, 'category_translations', 'category_id')})`,
  },
  {
    name: 'articles',
    without: [],
    more: (sql, projectId) =>
      sql`jsonb_build_object('translations', ${children(sql, projectId, 'article_translations', 'article_id', 'search', 'search_version')},
        'pictures', ${children(sql, projectId, 'article_pictures', 'article_id')})`,
  },
  { name: 'webhooks', without: ['secret', 'previous_secret', 'previous_secret_until', 'active_since'] },
  { name: 'api_keys', without: ['hash'] },
  { name: 'canned_answers', without: ['search', 'search_version'] },
  { name: 'custom_fields', without: [] },
  { name: 'saved_views', without: [] },
  {
    name: 'mailboxes',
    without: ['secrets', 'lease_id', 'lease_until', 'renewing_until'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('fetched', ${children(sql, projectId, 'mailbox_folders', 'mailbox_id')})`,
  },
  {
    name: 'telegram_bots',
    without: ['token', 'picture', 'lease_id', 'lease_until'],
    more: (sql, projectId) =>
      sql`jsonb_build_object('chats', ${children(sql, projectId, 'telegram_chats', 'bot_id', 'lease_id')})`,
  },
  { name: 'custom_channels', without: ['picture', 'picture_type'] },
  { name: 'incoming_mails', without: ['storage_key', 'bucket_id'] },
  { name: 'sender_rules', without: [] },
  { name: 'audit_entries', without: [] },
]

/**
 * Tables that are included in rows of others, tables about money (the ledger has its own download), and tables that only this
 * server uses.
 */
export const excludedTables = [
  ...[
    'article_pictures',
    'article_translations',
    'category_translations',
    'contact_identities',
    'message_reactions',
  ],
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
    'identity_codes',
    'links',
    'mentions',
    'notice_emails',
    'open_tabs',
    'operator_answers',
    'operator_digests',
    'operator_notices',
    'operator_pushes',
    'project_counters',
    'tag_changes',
    'contact_merge_tickets',
    'contact_merges',
    'contact_reads',
    'contact_ticket_moves',
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
  ...['telegram_bot_owners', 'telegram_bot_rates', 'telegram_chats', 'telegram_messages'],
  ...['telegram_sends', 'telegram_updates', 'telegram_used_links'],
  'custom_messages',
  ...['organization_domains', 'organization_joins'],
  ...['words', 'words_read'],
  ...['data_deletions', 'deleted_records', 'deleted_words'],
  ...[
    'image_senders',
    'imported_records',
    'imports',
    'log_cursors',
    'log_failures',
    'report_facts',
    'ticket_activity',
    'ticket_history',
    'history_estimates',
    'ticket_merges',
    'ticket_participants',
    'ticket_reads',
    'webhook_deliveries',
    'webhook_queue',
  ],
]
