import type { Sql } from '../../../core/db/db.ts'
import type { AutomaticDefaults } from '../mailboxes/automatic-schema.ts'
import { findProjectHours } from './automatic-queries.ts'
import { automaticEmailTexts } from './texts/texts.ts'

/** The information about automatic emails on a mailbox's page that does not come from its settings. */
export const getAutomaticDefaults = async (sql: Sql, projectId: string): Promise<AutomaticDefaults> => ({
  ...(await findProjectHours(sql, projectId)),
  items: Object.entries(automaticEmailTexts).map(([language, texts]) => ({ language, ...texts })),
})
