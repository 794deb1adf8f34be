import type { Db } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { listArticlePictures } from '../knowledge/picture-queries.ts'
import { releasePictures } from '../knowledge/pictures.ts'
import { findProject } from '../projects/projects.ts'
import { type DemoTable, demoTables } from './demo-state.ts'
import { deleteDemoRecords, updateFirstSteps } from './queries.ts'

/** Deletes messages, files and other rows that reference the removed tickets. */
async function clear(tx: Tx, tickets: string[]): Promise<void> {
  const id = tx.projectId
  await tx`
    update media set message_id = null, expires_at = now() where project_id = ${id} and message_id in (
      select id from messages where project_id = ${id} and ticket_id = any(${tickets}::uuid[]))`
  await tx`
    update messages set reply_to_id = null
    where project_id = ${id} and ticket_id = any(${tickets}::uuid[]) and reply_to_id is not null`
  await tx`
    update tickets set merged_into_id = null, follow_up_of_id = null
    where project_id = ${id} and (merged_into_id = any(${tickets}::uuid[]) or follow_up_of_id = any(${tickets}::uuid[]))`
}

/** Adds tickets that the demo's contacts created later. */
async function addLaterTickets(tx: Tx, records: Map<DemoTable, string[]>): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from tickets where project_id = ${tx.projectId} and contact_id = any(${records.get('contacts')!}::uuid[])`
  return [...new Set([...records.get('tickets')!, ...rows.map(({ id }) => id)])]
}

/** Removes references of the project's own records to demo records. */
async function letGo(tx: Tx, records: Map<DemoTable, string[]>): Promise<void> {
  const id = tx.projectId
  const operators = records.get('operators')!
  const departments = records.get('departments')!
  const categories = records.get('categories')!
  await tx`update tickets set operator_id = null where project_id = ${id} and operator_id = any(${operators}::uuid[])`
  await tx`
    update ticket_activity set operator_id = null where project_id = ${id} and operator_id = any(${operators}::uuid[])`
  await tx`
    update tickets set department_id = null where project_id = ${id} and department_id = any(${departments}::uuid[])`
  await tx`
    update ticket_activity set department_id = null
    where project_id = ${id} and department_id = any(${departments}::uuid[])`
  await tx`update articles set category_id = null where project_id = ${id} and category_id = any(${categories}::uuid[])`
}

/** Keeps tags that the project's own tickets or contacts use. */
const keepUsedTags = async (tx: Tx, ids: string[]): Promise<string[]> =>
  (
    await tx<{ id: string }[]>`
    select id from tags g where project_id = ${tx.projectId} and id = any(${ids}::uuid[])
      and not exists (select from tickets where project_id = g.project_id and tags @> array[g.name])
      and not exists (select from contacts where project_id = g.project_id and tags @> array[g.name])`
  ).map(({ id }) => id)

/** Keeps users who have joined another project. */
const removeUsers = (tx: Tx, ids: string[]) => tx`
  delete from users u where id = any(${ids}::uuid[]) and not exists (select from operators where user_id = u.id)`

/** Keeps a widget that was changed after the demo. */
const removeWidget = (tx: Tx, ids: string[]) => tx`
  delete from widgets
  where project_id = ${tx.projectId} and project_id = any(${ids}::uuid[]) and version = 1 and secret is null`

/** Pictures may have been added to the articles of the demo since. The cleanup deletes them after a day. */
async function removeArticles(tx: Tx, ids: string[]): Promise<void> {
  const pictures: string[] = []
  for (const id of ids) pictures.push(...(await listArticlePictures(tx, tx.projectId, id)))
  await releasePictures(
    tx,
    [...new Set(pictures)],
    () => tx`delete from articles where project_id = ${tx.projectId} and id = any(${ids}::uuid[])`,
  )
}

async function removeRows(tx: Tx, kind: DemoTable, given: string[]): Promise<void> {
  if (kind === 'users') return void (await removeUsers(tx, given))
  if (kind === 'widgets') return void (await removeWidget(tx, given))
  if (kind === 'articles') return removeArticles(tx, given)
  const ids = kind === 'tags' ? await keepUsedTags(tx, given) : given
  await tx`delete from ${tx(kind)} where project_id = ${tx.projectId} and id = any(${ids}::uuid[])`
}

/** Removes the demo's records and the rows that depend on them. The project's own records and their log entries stay. */
export async function removeDemo(db: Db, projectId: string): Promise<{ id: string; tickets: number }> {
  const { id, name } = await findProject(db, projectId)
  return transact(db, id, async tx => {
    const records = await deleteDemoRecords(tx)
    if (![...records.values()].some(ids => ids.length))
      throw new UserError(`The project "${name}" has no demo data, so nothing was removed`)
    records.set('tickets', await addLaterTickets(tx, records))
    await clear(tx, records.get('tickets')!)
    await letGo(tx, records)
    for (const kind of demoTables) await removeRows(tx, kind, records.get(kind)!)
    await updateFirstSteps(tx, true)
    return { id, tickets: records.get('tickets')!.length }
  })
}
