import type { Fragment, Sql } from '../../core/db/db.ts'
import type { Piece } from '../../core/words/pieces.ts'
import { ask, askBoth, printQuestion } from '../../words/words.ts'
import { oldWords } from './words.ts'

/** Whether ticket `t` has any of these words exactly, in its subject or in a message. At least one word is required. */
export async function hasAnyWord(
  sql: Sql,
  projectId: string,
  pieces: Piece[],
): Promise<{ condition: Fragment }> {
  const groups = await ask(sql, projectId, pieces, { beginnings: 'last', isExact: true })
  const old = pieces.map(({ text }) => oldWords(sql, text)).reduce((all, one) => sql`${all} || ${one}`)
  const { words } = await askBoth(sql, projectId, ['messages', 'tickets'], printQuestion(groups, '|'), old)
  return {
    condition: sql`(t.search @@ ${words} or exists (
      select from messages m where m.project_id = ${projectId} and m.ticket_id = t.id and m.search @@ ${words}))`,
  }
}
