import type { Sql } from '../../../core/db.ts'
import type { AutomaticDefaults } from '../mailboxes/automatic-schema.ts'
import { findProjectHours } from './automatic-queries.ts'
import { automaticEmailTexts } from './texts/texts.ts'

/** What the page of a mailbox shows about automatic emails besides the mailbox's settings. */
export const getAutomaticDefaults = async (sql: Sql, projectId: string): Promise<AutomaticDefaults> => ({
  ...(await findProjectHours(sql, projectId)),
  items: Object.entries(automaticEmailTexts).map(([language, texts]) => ({ language, ...texts })),
})
