import { anyId, type Sql } from '../../core/db/db.ts'
import { currentTime } from '../../core/time.ts'
import { isOpenAt } from '../../core/weekly-hours.ts'
import { chooseLanguage } from './language.ts'
import type { ProactiveMessage, ProactiveRule } from './page-rules-schema.ts'
import type { WidgetChoices } from './settings-schema.ts'

/** Small messages beside the button of the chat, before the visitor has written. */

interface Sender {
  name: string
  avatar_url: string | null
}

const listSenders = (sql: Sql, projectId: string, ids: string[]) => sql<(Sender & { id: string })[]>`
  select id, name, avatar_url from operators
  where project_id = ${projectId} and id = ${anyId(sql, ids)} and removed_at is null`

/** The text in the visitor's language; null if there is none. */
export function textOfRule(
  { texts }: ProactiveRule,
  asked: string | undefined,
  usual: string,
): string | null {
  const written = Object.keys(texts).filter(locale => texts[locale]!.trim() !== '')
  const locale = chooseLanguage(written, asked, usual)
  return locale === null ? null : texts[locale]!
}

export interface Presented {
  name: string
  logo_url: string | null
  default_locale: string
}

/** None outside office hours, because nobody would answer. */
export async function listProactive(
  sql: Sql,
  projectId: string,
  { proactive_messages: rules, hours }: WidgetChoices,
  project: Presented,
  asked: string | undefined,
): Promise<ProactiveMessage[]> {
  if (!rules.length || (hours && !isOpenAt(hours, currentTime()))) return []
  const ids = rules.flatMap(({ operator_id }) => operator_id ?? [])
  const senders = new Map(
    (ids.length ? await listSenders(sql, projectId, ids) : []).map(one => [one.id, one]),
  )
  return rules.flatMap(rule => {
    const { texts: _, operator_id, ...rest } = rule
    const text = textOfRule(rule, asked, project.default_locale)
    const operator = operator_id === null ? undefined : senders.get(operator_id)
    const { name, avatar_url } = operator ?? { name: project.name, avatar_url: project.logo_url }
    return text === null ? [] : [{ ...rest, text, sender: { name, avatar_url } }]
  })
}
