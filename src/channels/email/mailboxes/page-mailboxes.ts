import type { Sql } from '../../../core/db/db.ts'
import { only } from '../../../core/fields.ts'
import { listAll } from '../../../core/paging/listing.ts'
import type { Listed, PageQuery } from '../../../core/paging/paging.ts'
import { withText } from './fault.ts'
import { listImportProgress } from './folder-queries.ts'
import type { MailboxRow } from './mailbox.ts'
import { editableFields } from './mailbox-input.ts'
import { listMailboxRows, listMailboxRowsByIds } from './queries.ts'
import type { Mailbox } from './schema.ts'

const shown = [
  'id',
  'address',
  'aliases',
  'name',
  'department_id',
  'incoming',
  'state',
  'last_ok_at',
  'last_error',
  'sending',
  'send_error',
  'created_at',
] as const

const worded = (row: MailboxRow) => ({
  ...row,
  last_error: row.last_error && withText(row.last_error),
  send_error: row.send_error && withText(row.send_error),
})

/** The mailbox as the public API returns it. */
export const pageMailboxes = (sql: Sql, projectId: string, query: PageQuery): Promise<Listed<Mailbox>> =>
  listAll(
    sql,
    projectId,
    'mailboxes',
    async ids => (await listMailboxRowsByIds(sql, projectId, ids)).map(row => only(worded(row), shown)),
    query,
  )

export type ShownMailbox = MailboxRow & { import_progress: number | null }

/** The mailbox as the dashboard shows it to admins, with all settings except secrets. */
export async function listMailboxes(sql: Sql, projectId: string): Promise<ShownMailbox[]> {
  const rows = await listMailboxRows(sql, projectId)
  const progress = new Map(
    (await listImportProgress(sql, projectId)).map(row => [row.mailbox_id, row.progress]),
  )
  return rows.map(row => ({ ...worded(row), import_progress: progress.get(row.id) ?? null }))
}

export async function showMailbox(sql: Sql, projectId: string, row: MailboxRow): Promise<ShownMailbox> {
  const progress = await listImportProgress(sql, projectId)
  const own = progress.find(({ mailbox_id }) => mailbox_id === row.id)
  return { ...only(worded(row), settings), import_progress: own?.progress ?? null }
}

/** Omits the columns that only fetching needs. */
const settings = [
  ...new Set([
    ...shown,
    ...editableFields,
    ...(['imap', 'smtp', 'backoff_until', 'send_backoff_until', 'version'] as const),
  ]),
]
