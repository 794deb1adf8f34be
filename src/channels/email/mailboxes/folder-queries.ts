import type { Sql } from '../../../core/db/db.ts'

/** Tracks how far each folder of a mailbox has been fetched. */

export interface FolderRow {
  path: string
  /** UIDVALIDITY, plus 2³² for each time the mailbox moved to another server. */
  uid_validity: number
  next_uid: number
  start_at: string | null
  import_next_uid: number | null
  import_end_uid: number | null
  import_since: string | null
  is_renumbered: boolean
  failed_uid: number | null
  failed_tries: number
}

export interface FolderKey {
  project_id: string
  mailbox_id: string
  path: string
}

export type NewFolder = Pick<
  FolderRow,
  | 'uid_validity'
  | 'next_uid'
  | 'start_at'
  | 'import_next_uid'
  | 'import_end_uid'
  | 'import_since'
  | 'is_renumbered'
>

export async function findFolder(
  sql: Sql,
  { project_id, mailbox_id, path }: FolderKey,
): Promise<FolderRow | null> {
  const [row] = await sql<FolderRow[]>`
    select path, uid_validity, next_uid, start_at, import_next_uid, import_end_uid, import_since, is_renumbered,
      failed_uid, failed_tries
    from mailbox_folders where project_id = ${project_id} and mailbox_id = ${mailbox_id} and path = ${path}`
  return row ?? null
}

/** UIDVALIDITY has 32 bits. The bits above them count the accounts from which the mailbox has been fetched. */
export const accountStep = 2 ** 32

/** Invalidates the UIDs, because the mailbox is fetched from another account from now on. */
export const updateFoldersMoved = (sql: Sql, projectId: string, mailboxId: string) => sql`
  update mailbox_folders set uid_validity = (uid_validity / ${accountStep}::bigint + 1) * ${accountStep}::bigint
  where project_id = ${projectId} and mailbox_id = ${mailboxId}`

/**
 * Inserts a folder's cursors, or resets the known ones after UIDVALIDITY changed. Does nothing if another process has done so, or if
 * the mailbox's settings have changed.
 */
export const insertFolder = (
  sql: Sql,
  { project_id, mailbox_id, path }: FolderKey,
  { version }: { version: number },
  known: Pick<FolderRow, 'uid_validity'> | null,
  folder: NewFolder,
) => sql`
  insert into mailbox_folders (project_id, mailbox_id, path, uid_validity, next_uid, start_at, import_next_uid, import_end_uid,
    import_since, is_renumbered)
  select project_id, id, ${path}, ${folder.uid_validity}::bigint, ${folder.next_uid}::bigint, ${folder.start_at}::timestamptz,
    ${folder.import_next_uid}::bigint, ${folder.import_end_uid}::bigint, ${folder.import_since}::timestamptz, ${folder.is_renumbered}
  from mailboxes where project_id = ${project_id} and id = ${mailbox_id} and version = ${version}
  on conflict (project_id, mailbox_id, path) do update set uid_validity = excluded.uid_validity,
    next_uid = excluded.next_uid, import_next_uid = excluded.import_next_uid, import_end_uid = excluded.import_end_uid,
    import_since = excluded.import_since, is_renumbered = excluded.is_renumbered, failed_uid = null, failed_tries = 0
  where mailbox_folders.uid_validity = ${known?.uid_validity ?? null}::bigint`

export interface CursorMove {
  uidValidity: number
  /** The first UID that has not been fetched yet. */
  next: number
  isImport: boolean
}

/** Moves the cursor forward. Returns false if another process has already moved it that far, or UIDVALIDITY changed. */
export async function updateCursor(
  sql: Sql,
  { project_id, mailbox_id, path }: FolderKey,
  { uidValidity, next, isImport }: CursorMove,
): Promise<boolean> {
  const column = isImport ? sql`import_next_uid` : sql`next_uid`
  const { count } = await sql`
    update mailbox_folders set ${column} = ${next}, failed_uid = null, failed_tries = 0
    where project_id = ${project_id} and mailbox_id = ${mailbox_id} and path = ${path}
      and uid_validity = ${uidValidity} and ${column} < ${next}`
  return count > 0
}

export const updateImportDone = (
  sql: Sql,
  { project_id, mailbox_id, path }: FolderKey,
  uidValidity: number,
) => sql`
  update mailbox_folders set import_next_uid = null, import_end_uid = null, import_since = null, is_renumbered = false
  where project_id = ${project_id} and mailbox_id = ${mailbox_id} and path = ${path} and uid_validity = ${uidValidity}`

/** Returns the number of consecutive failures to read this email. */
export async function updateFailedUid(
  sql: Sql,
  { project_id, mailbox_id, path }: FolderKey,
  uid: number,
): Promise<number> {
  const [row] = await sql<{ failed_tries: number }[]>`
    update mailbox_folders set failed_uid = ${uid},
      failed_tries = case when failed_uid = ${uid} then failed_tries + 1 else 1 end
    where project_id = ${project_id} and mailbox_id = ${mailbox_id} and path = ${path} returning failed_tries`
  return row?.failed_tries ?? 1
}

/** The import progress between 0 and 1, for mailboxes that are still importing older email. */
export const listImportProgress = (sql: Sql, projectId: string) => sql<
  { mailbox_id: string; progress: number }[]
>`
  select mailbox_id, (sum(import_next_uid - 1)::float8 / greatest(sum(import_end_uid - 1), 1))::float8 as progress
  from mailbox_folders where project_id = ${projectId} and import_next_uid is not null group by mailbox_id`
