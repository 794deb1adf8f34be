import { hasFeature } from '../../billing/billing.ts'
import { sha256 } from '../../core/crypto.ts'
import type { Db, Sql } from '../../core/db/db.ts'
import type { Call } from '../../core/endpoint.ts'
import { defaultColor } from '../../core/text/color.ts'
import { currentTime } from '../../core/time.ts'
import { type Hours, isOpenAt, nextOpening } from '../../core/weekly-hours.ts'
import { recordFirstSteps } from '../../projects/projects.ts'
import { findWidget } from './choices.ts'
import { chooseLanguage } from './language.ts'
import { listProactive } from './proactive.ts'
import type { WidgetConfig } from './schema.ts'
import type { PrechatField, WidgetChoices } from './settings-schema.ts'

/** What the widget shows before the visitor has written. */

interface Appearance {
  name: string
  color: string | null
  logo_url: string | null
  default_locale: string
  /** Whether the list of first steps is shown, and no visitor has seen the chat on another website yet. */
  awaits_site: boolean
}

async function getAppearance(sql: Sql, projectId: string): Promise<Appearance> {
  const [row] = await sql<Appearance[]>`
    select name, color, logo_url, default_locale,
      has_first_steps and not first_steps @> '{widget}' as awaits_site from projects where id = ${projectId}`
  return row!
}

const listOnline = (sql: Sql, projectId: string) => sql<{ name: string; avatar_url: string | null }[]>`
  select name, avatar_url from operators
  where project_id = ${projectId} and removed_at is null and status = 'online' order by last_seen_at desc, id limit 3`

async function hasActiveBot(sql: Sql, projectId: string): Promise<boolean> {
  const { count } = await sql`
    select from telegram_bots where project_id = ${projectId} and state = 'active' limit 1`
  return count > 0
}

const showHours = (hours: Hours | null, at: number): WidgetConfig['hours'] => {
  if (!hours) return null
  const opens = isOpenAt(hours, at) ? null : nextOpening(hours, at)
  return {
    is_open: isOpenAt(hours, at),
    opens_at: opens === null ? null : `${new Date(opens).toISOString().slice(0, 19)}.000000`,
    timezone: hours.timezone,
  }
}

const showField = (locale: string | undefined, usual: string) => (field: PrechatField) => {
  const { labels, ...rest } = field
  const chosen = chooseLanguage(Object.keys(labels), locale, usual)
  return { ...rest, label: chosen === null ? '' : labels[chosen]! }
}

const showFeatures = async (sql: Sql, projectId: string, choices: WidgetChoices) => ({
  knowledge: choices.shows_knowledge && (await hasFeature(sql, projectId, 'knowledge_base')),
  files: choices.takes_files,
  rating: choices.asks_rating,
  telegram: choices.shows_telegram && (await hasActiveBot(sql, projectId)),
  max_file_bytes: choices.max_file_mb * 1024 * 1024,
})

async function readConfig(sql: Sql, projectId: string, asked: string | undefined): Promise<WidgetConfig> {
  const [appearance, { choices }] = await Promise.all([
    getAppearance(sql, projectId),
    findWidget(sql, projectId),
  ])
  const locale = chooseLanguage(Object.keys(choices.texts), asked, appearance.default_locale)
  return {
    name: appearance.name,
    color: choices.color ?? appearance.color ?? defaultColor,
    logo_url: appearance.logo_url,
    position: choices.position,
    locale,
    texts: locale === null ? {} : choices.texts[locale]!,
    prechat_fields: choices.prechat_fields.map(showField(asked, appearance.default_locale)),
    hours: showHours(choices.hours, currentTime()),
    features: await showFeatures(sql, projectId, choices),
    requires_signature: choices.requires_signature,
    operators: choices.shows_operators ? [...(await listOnline(sql, projectId))] : [],
    proactive_messages: await listProactive(sql, projectId, choices, appearance, asked),
  }
}

/** Records that a visitor of another website has seen the button of the chat. */
export const recordSeenOnSite = (sql: Sql, projectId: string): Promise<void> =>
  recordFirstSteps(sql, projectId, ['widget'])

/** The appearance of the button, and the messages that it may show; null if the widget is off. */
export async function findAppearance(sql: Sql, projectId: string, asked: string | undefined) {
  const [appearance, { choices }] = await Promise.all([
    getAppearance(sql, projectId),
    findWidget(sql, projectId),
  ])
  if (!choices.is_on) return null
  const locale = chooseLanguage(Object.keys(choices.texts), asked, appearance.default_locale)
  const launcher_text = (locale !== null && choices.texts[locale]!.launcher) || null
  return {
    look: {
      color: choices.color ?? appearance.color ?? defaultColor,
      position: choices.position,
      launcher_text,
      proactive: await listProactive(sql, projectId, choices, appearance, asked),
    },
    awaits_site: appearance.awaits_site,
  }
}

/** Browsers revalidate their copy each time, and it usually has not changed. */
export async function showConfig(db: Db, { project, request, reply }: Call, asked?: string) {
  const config = await readConfig(db, project.id, asked)
  const etag = `"${sha256(JSON.stringify(config)).toString('base64url')}"`
  reply.headers({ etag, 'cache-control': 'public, no-cache' })
  if (request.headers['if-none-match']?.includes(etag)) {
    reply.code(304)
    return null
  }
  return config
}
