import { hasFeature } from '../../billing/billing.ts'
import { sha256 } from '../../core/crypto.ts'
import type { Db, Sql } from '../../core/db/db.ts'
import type { Call } from '../../core/endpoint.ts'
import { defaultColor } from '../../core/text/color.ts'
import { readLocale } from '../../core/text/locale.ts'
import { currentTime } from '../../core/time.ts'
import { type Hours, isOpenAt, nextOpening } from '../../core/weekly-hours.ts'
import { findWidget } from './choices.ts'
import type { WidgetConfig } from './schema.ts'
import type { PrechatField, WidgetChoices } from './settings-schema.ts'

/** What the widget shows before the visitor has written. */

interface Appearance {
  name: string
  color: string | null
  logo_url: string | null
  default_locale: string
}

async function getAppearance(sql: Sql, projectId: string): Promise<Appearance> {
  const [row] = await sql<Appearance[]>`
    select name, color, logo_url, default_locale from projects where id = ${projectId}`
  return row!
}

const listOnline = (sql: Sql, projectId: string) => sql<{ name: string; avatar_url: string | null }[]>`
  select name, avatar_url from operators
  where project_id = ${projectId} and removed_at is null and status = 'online' order by last_seen_at desc, id limit 3`

const languageOf = (locale: string): string => locale.split('-')[0]!

/** Of the existing locales: the visitor's, one of the same language, the project's, or any; null if there is none. */
export function chooseLanguage(written: string[], asked: string | undefined, usual: string): string | null {
  const preferred = [asked && readLocale(asked), usual].filter(wish => typeof wish === 'string')
  const found = preferred.flatMap(wish => [
    ...written.filter(one => one === wish),
    ...written.filter(one => languageOf(one) === languageOf(wish)),
  ])
  return found[0] ?? written[0] ?? null
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
  }
}

/** The appearance of the button; null if the widget is off. */
export async function findAppearance(sql: Sql, projectId: string, asked: string | undefined) {
  const [appearance, { choices }] = await Promise.all([
    getAppearance(sql, projectId),
    findWidget(sql, projectId),
  ])
  if (!choices.is_on) return null
  const locale = chooseLanguage(Object.keys(choices.texts), asked, appearance.default_locale)
  const launcher_text = (locale !== null && choices.texts[locale]!.launcher) || null
  return {
    color: choices.color ?? appearance.color ?? defaultColor,
    position: choices.position,
    launcher_text,
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
