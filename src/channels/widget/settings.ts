import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../audit/audit.ts'
import { differenceOf } from '../../audit/difference.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db/db.ts'
import type { Caller } from '../../core/endpoint.ts'
import { ApiError, refuse } from '../../core/errors.ts'
import { spellLocales } from '../../core/text/locale.ts'
import { isTimezone } from '../../core/timezone.ts'
import { type DbOrTx, type Tx, transact } from '../../events/transaction.ts'
import { findWidget, type WidgetRow, widgetSecretLabel } from './choices.ts'
import { readDomain } from './domains.ts'
import { keepOwnIds } from './page-rules.ts'
import type { ProactiveRule } from './page-rules-schema.ts'
import type { WidgetChange, WidgetSettings } from './settings-schema.ts'

/** The settings of the widget in the dashboard. */

interface Deps {
  vault: Vault
  publicUrl: string
}

const toSettings = ({ publicUrl }: Deps, projectId: string, row: WidgetRow): WidgetSettings => ({
  ...row.choices,
  has_secret: row.secret !== null,
  secret_made_at: row.secret_made_at,
  script_url: `${publicUrl}/widget.js`,
  page_url: `${publicUrl}/chat/${projectId}`,
  version: row.version,
})

export const getWidget = async (deps: Deps, sql: Sql, projectId: string): Promise<WidgetSettings> =>
  toSettings(deps, projectId, await findWidget(sql, projectId))

function checkDomain(sent: string, index: number): string {
  const domain = readDomain(sent)
  if (!domain) throw refuse(`allowed_domains.${index}`, 'not_a_domain')
  return domain
}

const spellRule = (rule: ProactiveRule): ProactiveRule => ({
  ...rule,
  texts: spellLocales('proactive_messages', rule.texts),
})

function readChange(sent: WidgetChange): WidgetChange {
  const { texts, prechat_fields, allowed_domains, proactive_messages, ...rest } = sent
  const keys = prechat_fields?.map(({ key }) => key) ?? []
  if (new Set(keys).size < keys.length) throw refuse('prechat_fields', 'same_key')
  if (rest.hours && !isTimezone(rest.hours.timezone)) throw refuse('hours', 'not_a_timezone')
  if (rest.hours?.days.some(({ from, to }) => from === to)) throw refuse('hours.days', 'no_time_between')
  return {
    ...rest,
    ...(allowed_domains && { allowed_domains: allowed_domains.map(checkDomain) }),
    ...(texts && { texts: spellLocales('texts', texts) }),
    ...(proactive_messages && { proactive_messages: proactive_messages.map(spellRule) }),
    ...(prechat_fields && {
      prechat_fields: prechat_fields.map(field => ({
        ...field,
        labels: spellLocales('prechat_fields', field.labels),
      })),
    }),
  }
}

async function lockWidget(tx: Tx): Promise<WidgetRow> {
  await tx`insert into widgets (project_id) values (${tx.projectId}) on conflict do nothing`
  await tx`select from widgets where project_id = ${tx.projectId} for no key update`
  return findWidget(tx, tx.projectId)
}

const target = ({ project }: Caller) => ({ type: 'widget', name: project.name })

/** Changes the fields that were sent. If two people save at the same time, the second gets the values that the first has saved. */
export function changeWidget(
  deps: Deps,
  store: DbOrTx,
  caller: Caller,
  sent: WidgetChange,
  version: number | null,
): Promise<WidgetSettings> {
  const { project, actor } = caller
  const read = readChange(sent)
  return transact(store, project.id, async tx => {
    const change = await keepOwnIds(tx, project.id, read)
    const before = await lockWidget(tx)
    if (version !== null && before.version !== version)
      throw new ApiError('SETTINGS_CHANGED', { current: toSettings(deps, project.id, before) })
    const difference = differenceOf(before.choices, change)
    if (difference) {
      await tx`
        update widgets set settings = settings || ${change}::jsonb, version = version + 1
        where project_id = ${project.id}`
      await recordAudit(tx, project.id, actor, 'widget.changed', target(caller), difference)
    }
    return getWidget(deps, tx, project.id)
  })
}

/** Replaces the previous secret at once. It does not increase the version, so that others can still save their settings. */
export function replaceWidgetSecret({ vault }: Deps, store: DbOrTx, caller: Caller) {
  const { project, actor } = caller
  const secret = `ws_${randomBytes(32).toString('base64url')}`
  return transact(store, project.id, async tx => {
    await lockWidget(tx)
    await tx`
      update widgets set secret = ${vault.seal(secret, widgetSecretLabel(project.id))}, secret_made_at = now()
      where project_id = ${project.id}`
    await recordAudit(tx, project.id, actor, 'widget.secret_made', target(caller))
    const { secret_made_at } = await findWidget(tx, project.id)
    return { secret, secret_made_at: secret_made_at! }
  })
}
