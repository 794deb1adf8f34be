import type { Sql } from '../../../core/db/db.ts'
import { telegramTexts } from '../texts/texts.ts'
import type { TelegramTextDefaults } from './schema.ts'

/** The texts that a bot sends if its settings have none, and what the bot's page needs to explain them. */
export async function getTextDefaults(sql: Sql, projectId: string): Promise<TelegramTextDefaults> {
  const [row] = await sql<{ language: string; has_hours: boolean }[]>`
    select p.default_locale as language, coalesce(w.settings->'hours' <> 'null', false) as has_hours
    from projects p left join widgets w on w.project_id = ${projectId} where p.id = ${projectId}`
  const items = Object.entries(telegramTexts).map(([language, { greeting, away, closed }]) => ({
    ...{ language, greeting, away, closed },
  }))
  return { ...row!, items }
}
