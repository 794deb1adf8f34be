import { recordAudit } from '../audit/audit.ts'
import { differenceOf } from '../audit/difference.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { readLocale } from '../core/text/locale.ts'
import { isTimezone } from '../core/timezone.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import type { ProjectSettings, ProjectSettingsChange } from './schema.ts'

const columns = (sql: Sql) => sql`name, color, reopen_days, auto_close_days, slug, default_locale,
  has_help_centre, has_first_steps, timezone, logo_url, version`

export async function getSettings(sql: Sql, projectId: string): Promise<ProjectSettings> {
  const [settings] = await sql<
    ProjectSettings[]
  >`select ${columns(sql)} from projects where id = ${projectId}`
  return settings!
}

/** The time zone in which dates are days. */
export async function findTimezone(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ timezone: string }[]>`select timezone from projects where id = ${projectId}`
  return row!.timezone
}

/** Locks and reads the settings until the end of the transaction. */
async function lockSettings(tx: Tx, version: number | null): Promise<ProjectSettings> {
  await tx`select from projects where id = ${tx.projectId} for no key update`
  const settings = await getSettings(tx, tx.projectId)
  if (version !== null && settings.version !== version)
    throw new ApiError('SETTINGS_CHANGED', { current: settings })
  return settings
}

/** Including the logo, which is uploaded separately. */
type Sent = ProjectSettingsChange & { logo_url?: string | null; logo_id?: string | null }

async function readChange(tx: Tx, { name, default_locale, ...rest }: Sent) {
  const locale = default_locale === undefined ? undefined : readLocale(default_locale)
  if (locale === null) throw refuse('default_locale', 'not_a_language_tag')
  if (rest.timezone !== undefined && !isTimezone(rest.timezone)) throw refuse('timezone', 'not_a_timezone')
  if (rest.slug !== undefined && (await isTaken(tx, rest.slug))) throw refuse('slug', 'slug_taken')
  return { ...rest, ...(name && { name: name.trim() }), ...(locale && { default_locale: locale }) }
}

const isTaken = async (tx: Tx, slug: string): Promise<boolean> =>
  (await tx`select from projects where slug = ${slug} and id <> ${tx.projectId}`).length > 0

/** Changes the fields that are sent. If two people save at once, the second gets what the first has saved. */
export const changeSettings = (
  store: DbOrTx,
  { project, actor }: Caller,
  sent: Sent,
  version: number | null,
): Promise<ProjectSettings> =>
  transact(store, project.id, async tx => {
    const before = await lockSettings(tx, version)
    const { logo_id, ...change } = await readChange(tx, sent)
    const difference = differenceOf(before, change)
    if (!difference) return before
    const fields = { ...change, ...(logo_id !== undefined && { logo_id }) }
    const [after] = await tx<ProjectSettings[]>`
      update projects set ${tx(fields)}, version = version + 1
      where id = ${project.id} returning ${columns(tx)}`
    const target = { type: 'project', id: project.id, name: after!.name }
    await recordAudit(tx, project.id, actor, 'project.changed', target, difference)
    return after!
  })
