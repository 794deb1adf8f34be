import { anyId, type Fragment, type Sql } from '../../../core/db/db.ts'
import {
  type AccountSource,
  findAccountRow,
  listAccounts,
  lockAccountRow,
} from '../../accounts/account-queries.ts'
import type { AccountTable } from '../../accounts/lease-queries.ts'
import type { FetchedMailbox, MailboxRow, MailboxState } from './mailbox.ts'

/** Mailboxes and their addresses. */

const columns = (sql: Sql): Fragment =>
  sql`id, address, aliases, name, department_id, signature, texts, sends_acknowledgement, sends_away, incoming, imap, folders,
    after_fetch, after_fetch_days, after_fetch_folder, start_from, start_days, plus_works, authserv_ids, form_senders,
    trusts_spam_headers, sending, smtp, send_rate, history, saves_sent, sent_folder, send_error, send_backoff_until,
    state, last_ok_at, last_error, backoff_until, version, created_at`

const fetchedColumns = (sql: Sql): Fragment => sql`project_id, secrets, failures, ${columns(sql)}`

const shownMailboxes: AccountSource = { name: 'mailboxes', columns }

export const listMailboxRows = (sql: Sql, projectId: string) =>
  listAccounts<MailboxRow>(sql, shownMailboxes, projectId)

export const listMailboxRowsByIds = (sql: Sql, projectId: string, ids: string[]) => sql<MailboxRow[]>`
  select ${columns(sql)} from mailboxes where project_id = ${projectId} and id = ${anyId(sql, ids)}`

export const findMailboxRow = (sql: Sql, projectId: string, id: string) =>
  findAccountRow<MailboxRow>(sql, shownMailboxes, projectId, id)

export const findFetchedMailbox = (sql: Sql, projectId: string, id: string) =>
  findAccountRow<FetchedMailbox>(sql, mailboxTable, projectId, id)

export const lockMailbox = (sql: Sql, projectId: string, id: string) =>
  lockAccountRow<FetchedMailbox>(sql, mailboxTable, projectId, id)

export type MailboxFields = Partial<Omit<MailboxRow, 'version' | 'created_at' | 'imap' | 'smtp'>> & {
  imap?: MailboxRow['imap']
  smtp?: MailboxRow['smtp']
  send_failures?: number
  send_failing_since?: null
  send_report_at?: null
  secrets?: Buffer | null
}

const forSql = (sql: Sql, fields: MailboxFields) => ({
  ...fields,
  ...(fields.imap !== undefined && { imap: fields.imap && sql.json(fields.imap) }),
  ...(fields.smtp !== undefined && { smtp: fields.smtp && sql.json(fields.smtp) }),
  ...(fields.texts !== undefined && { texts: sql.json(fields.texts) }),
})

export async function insertMailbox(sql: Sql, projectId: string, fields: MailboxFields): Promise<MailboxRow> {
  const [row] = await sql<MailboxRow[]>`
    insert into mailboxes ${sql({ project_id: projectId, ...forSql(sql, fields) })} returning ${columns(sql)}`
  return row!
}

/** A change of settings ends the backoff, so the next attempt starts immediately. */
export async function updateMailbox(
  sql: Sql,
  projectId: string,
  id: string,
  fields: MailboxFields,
): Promise<MailboxRow> {
  const [row] = await sql<MailboxRow[]>`
    update mailboxes set ${sql(forSql(sql, fields))}, version = version + 1, failures = 0, backoff_until = null,
      failing_since = null, report_at = null
    where project_id = ${projectId} and id = ${id} returning ${columns(sql)}`
  return row!
}

/** Inserts the addresses that no other mailbox of the installation has, and returns them. */
export const insertAddresses = (sql: Sql, projectId: string, mailboxId: string, addresses: string[]) => sql<
  { address: string }[]
>`
  insert into mailbox_addresses (project_id, address, mailbox_id)
  select ${projectId}, address, ${mailboxId} from unnest(${addresses}::text[]) as given (address)
  order by address on conflict do nothing returning address`

export const deleteAddresses = (sql: Sql, projectId: string, mailboxId: string) => sql`
  delete from mailbox_addresses where project_id = ${projectId} and mailbox_id = ${mailboxId}`

export interface FoundRecipient {
  project_id: string
  mailbox_id: string
  address: string
  state: MailboxState
}

/** Mailboxes of the kind `listen` with one of these addresses. */
export const listRecipients = (sql: Sql, addresses: string[]) => sql<FoundRecipient[]>`
  select m.project_id, m.id as mailbox_id, a.address, m.state from mailbox_addresses a
    join mailboxes m on m.project_id = a.project_id and m.id = a.mailbox_id
    join projects p on p.id = m.project_id and p.deleting_since is null
  where a.address = any(${addresses}::text[]) and m.incoming = 'listen'`

/** Mailboxes that are fetched. The process that holds a mailbox's lease fetches it. */
export const mailboxTable: AccountTable = {
  name: 'mailboxes',
  kind: 'mailboxes',
  columns: fetchedColumns,
  condition: sql => sql`a.incoming = 'imap'`,
}
