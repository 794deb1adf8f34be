import type { Sql } from '../../core/db/db.ts'
import type { WidgetChoices } from './settings-schema.ts'

/** The defaults for the settings of a widget. */
export const defaultChoices: WidgetChoices = {
  is_on: false,
  color: null,
  position: 'right',
  texts: {},
  prechat_fields: [],
  allowed_domains: [],
  requires_signature: true,
  notifies_visitors: false,
  hours: null,
  shows_knowledge: true,
  shows_operators: true,
  asks_rating: true,
  takes_files: true,
  shows_telegram: true,
  max_file_mb: 20,
  page_articles: [],
  proactive_messages: [],
}

export interface WidgetRow {
  choices: WidgetChoices
  secret: Buffer | null
  secret_made_at: string | null
  version: number
}

/** The label with which the secret of a project's widget is encrypted. */
export const widgetSecretLabel = (projectId: string): string => `widgets ${projectId}`

interface Stored extends Omit<WidgetRow, 'choices'> {
  settings: Partial<WidgetChoices>
}

export async function findWidget(sql: Sql, projectId: string): Promise<WidgetRow> {
  const [row] = await sql<Stored[]>`
    select settings, secret, secret_made_at, version from widgets where project_id = ${projectId}`
  const { settings, ...rest } = row ?? { settings: {}, secret: null, secret_made_at: null, version: 1 }
  return { choices: { ...defaultChoices, ...settings }, ...rest }
}

/** Whether a host is in the list. `*.example.com` stands for all subdomains. */
export const isAllowed = (host: string, domains: string[]): boolean =>
  domains.some(domain => {
    const name = domain.toLowerCase()
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
  })
